/**
 * Product codes: how a cell's code is read, and which codes look alike, in one file or beside those
 * in use. A code is never repaired; a person decides about a suspicion.
 */

import type { Localized } from "@catalog/i18n";

import type { ColumnMapping } from "./columns/column-mapping.ts";
import {
  accept,
  createIssue,
  type Issue,
  type IssueLocation,
  type Reading,
  refuse,
} from "./issues/issue.ts";
import { locationOf } from "./rows/layout.ts";
import {
  cellAddress,
  cellText,
  type CellTrait,
  type CellValue,
  isErrorText,
  isOpenFormula,
  type SourceRow,
} from "./source-row.ts";
import { codeKey, suspectCodeKey, toPlainLetters, trimText, looseCodeKey } from "./text-keys.ts";
import { type CellDisplays, createCellDisplays, spellCell } from "./values/shown-cells.ts";

/** Number cells keep 15 digits; the last digits of a longer code are wrong already. */
const MAX_EXACT = 1e15;

/** Form in which spreadsheet programs display a long number, such as `8,69E+12`. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E[+-]\d+$/iu;

/**
 * Reads the code to be sent: trimmed, otherwise as typed. A code that a spreadsheet program has
 * turned into a date or a rounded number is refused, never repaired.
 */
export function parseProductCode(value: CellValue, trait?: CellTrait): Reading<string> {
  if (trait === "date" || typeof value === "boolean" || value === null) {
    return refuse("E_CODE_NOT_TEXT");
  }
  if (typeof value === "number") {
    const isExact = Number.isInteger(value) && value >= 0 && value < MAX_EXACT;
    return isExact ? accept(String(value)) : refuse("E_CODE_NOT_TEXT");
  }
  const code = trimText(value);
  return SCIENTIFIC.test(code) ? refuse("E_CODE_NOT_TEXT") : accept(code);
}

/** The cell of a product code as its sheet has it. */
interface CodeCell {
  readonly value: CellValue;
  readonly trait: CellTrait | undefined;
  readonly format: string | undefined;
}

/** Reads the code of a cell. A number format may only add leading zeros. */
export function readCodeCell(
  { value, trait, format }: CodeCell,
  displays: CellDisplays,
): Reading<string> {
  const reading = parseProductCode(value, trait);
  if (!reading.ok || format === undefined) return reading;
  const { text, problem } = spellCell({ value, format, use: "code" }, displays);
  return problem === undefined ? accept(text) : { ok: false, problem };
}

/** What a spreadsheet program or a database has probably made of a code. */
type CodeDamage = "date" | "exponent" | "serial";

/** Months in Turkish and English, folded, whole and as programs shorten them. */
const MONTHS =
  "ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|oca|sub|nis|haz|tem|agu|eyl|eki|kas|ara|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec";

const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";
const YEAR = "(?:19|20)\\d\\d";
const TIME = "(?:[ t]\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?)?";
const SEPARATOR = "[-./ ]\\s?";

const toPattern = (source: string): RegExp => new RegExp(`^(?:${source})$`, "u");

/** `01.mar`, `1 mart`, `5-jan-25`. */
const DAY_FIRST = toPattern(
  `${DAY}${SEPARATOR}(?:${MONTHS})\\.?(?:${SEPARATOR}(?:${YEAR}|\\d\\d))?`,
);
/** `mar-01`, `mart 2025`; in capitals it is an ordinary code, because no program writes it so. */
const MONTH_FIRST = toPattern(`(?:${MONTHS})\\.?${SEPARATOR}(?:${YEAR}|\\d\\d?)`);
/** `2025-03-01 00:00:00`, `1.03.2025`, `3/13/2025`. */
const WHOLE_DATE = toPattern(
  `${YEAR}([-./])${MONTH}\\1${DAY}${TIME}|${DAY}([-./])${MONTH}\\2${YEAR}${TIME}|${MONTH}/${DAY}/${YEAR}${TIME}`,
);
/** As Java and JavaScript write a long number; `1E5` may well be the code itself. */
const EXPONENT = /^\d[.,]\d+e\d{1,3}$/u;

/** What a text looks like that was another code before; `undefined` for an ordinary code. */
function findCodeDamage(code: string): Exclude<CodeDamage, "serial"> | undefined {
  if (code.length > MAX_DAMAGED) return undefined;
  const plain = toPlainLetters(code);
  if (EXPONENT.test(plain)) return "exponent";
  if (WHOLE_DATE.test(plain) || DAY_FIRST.test(plain)) return "date";
  const isTyped = code === code.toLocaleUpperCase("tr") || code === code.toUpperCase();
  return !isTyped && MONTH_FIRST.test(plain) ? "date" : undefined;
}

/** No damaged code is longer: `30 September 2025` with a time. */
const MAX_DAMAGED = 40;

