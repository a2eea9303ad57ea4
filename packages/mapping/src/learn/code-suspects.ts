/**
 * Finds product codes of one file that differ but look alike, for a person to decide whether they
 * are one product. Equal codes are duplicates and are not handled here.
 */

import type { Localized } from "@catalog/i18n";

import { codeKey, suspectCodeKey } from "../fold.ts";
import { createIssue, type Issue, type IssueLocation } from "../issues/issue.ts";
import { type CodeDamage, findCodeDamage } from "../values/product-code.ts";

/** The codes of a file; all rows must be noted before one is judged. */
export interface CodeSuspects {
  /** Adds the code of a row. */
  note(code: string, row: number): void;
  /**
   * Rows whose code must be given to `recall` before a code is judged, because other codes look
   * like it.
   */
  readonly forgotten: ReadonlySet<number>;
  /** Adds the code of a forgotten row again. */
  recall(code: string): void;
  /** Codes that the code may have been meant to be, the likeliest first; empty without a suspicion. */
  propose(code: JudgedCode): readonly string[];
  /** The suspicion about a code; `undefined` where there is none. */
  judge(code: JudgedCode, location: IssueLocation): Issue | undefined;
  /**
   * The suspicion about the code of a new product that a spreadsheet program has made a date or a
   * rounded number of it. An update finds its product or does not.
   */
  judgeAdd(code: string, location: IssueLocation): Issue | undefined;
}

/** A code and the type of its cell. */
export interface JudgedCode {
  readonly code: string;
  /** Whether the cell holds a number that is displayed without leading zeros. */
  readonly isNumber: boolean;
}

interface KeyRows {
  get(key: string): number | undefined;
  set(key: string, row: number): void;
}

const MAX_NAMED = 3;

/**
 * Makes an empty list of codes. Of a code that nothing looks like, only its row is kept, in `rows`,
 * so that a million codes fit into memory.
 */
export function createCodeSuspects(rows: KeyRows = new Map<string, number>()): CodeSuspects {
  const alike = new Map<string, readonly string[]>();
  const forgotten = new Set<number>();
  const zeros = createLostZeros();
  const dates = createDateCodes();
  const othersLike = (code: string): readonly string[] => {
    const known = alike.size === 0 ? undefined : alike.get(suspectCodeKey(code));
    return known?.filter((other) => !isSame(other, code)) ?? [];
  };
  return {
    forgotten,
    note(code, row) {
      zeros.note(code);
      dates.note(code);
      const key = suspectCodeKey(code);
      const first = rows.get(key);
      if (first === undefined) {
        rows.set(key, row);
        return;
      }
      forgotten.add(first);
      const others = alike.get(key) ?? [];
      if (others.every((other) => !isSame(other, code))) alike.set(key, [...others, ownText(code)]);
    },
    recall(code) {
      const key = suspectCodeKey(code);
      const others = (alike.get(key) ?? []).filter((other) => !isSame(other, code));
      alike.set(key, [code, ...others]);
    },
    propose({ code, isNumber }) {
      const padded = isNumber ? zeros.pad(code)?.padded : undefined;
      return padded === undefined ? othersLike(code).slice(0, MAX_NAMED) : [padded, code];
    },
    judgeAdd(code, location) {
      const damage = findCodeDamage(code) ?? dates.findSerial(code);
      if (damage === undefined) return undefined;
      return createIssue({ text: `E_CODE_SUSPECT.${damage}`, value: code }, location);
    },
    judge({ code, isNumber }, location) {
      const lost = isNumber ? zeros.pad(code) : undefined;
      if (lost !== undefined) {
        return createIssue({ text: "E_CODE_SUSPECT.zeros", params: lost, value: code }, location);
      }
      const others = othersLike(code);
      const [first] = others;
      if (first === undefined) return undefined;
      const named = others.slice(0, MAX_NAMED).map((other) => `“${other}”`);
      const params = { others: named.join(", "), difference: distinguish(code, first) };
      return createIssue({ text: "E_CODE_SUSPECT", params, value: code }, location);
    },
  };
}

