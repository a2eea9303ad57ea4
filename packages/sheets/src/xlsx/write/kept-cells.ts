/**
 * Writes cells as they were read: a date stays a date, an error stays an error, and a number keeps
 * its format, so that reading them again gives the same.
 */

import type { CellTrait } from "../../cell.ts";
import type { OutCell } from "../../out-cell.ts";
import { parseNumberFormat, serialToIso } from "../read/number-formats.ts";
import { escapeXml } from "./sheet-cells.ts";

/** Facts about a cell beyond its value. */
export interface CellReading {
  readonly trait: CellTrait | undefined;
  /** As Excel stores it. */
  readonly format: string | undefined;
}

/** A cell that is neither text nor a plain number. */
export interface KeptCell {
  /** Content of its tag behind the address and the style. */
  readonly xml: string;
  /** A number is one of Excel's own formats. */
  readonly format: string | number | undefined;
}

/** The error values that every version of Excel opens. */
const ERROR_VALUES: ReadonlySet<OutCell> = new Set([
  "#N/A",
  "#REF!",
  "#VALUE!",
  "#DIV/0!",
  "#NAME?",
  "#NULL!",
  "#NUM!",
]);
/** Written in place of an error that only some programs know, and of a formula without a result. */
const NO_VALUE = "#N/A";

/** The value that is written for an error; any other value is returned as it is. */
export function toKeptValue(value: OutCell, trait: CellTrait | undefined): OutCell {
  const isBroken = trait === "error" || (trait === "formula" && value === null);
  return isBroken && !ERROR_VALUES.has(value) ? NO_VALUE : value;
}

/** Makes the cell; `undefined` where the value alone is enough. */
export function toKeptCell(value: OutCell, { trait, format }: CellReading): KeptCell | undefined {
  if (trait === "error" || (trait === "formula" && value === null)) {
    const text = String(toKeptValue(value, trait));
    return { xml: ` t="e"><v>${escapeXml(text)}</v></c>`, format: undefined };
  }
  if (trait === "date" && typeof value === "string") return toDateCell(value, format);
  if (typeof value !== "number" || !Number.isFinite(value) || format === undefined)
    return undefined;
  return { xml: `><v>${value}</v></c>`, format };
}

/** Excel's own date formats, displayed in the order of the reader's country. */
const OWN_DATE = { day: 14, moment: 22 } as const;
/** Names of these formats in programs that store no code for them. */
const OWN_DATE_NAMES: ReadonlyMap<string, number> = new Map([
  ["mm-dd-yy", OWN_DATE.day],
  ["m/d/yy", OWN_DATE.day],
  ["m/d/yyyy", OWN_DATE.day],
  ["m/d/yy h:mm", OWN_DATE.moment],
  ["m/d/yyyy h:mm", OWN_DATE.moment],
]);

function toDateCell(iso: string, given: string | undefined): KeptCell {
  const own = iso.includes("T") ? OWN_DATE.moment : OWN_DATE.day;
  const isDate = given !== undefined && parseNumberFormat(given).kind === "date";
  const format = isDate ? (OWN_DATE_NAMES.get(given) ?? given) : own;
  const serial = isoToSerial(iso);
  if (serial === undefined) return { xml: ` t="d"><v>${escapeXml(iso)}</v></c>`, format };
  return { xml: `><v>${serial}</v></c>`, format };
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?$/u;
const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);
/** The days before it are one off, because Excel believes that 1900 had a 29 February. */
const LEAP_SERIAL = 60;

/** The number of days that is read as this ISO text; `undefined` if there is none. */
function isoToSerial(iso: string): number | undefined {
  const days = ISO.test(iso)
    ? (Date.parse(`${iso}${iso.includes("T") ? "" : "T00:00:00"}Z`) - EPOCH) / DAY_MS
    : Number(iso);
  return [days, days - 1]
    .filter((serial, back) => Number.isFinite(serial) && (back === 0 || serial < LEAP_SERIAL))
    .find((serial) => serialToIso(serial, false) === iso);
}
