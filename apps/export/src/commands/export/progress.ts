/** What an export says: its progress on the error stream, and its texts in both languages. */

import type { Clock } from "@catalog/clock";
import { createProgressLine, type Terminal } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { ExportEvent, ExportPeriod, ListingsProgress } from "@catalog/exporter";
import type { ExportKind } from "@catalog/exporter/kinds";
import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";

export interface ExportProgress {
  note(event: ExportEvent): void;
  /** Clears the progress line. */
  end(): void;
}

interface ExportProgressOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal" | "columns">;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly kind: ExportKind;
  readonly lang: Lang;
  /** Shows no progress; other messages are shown all the same. */
  readonly isQuiet: boolean;
  /** Estimates how long calls take. */
  readonly estimateSeconds: (calls: number) => Promise<number>;
}

/** Earlier, the first pages would make the remaining time many times too long. */
const REMAINING_MS = 2_000;

export function createExportProgress(options: ExportProgressOptions): ExportProgress {
  const { terminal, clock, texts, estimateSeconds } = options;
  let line = createProgressLine(options);
  const startedAt = clock.now();
  let callsAtStart: number | undefined;
  /** Seconds that the calls still take, by the rate of those that were made. */
  const toSecondsLeft = (callsLeft: number | undefined): number | undefined => {
    callsAtStart ??= callsLeft;
    const made = (callsAtStart ?? 0) - (callsLeft ?? 0);
    if (callsLeft === undefined || callsLeft === 0 || made <= 0) return undefined;
    const elapsedMs = clock.now() - startedAt;
    if (elapsedMs < REMAINING_MS) return undefined;
    return Math.ceil((elapsedMs / made / 1000) * callsLeft);
  };
  let isEnded = false;
  /** Says what was estimated; nothing where it cannot be. */
  const sayPlanned = async (calls: number): Promise<void> => {
    const seconds = await estimateSeconds(calls);
    if (!isEnded) textOf(texts.planned(calls, seconds));
  };
  const textOf = (text: string): void => {
    line.clear();
    terminal.err(`${fitTerminal(terminal, text)}\n`);
  };

  return {
    end() {
      isEnded = true;
      line.clear();
    },
    note(event) {
      if (event.event === "resumed") textOf(texts.resumed(event.items));
      else if (event.event === "since") textOf(sinceText(options, event.atMs));
      else if (event.event === "period") textOf(texts.period(event));
      else if (event.event === "planned") {
        // The calls continue meanwhile, and end with the error that prevents an estimate.
        sayPlanned(event.calls).catch(() => undefined);
      } else if (event.event === "writing") {
        line.clear();
        line = createProgressLine(options);
        line.show(() => texts.writing);
      } else {
        const secondsLeft = toSecondsLeft(event.callsLeft);
        line.show(() => `${texts.reading} ${texts.pages(event, secondsLeft)}`);
      }
    },
  };
}

/** In the zone of the marketplace, as the times in the file. */
const ZONE = { dateStyle: "short", timeStyle: "short", timeZone: "Europe/Istanbul" } as const;

const sinceText = (
  { texts, kind, lang }: ExportProgressOptions,
  atMs: number | undefined,
): string =>
  atMs === undefined ? texts.sinceNothing : texts.since(kind, formatDateTime(atMs, lang, ZONE));

/** Wraps a line between words on a terminal; otherwise it stays one line. */
export const fitTerminal = (
  { isTerminal, columns }: Pick<Terminal, "isTerminal" | "columns">,
  line: string,
): string => (isTerminal ? wrapText(line, { columns: columns - 1 }) : line);

interface Texts {
  readonly reading: string;
  readonly writing: string;
  readonly pages: (progress: ListingsProgress, secondsLeft: number | undefined) => string;
  readonly resumed: (items: number) => string;
  readonly since: (kind: ExportKind, at: string) => string;
  readonly sinceNothing: string;
  readonly period: (period: ExportPeriod) => string;
  readonly planned: (calls: number, seconds: number) => string;
  readonly written: (rows: number, file: string, calls: number) => string;
  readonly stopped: (items: number) => string;
  readonly goOn: (command: string) => string;
}

const duration = (seconds: number, lang: Lang): string => {
  const [h, m, s] = UNITS[lang];
  if (seconds >= 3600) return `${formatNumber(Math.round(seconds / 360) / 10, lang)} ${h}`;
  if (seconds >= 90) return `${Math.round(seconds / 60)} ${m}`;
  return seconds <= 1 && lang === "en" ? "1 second" : `${Math.max(1, seconds)} ${s}`;
};

