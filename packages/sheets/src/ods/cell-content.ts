/** Converts a cell of an OpenDocument table, from its attributes and its text. */

import { formatNumber, type ReadCell } from "../xlsx/read/cell-value.ts";
import { type NumberFormat, parseNumberFormat, serialToIso } from "../xlsx/read/number-formats.ts";
import { parseAttributes } from "../xlsx/read/xml/xml-scanner.ts";

/** The opening tag of a cell. */
export interface OdsCell {
  readonly attributes: ReadonlyMap<string, string>;
  readonly isError: boolean;
}

/** A second set of attributes, whose names equal those of the first but mean other things. */
const OWN_ATTRIBUTES = /\scalcext:[\w-]+\s*=\s*(?:"[^"]*"|'[^']*')/g;
const IS_ERROR = /\scalcext:value-type\s*=\s*["']error["']/;

export const parseOdsCell = (source: string): OdsCell => ({
  attributes: parseAttributes(
    source.includes("calcext:") ? source.replaceAll(OWN_ATTRIBUTES, "") : source,
  ),
  isError: IS_ERROR.test(source),
});

/** Texts of errors in cells whose type does not say so. */
const ERROR_TEXT = /^(?:#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!)|Err:\d{3})$/;

/**
 * Reads a cell; `undefined` for an empty one. `text` is undefined where the cell has no paragraph.
 */
export function toOdsCell(
  cell: OdsCell,
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  const { attributes } = cell;
  const shown = text ?? "";
  if (isErrorCell(cell, shown)) return { value: shown === "" ? "#ERROR" : shown, trait: "error" };
  const read = readTyped(attributes, text, format);
  return attributes.has("formula") && read !== "wrong" ? asFormula(read, text) : read;
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(["float", "percentage", "currency"]);

/** Whether a cell is an error; older programs store a failed formula as the number 0. */
const isErrorCell = ({ attributes, isError }: OdsCell, shown: string): boolean =>
  isError || (NUMBER_TYPES.has(attributes.get("value-type") ?? "") && ERROR_TEXT.test(shown));

/** A formula without a result is kept; one whose result is empty text is an empty cell. */
function asFormula(read: ReadCell | undefined, text: string | undefined): ReadCell | undefined {
  if (read === undefined) return text === undefined ? { value: null, trait: "formula" } : undefined;
  return read.trait === undefined ? { ...read, trait: "formula" } : read;
}

type Attributes = ReadonlyMap<string, string>;

function readTyped(
  attributes: Attributes,
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  const type = attributes.get("value-type") ?? "string";
  if (NUMBER_TYPES.has(type)) return readNumber(attributes, text, format);
  const given = attributes.get(`${type}-value`) ?? text;
  if (type === "boolean") return { value: given === "true" };
  if (type === "date") return readDate(given);
  return type === "time" ? readTime(given) : readText(given, format);
}

function readDate(date: string | undefined): ReadCell | undefined {
  if (date === undefined || date === "") return undefined;
  const value = date.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace(/\.\d+$/, "");
  return { value, trait: "date" };
}

function readText(
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | undefined {
  return text === undefined || text === "" ? undefined : { value: text, format: format?.textCode };
}

/**
 * Whether a formula's result is a truth value, which is stored as a number and displayed as a word.
 */
const isLogical = (value: number, shown = ""): boolean =>
  (value === 0 || value === 1) && /^\p{L}+$/u.test(shown);

function readNumber(
  attributes: Attributes,
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  const source = attributes.get("value")?.trim();
  if (source === undefined || source === "") return readText(text, undefined);
  const value = Number(source);
  if (!Number.isFinite(value) || /[xbo]/i.test(source)) return "wrong";
  if (format?.code === undefined && isLogical(value, text)) return { value: value === 1 };
  return formatNumber(value, ownFormat(attributes, value, format), false);
}

/** The format by the type of a cell, where it has no style. */
function ownFormat(
  attributes: Attributes,
  value: number,
  format: NumberFormat | undefined,
): NumberFormat | undefined {
  if (format?.code !== undefined) return format;
  const currency = attributes.get("currency");
  if (currency !== undefined) return parseNumberFormat(`General" ${currency.replaceAll('"', "")}"`);
  if (attributes.get("value-type") !== "percentage") return format;
  const percent = Number((value * 100).toPrecision(12));
  const decimals = String(percent).split(".")[1]?.length ?? 0;
  return parseNumberFormat(decimals === 0 ? "0%" : `0.${"0".repeat(decimals)}%`);
}

const DURATION = /^P(?:(\d+)D)?T(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/;
const SECONDS_A_DAY = 86_400;

function readTime(source: string | undefined): ReadCell | undefined {
  if (source === undefined || source === "") return undefined;
  const [, days = "0", hours, minutes, seconds] = DURATION.exec(source) ?? [];
  if (hours === undefined) return { value: source, trait: "date" };
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { value: serialToIso(Number(days) + time / SECONDS_A_DAY, false), trait: "date" };
}
