import { toPlainLetters, trimText } from "../fold.ts";
import { accept, type Reading, refuse } from "../issues/issue.ts";
import type { CellTrait, CellValue } from "../rows/source-row.ts";
import type { CellDisplays } from "./cell-display.ts";
import { spellCell } from "./shown-text.ts";

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
export interface CodeCell {
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
export type CodeDamage = "date" | "exponent" | "serial";

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
export function findCodeDamage(code: string): Exclude<CodeDamage, "serial"> | undefined {
  if (code.length > MAX_DAMAGED) return undefined;
  const plain = toPlainLetters(code);
  if (EXPONENT.test(plain)) return "exponent";
  if (WHOLE_DATE.test(plain) || DAY_FIRST.test(plain)) return "date";
  const isTyped = code === code.toLocaleUpperCase("tr") || code === code.toUpperCase();
  return !isTyped && MONTH_FIRST.test(plain) ? "date" : undefined;
}

/** No damaged code is longer: `30 September 2025` with a time. */
const MAX_DAMAGED = 40;