/** Signs that separate the parts of a code: dashes of every length, `_`, `.` and slashes. */
const SEPARATORS = /[\p{Pd}\u2212_./\\]+/gu;

const ASCII = /^[\u0020-\u007e]*$/u;
const MARKS = /\p{M}+/gu;
const LEADING_ZEROS = /^0+(?=\d)/u;
const DIGITS = /^\d+$/u;

/**
 * Key of codes that look like one in use: as {@link suspectCodeKey}, but accents, separators, O/0
 * and I/l/1 do not count either, nor do the leading zeros of a code of digits. Codes of digits
 * share it only where their numbers are equal. A new product whose code shares it is decided on by
 * a person.
 */
export function lookAlikeCodeKey(text: string): string {
  const suspect = suspectCodeKey(text);
  const letters = withoutAccents(suspect).replaceAll(SEPARATORS, "");
  // A code of separators only is kept as it is.
  if (letters === "") return suspect;
  const digits = letters.replaceAll("o", "0").replaceAll(/[il]/gu, "1");
  if (!DIGITS.test(digits)) return digits;
  // A word of such letters alone (LOL) is no number.
  return /\d/u.test(letters) ? digits.replace(LEADING_ZEROS, "") : letters;
}

const withoutAccents = (text: string): string =>
  ASCII.test(text) ? text : text.normalize("NFKD").replaceAll(MARKS, "");

/**
 * Whether the digits of two look-alike codes are separated at different places, as in `KML-1-11`
 * and `KML-11-1`, so that they are two codes of a family. A code without such separators may have
 * lost them.
 */
export function areCodesSplitApart(one: string, other: string): boolean {
  const [a, b] = [toSplits(one), toSplits(other)];
  return a.size > 0 && b.size > 0 && !isSubset(a, b) && !isSubset(b, a);
}

const isSubset = <T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean =>
  [...part].every((each) => whole.has(each));

/** Where separators stand between digits, counted from the end without the separators. */
function toSplits(code: string): ReadonlySet<number> {
  const parts = withoutAccents(suspectCodeKey(code)).split(SEPARATORS);
  const splits = new Set<number>();
  let after = 0;
  for (const [index, part] of [...parts.entries()].toReversed()) {
    after += part.length;
    const before = parts[index - 1] ?? "";
    if (/\d$/u.test(before) && /^\d/u.test(part)) splits.add(after);
  }
  return splits;
}

/** Reads product codes and their locations. */
export interface CodeColumn {
  /** `undefined` when the cell is empty or holds no valid code. */
  read(row: SourceRow): { readonly code: string; readonly codeKey: string } | undefined;
  /** Location of an issue about the row's code; column A where the file has no codes. */
  location(row: number, value: string): Pick<Issue, "sheet" | "row" | "column" | "cell" | "value">;
}

/** The column of product codes in a sheet. */
export function createCodeColumn(sheet: string, mapping: ColumnMapping): CodeColumn {
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  );
  const displays = createCellDisplays();
  return {
    read({ cells, traits, formats }) {
      if (column === undefined) return undefined;
      const value = cells[column.index] ?? null;
      const text = cellText(value);
      const trait = traits?.[column.index];
      if (text === "" || trait === "error" || isErrorText(text)) return undefined;
      if (isOpenFormula(text, trait)) return undefined;
      const reading = readCodeCell({ value, trait, format: formats?.[column.index] }, displays);
      return reading.ok ? { code: reading.value, codeKey: codeKey(reading.value) } : undefined;
    },
    location(row, value) {
      if (column !== undefined) return { ...locationOf({ sheet }, column, row), value };
      return { sheet, row, column: "", cell: cellAddress(0, row), value };
    },
  };
}

/**
 * The codes of a file that differ but look alike; all rows must be noted before one is judged. Equal
 * codes are duplicates and are not handled here.
 */
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
  /**
   * Codes that the code may have been meant to be, the likeliest first; empty without a suspicion.
   */
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
interface JudgedCode {
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
 * Makes an empty list of codes. For a code that resembles no other, only its row is kept, in `rows`,
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

/**
 * Excel's numbers of the days from 2000 to 2050; a code without a year becomes a day of this one.
 */
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

/**
 * How codes that differ are compared: codes with an equal key look alike. Each key ignores what the
 * one before ignores, and more.
 */
export const CODE_KEYS: Readonly<
  Record<"loose" | "suspect" | "lookAlike", (code: string) => string>
> & { readonly areApart: (one: string, other: string) => boolean } = {
  /** Case, width, invisible marks and letters of other scripts do not count. */
  loose: looseCodeKey,
  /** Within one file: neither do blanks, and an apostrophe in front. */
  suspect: suspectCodeKey,
  /** Beside codes in use: neither do accents, separators, leading zeros, O/0 and I/l/1. */
  lookAlike: lookAlikeCodeKey,
  /** Whether two look-alike codes are divided at different places, and so two of a family. */
  areApart: areCodesSplitApart,
};
