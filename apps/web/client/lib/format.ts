/** The language of the page, and how numbers, sizes, times and texts are written and read in it. */

import { decimalsOfChange } from "@catalog/i18n/numbers";

import { createExternalValue, type ExternalValue } from "./requests.ts";

export type Lang = "tr" | "en";

const KEY = "catalog-lang";

/** The language that was chosen last; Turkish where none was. */
export const createLanguage = (storage: Pick<Storage, "getItem">): ExternalValue<Lang> =>
  createExternalValue<Lang>(storage.getItem(KEY) === "en" ? "en" : "tr");

export const writeLanguage = (storage: Pick<Storage, "setItem">, lang: Lang): void => {
  storage.setItem(KEY, lang);
};

export interface Format {
  number(value: number): string;
  /** A number as a cell of a table has it, without marks between thousands. */
  cell(value: number): string;
  /** A size, such as "1,4 MB". */
  bytes(value: number): string;
  /** A signed change, such as "−%12" or "−12%". */
  percent(value: number): string;
  /** A point in time, such as "23 Kas 2026 14:05". */
  date(iso: string): string;
  /** The time of the day, with the date where it is another day than `nowMs`. */
  time(iso: string, nowMs: number): string;
  /** A time on some clock, `2026-12-07T00:00`, such as "7 Aralık 2026 Pazartesi 00:00". */
  clockTime(local: string): string;
  /** A day, such as "29 Kasım 2026 Pazar". */
  day(iso: string): string;
  /** The time of the day alone. */
  clock(iso: string): string;
  /** The day as forms take it, such as "2026-11-29". */
  isoDay(atMs: number): string;
  /** How long ago, such as "3 saat önce". */
  ago(iso: string, nowMs: number): string;
}

const ZONE = "Europe/Istanbul";
const LOCALES = { tr: "tr-TR", en: "en-GB" } as const;
const MINUTE_MS = 60_000;
const UNITS = [
  { unit: "day", ms: 1_440 * MINUTE_MS },
  { unit: "hour", ms: 60 * MINUTE_MS },
  { unit: "minute", ms: MINUTE_MS },
] as const;

const agoWith = (relative: Intl.RelativeTimeFormat, passedMs: number): string => {
  for (const { unit, ms } of UNITS) {
    if (Math.abs(passedMs) >= ms) return relative.format(-Math.round(passedMs / ms), unit);
  }
  return relative.format(0, "minute");
};

const createBytes = (locale: string): ((value: number) => string) => {
  const small = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const big = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return (value) => {
    if (value < 1_000) return `${small.format(value)} B`;
    if (value < 1_000_000) return `${small.format(value / 1_000)} KB`;
    return `${big.format(value / 1_000_000)} MB`;
  };
};

/**
 * Whole percent; small ones keep two digits, so that no change is shown as none, and a fall that is
 * not one to 0 keeps as many as it takes. The minus sign is
 * that of the sentences of the program.
 */
const createPercent = (locale: string): Format["percent"] => {
  const shared = { style: "percent", signDisplay: "exceptZero" } as const;
  const whole = new Intl.NumberFormat(locale, { ...shared, maximumFractionDigits: 0 });
  const small = new Intl.NumberFormat(locale, { ...shared, maximumSignificantDigits: 2 });
  const of = (value: number): Intl.NumberFormat => {
    if (Math.abs(value) < 10) return small;
    const digits = decimalsOfChange(value, 0);
    if (digits === 0) return whole;
    return new Intl.NumberFormat(locale, { ...shared, maximumFractionDigits: digits });
  };
  return (value) =>
    of(value)
      .format(value / 100)
      .replace("-", MINUS);
};

const MINUS = "−";

export const createFormat = (lang: Lang): Format => {
  const locale = LOCALES[lang];
  const number = new Intl.NumberFormat(locale);
  const cell = new Intl.NumberFormat(locale, { useGrouping: false, maximumSignificantDigits: 15 });
  const percent = createPercent(locale);
  const date = new Intl.DateTimeFormat(locale, {
    timeZone: ZONE,
    dateStyle: "medium",
    timeStyle: "short",
  });
  const day = new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: "medium" });
  const time = new Intl.DateTimeFormat(locale, { timeZone: ZONE, timeStyle: "short" });
  const whole = new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: "full" });
  const long = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    dateStyle: "full",
    timeStyle: "short",
  });
  // The Swedish form of a day is that of forms.
  const forms = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return {
    number: (value) => number.format(value),
    cell: (value) => cell.format(value),
    bytes: createBytes(locale),
    percent,
    date: (iso) => date.format(new Date(iso)),
    time: (iso, nowMs) => {
      const at = new Date(iso);
      const isToday = day.format(at) === day.format(new Date(nowMs));
      return (isToday ? time : date).format(at);
    },
    clockTime: (local) => long.format(new Date(`${local}Z`)),
    day: (at) => whole.format(new Date(at)),
    clock: (at) => time.format(new Date(at)),
    isoDay: (atMs) => forms.format(atMs),
    ago: (iso, nowMs) => agoWith(relative, nowMs - Date.parse(iso)),
  };
};

/** A text for searching: case, accents and the Turkish i do not count. */
export const foldText = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll("İ", "i")
    .toLowerCase()
    .trim();

const TAG = /<\/?[a-z][^>]*>/giu;

/** The words of a text with HTML, as they are read; other texts stay as they are. */
export const toPlainText = (text: string): string => {
  if (text.search(TAG) === -1) return text;
  // Words of two blocks do not join; the parsed document runs and loads nothing.
  const { body } = new DOMParser().parseFromString(text.replaceAll(BLOCK, " $&"), "text/html");
  return (body.textContent ?? "").replaceAll(/\s+/gu, " ").trim();
};

const BLOCK = /<\/?(?:p|br|li|ul|ol|div|h[1-6]|tr|td|th|table)\b/giu;

/** A number that a person types to approve it, with or without marks between thousands. */
export const isTypedCount = (typed: string, count: number): boolean =>
  /^\d[\d.,\s]*$/u.test(typed.trim()) && Number(typed.replaceAll(/\D/gu, "")) === count;
