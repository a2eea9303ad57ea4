/** Converts a cell of a workbook from its XML. */

import type { CellTrait, CellValue } from "../../cell.ts";
import { type NumberFormat, serialToIso } from "./number-formats.ts";
import { type SharedStrings, unescapeXlsxText } from "./shared-strings.ts";

/** A cell as it stands in the file. */
export interface CellSource {
  readonly address: string | undefined;
  /** Index of its style. */
  readonly style: number;
  /** `n`, `s`, `str`, `inlineStr`, `b`, `e` or `d`. */
  readonly type: string;
  readonly isFormula: boolean;
  /** `undefined` where there is no value element, which differs from an empty one. */
  readonly value: string | undefined;
}

/** Facts that all cells of a workbook share. */
export interface WorkbookFacts {
  readonly strings: SharedStrings;
  readonly formats: readonly NumberFormat[];
  readonly isDate1904: boolean;
}

export interface ReadCell {
  readonly value: CellValue;
  readonly trait?: CellTrait;
  /** The code of a format that is not part of the value already. */
  readonly format?: string | undefined;
}

/** Undefined for an empty cell; `wrong` for a value that its type does not allow. */
export function toCell(
  source: CellSource,
  workbook: WorkbookFacts,
): ReadCell | "wrong" | undefined {
  const { value, isFormula, type } = source;
  if (value === undefined) return isFormula ? { value: null, trait: "formula" } : undefined;
  const cell = readValue(source, value, workbook);
  if (cell === undefined || cell === "wrong") return isEmptyNumber(type, value, isFormula) ?? cell;
  return isFormula && cell.trait === undefined ? { ...cell, trait: "formula" } : cell;
}

/**
 * Whether a number is empty, as some programs write the value of a formula that they did not
 * calculate.
 */
const isEmptyNumber = (type: string, value: string, isFormula: boolean): ReadCell | undefined =>
  type === "n" && value === "" && isFormula ? { value: null, trait: "formula" } : undefined;

function readValue(
  { type, style }: CellSource,
  value: string,
  workbook: WorkbookFacts,
): ReadCell | "wrong" | undefined {
  switch (type) {
    case "s":
      return toText(sharedText(value, workbook.strings), workbook.formats[style]);
    case "str":
    case "inlineStr":
      return toText(unescapeXlsxText(value), workbook.formats[style]);
    case "b":
      return toBoolean(value);
    case "e":
      return { value: value === "" ? "#ERROR" : value, trait: "error" };
    case "d":
      return value === ""
        ? undefined
        : { value: value.replace(/T00:00:00(?:\.0+)?Z?$/, ""), trait: "date" };
    case "n":
      return toNumber(value, workbook.formats[style], workbook.isDate1904);
    default:
      return "wrong";
  }
}

/** A number is missing where some programs write an empty cell. */
const sharedText = (value: string, strings: SharedStrings): string | undefined =>
  value.trim() === "" ? "" : strings.get(toIndex(value));

const toIndex = (value: string): number => (/^\s*\d+\s*$/.test(value) ? Number(value) : -1);

function toText(
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  if (text === undefined) return "wrong";
  return text === "" ? undefined : { value: text, format: format?.textCode };
}

function toBoolean(value: string): ReadCell | "wrong" {
  if (value === "1" || value === "true") return { value: true };
  return value === "0" || value === "false" ? { value: false } : "wrong";
}

/** JavaScript's other notations of a number, which a cell cannot have. */
const RADIX = /[xbo]/i;

/** Parses the content of a number cell; blanks only are an empty cell. */
export function toNumber(
  text: string,
  format: NumberFormat | undefined,
  isDate1904: boolean,
): ReadCell | "wrong" | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || RADIX.test(text)) return "wrong";
  return formatNumber(value, format, isDate1904);
}

/** The number, or the text that Excel displays where that differs from it. */
export function formatNumber(
  value: number,
  format: NumberFormat | undefined,
  isDate1904: boolean,
): ReadCell {
  const code = format?.code;
  if (format?.kind === "date") return { value: serialToIso(value, isDate1904), trait: "date" };
  if (format?.kind === "padded" && Number.isSafeInteger(value) && value >= 0) {
    const shown = String(value).padStart(format.digits, "0");
    return shown === String(value) ? { value, format: code } : { value: shown };
  }
  return { value, format: code };
}
