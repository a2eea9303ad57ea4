/**
 * Product codes of one file that are not the same but look it: a person has to say whether they are
 * one product. Codes that are the same are not looked at here; those are duplicates.
 */

import { type Localized } from "@catalog/i18n";

import { codeKey, suspectCodeKey } from "../fold.ts";
import { createIssue, type Issue, type Place } from "../issues/issue.ts";

/** The codes of a file; those of all rows have to be noted before one is judged. */
export interface CodeSuspects {
  note(code: string, row: number): void;
  /** Rows whose codes others look like: they have to be told again before a code is judged. */
  readonly forgotten: ReadonlySet<number>;
  /** Tells the code of a forgotten row again. */
  recall(code: string): void;
  /** What is suspect about a code, or nothing. */
  judge(code: JudgedCode, place: Place): Issue | undefined;
}

/** A code and how its cell has it. */
export interface JudgedCode {
  readonly code: string;
  /** The cell holds a number, and shows no zeros before it. */
  readonly isNumber: boolean;
}

interface KeyRows {
  get(key: string): number | undefined;
  set(key: string, row: number): void;
}

const MOST_NAMED = 3;

/**
 * Makes an empty list of codes. Files have a million codes and hardly two that look alike, so of a
 * code that stands alone only its row is kept, in `rows`.
 */
export function createCodeSuspects(rows: KeyRows = new Map<string, number>()): CodeSuspects {
  const alike = new Map<string, readonly string[]>();
  const forgotten = new Set<number>();
  const zeros = createLostZeros();
  return {
    forgotten,
    note(code, row) {
      zeros.note(code);
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
    judge({ code, isNumber }, place) {
      const lost = isNumber ? zeros.judge(code, place) : undefined;
      if (lost !== undefined) return lost;
      const known = alike.size === 0 ? undefined : alike.get(suspectCodeKey(code));
      const others = known?.filter((other) => !isSame(other, code)) ?? [];
      const [first] = others;
      if (first === undefined) return undefined;
      const named = others.slice(0, MOST_NAMED).map((other) => `“${other}”`);
      const params = { others: named.join(", "), difference: tellApart(code, first) };
      return createIssue({ text: "E_CODE_SUSPECT", params, value: code }, place);
    },
  };
}

interface LostZeros {
  note(code: string): void;
  judge(code: string, place: Place): Issue | undefined;
}

const ZERO_LED = /^0\d+$/u;

/**
 * Codes that begin with zeros tell that a shorter number among them may have lost its own, which
 * Excel takes off whatever is typed into a cell that is no text.
 */
function createLostZeros(): LostZeros {
  let shortest: string | undefined;
  return {
    note(code) {
      const isShorter = shortest === undefined || code.length < shortest.length;
      if (isShorter && ZERO_LED.test(code)) shortest = ownText(code);
    },
    judge(code, place) {
      if (shortest === undefined || code.length >= shortest.length) return undefined;
      const params = { example: shortest, padded: code.padStart(shortest.length, "0") };
      return createIssue({ text: "E_CODE_SUSPECT.zeros", params, value: code }, place);
    },
  };
}

const isSame = (one: string, other: string): boolean =>
  one === other || codeKey(one) === codeKey(other);

/** Shorter texts are never cut out of another one. */
const MOST_COPIED = 12;

/** A text of its own: one that was cut out of a file would keep all of the text around it. */
const ownText = (text: string): string =>
  text.length > MOST_COPIED ? Buffer.from(text).toString() : text;

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

/** The first step that makes two codes equal, with all the steps before it. */
function tellApart(code: string, other: string): Localized {
  let [a, b] = [codeKey(code), codeKey(other)];
  for (const [step, difference] of STEPS) {
    [a, b] = [step(a), step(b)];
    if (a === b) return difference;
  }
  return LOOK_ALIKE;
}