interface LostZeros {
  note(code: string): void;
  /** The code with the zeros that it has probably lost, and a code of the file that has its own. */
  pad(code: string): { readonly example: string; readonly padded: string } | undefined;
}

const ZERO_LED = /^0\d+$/u;

/**
 * Detects codes whose leading zeros were probably lost: Excel removes them from what is typed into
 * a cell that is not text, so other codes of the file still have them.
 */
function createLostZeros(): LostZeros {
  let shortest: string | undefined;
  return {
    note(code) {
      const isShorter = shortest === undefined || code.length < shortest.length;
      if (isShorter && ZERO_LED.test(code)) shortest = ownText(code);
    },
    pad(code) {
      if (shortest === undefined || code.length >= shortest.length) return undefined;
      return { example: shortest, padded: code.padStart(shortest.length, "0") };
    },
  };
}

interface DateCodes {
  note(code: string): void;
  findSerial(code: string): Extract<CodeDamage, "serial"> | undefined;
}

/** Codes such as `13-14`, which Excel takes for a date wherever both numbers allow it. */
const PAIR = /^\d{1,2}[-./]\d{1,4}$/u;
const FIVE_DIGITS = /^\d{5}$/u;

/** Excel's numbers of the days from 2000 to 2050; a code without a year becomes a day of this one. */
const [MIN_SERIAL, MAX_SERIAL] = [36_526, 55_153];

const isSerial = (code: string): boolean =>
  FIVE_DIGITS.test(code) && Number(code) >= MIN_SERIAL && Number(code) <= MAX_SERIAL;

/**
 * Detects codes that Excel keeps as the number of a day: they are the exception in a file whose
 * other codes are pairs of numbers.
 */
function createDateCodes(): DateCodes {
  let [pairs, serials] = [0, 0];
  return {
    note(code) {
      if (PAIR.test(code) || findCodeDamage(code) === "date") pairs += 1;
      else if (isSerial(code)) serials += 1;
    },
    findSerial: (code) => (pairs > serials && isSerial(code) ? "serial" : undefined),
  };
}

const isSame = (one: string, other: string): boolean =>
  one === other || codeKey(one) === codeKey(other);

/** The JavaScript engine copies texts up to this length instead of slicing another one. */
const MAX_COPIED = 12;

/** Copies a text, because a slice would keep the whole text of the file in memory. */
const ownText = (text: string): string =>
  text.length > MAX_COPIED ? Buffer.from(text).toString() : text;

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;

const STEPS: readonly (readonly [(code: string) => string, Localized])[] = [
  [
    (code) => code.replaceAll(INVISIBLE, ""),
    { tr: "biri görünmeyen bir karakter taşıyor", en: "one has an invisible character" },
  ],
  [
    (code) => code.replaceAll(/\s+/gu, ""),
    { tr: "yalnızca boşlukları farklı", en: "only the blanks differ" },
  ],
  [
    (code) => code.replace(/^['\u2018\u2019\u02bc\uff07`\u00b4]+/u, ""),
    { tr: "biri kesme işaretiyle başlıyor", en: "one begins with an apostrophe" },
  ],
  [
    (code) => code.normalize("NFKC"),
    { tr: "yalnızca harflerin genişliği farklı", en: "only the width of the letters differs" },
  ],
  [
    (code) => code.toLowerCase(),
    { tr: "yalnızca büyük/küçük harf farklı", en: "only upper and lower case differ" },
  ],
];

const LOOK_ALIKE: Localized = {
  tr: "benzer görünen harfler taşıyorlar (ı/i ya da başka bir alfabe)",
  en: "they have letters that look alike (ı/i or another alphabet)",
};

/**
 * Describes the first normalization step that makes two codes equal, with all the steps before it.
 */
function distinguish(code: string, other: string): Localized {
  let [a, b] = [codeKey(code), codeKey(other)];
  for (const [step, difference] of STEPS) {
    [a, b] = [step(a), step(b)];
    if (a === b) return difference;
  }
  return LOOK_ALIKE;
}