/** Days as people read them, in the zone of the marketplace. */
const day = (ms: number, lang: Lang): string => formatDateTime(ms, lang, { dateStyle: "short" });

const UNITS: Readonly<Record<Lang, readonly [h: string, m: string, s: string]>> = {
  tr: ["saat", "dakika", "saniye"],
  en: ["hours", "minutes", "seconds"],
};

const tr = (value: number): string => formatNumber(value, "tr");
const plural = (count: number, word: string): string =>
  `${formatNumber(count, "en")} ${word}${count === 1 ? "" : "s"}`;
const en = (value: number): string => formatNumber(value, "en");

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    reading: "Mağaza okunuyor",
    writing: "Dosya yazılıyor",
    pages: ({ items, pages }, left) =>
      [
        ...(pages === undefined ? [] : [`${tr(pages.read)}/${tr(pages.of)} sayfa`]),
        `${tr(items)} kayıt`,
        ...(left === undefined ? [] : [`kalan ${duration(left, "tr")}`]),
      ].join(" · "),
    resumed: (items) =>
      `Yarım kalan dışa aktarma sürüyor: ${tr(items)} kayıt okunmuştu (--fresh baştan başlatır).`,
    since: (kind, at) =>
      kind === "orders"
        ? `Son dışa aktarmadan (${at}) sonraki yeni ve değişen siparişler veriliyor; değişenler “Değişiklik” sütununda yazar.`
        : `Son dışa aktarmadan (${at}) sonraki yeni kayıtlar veriliyor; daha önce verilenler, sonradan değişmişse de, verilmez.`,
    period: ({ fromMs, toMs, isDefault }) =>
      fromMs === undefined
        ? `Bütün siparişler veriliyor, ${day(toMs, "tr")} gününe kadar.`
        : `${day(fromMs, "tr")} ile ${day(toMs, "tr")} arasındaki siparişler veriliyor${isDefault ? " (son 30 gün; başka günler için --days, --start-date ya da --all)" : ""}.`,
    sinceNothing: "Bu süzgeçlerle daha önce dışa aktarma yapılmadı; hepsi veriliyor.",
    planned: (calls, seconds) =>
      `Okumak için yaklaşık ${tr(calls)} istek daha gerekiyor, ${duration(seconds, "tr")} sürer.`,
    written: (rows, file, calls) => `${tr(rows)} satır yazıldı: ${file} (${tr(calls)} istek)`,
    stopped: (items) => `Durduruldu. Okunan ${tr(items)} kayıt saklandı; dosya yazılmadı.`,
    goOn: (command) => `Sürdürmek için: ${command}`,
  },
  en: {
    reading: "Reading the store",
    writing: "Writing the file",
    pages: ({ items, pages }, left) =>
      [
        ...(pages === undefined ? [] : [`${en(pages.read)}/${en(pages.of)} pages`]),
        `${en(items)} records`,
        ...(left === undefined ? [] : [`${duration(left, "en")} left`]),
      ].join(" · "),
    resumed: (items) =>
      `Going on with an unfinished export: ${en(items)} records were read (--fresh begins anew).`,
    since: (kind, at) =>
      kind === "orders"
        ? `New and changed orders since the last export (${at}); the column “Change” says which is which.`
        : `New records since the last export (${at}); those given before are left out, even if they have changed.`,
    period: ({ fromMs, toMs, isDefault }) =>
      fromMs === undefined
        ? `All orders are exported, up to ${day(toMs, "en")}.`
        : `Orders from ${day(fromMs, "en")} to ${day(toMs, "en")} are exported${isDefault ? " (the last 30 days; for other days: --days, --start-date or --all)" : ""}.`,
    sinceNothing: "There was no export with these filters before; everything is exported.",
    planned: (calls, seconds) =>
      `Reading takes about ${en(calls)} more calls, ${duration(seconds, "en")}.`,
    written: (rows, file, calls) =>
      `${plural(rows, "row")} written: ${file} (${plural(calls, "call")})`,
    stopped: (items) => `Stopped. The ${en(items)} records read are kept; no file was written.`,
    goOn: (command) => `To go on: ${command}`,
  },
};

export const textsFor = (lang: Lang): Texts => TEXTS[lang];
