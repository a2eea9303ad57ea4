import { trimText } from "../fold.ts";
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
