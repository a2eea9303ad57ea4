/**
 * Cells that are written as they were read: a date stays a date, a broken cell stays broken, and a
 * number keeps the format that shows it, so that reading them again tells the same.
 */

import { type CellTrait } from "../../cell.ts";
import { type OutCell } from "../../out-cell.ts";
import { parseNumberFormat, serialToIso } from "../read/number-formats.ts";
import { escapeXml } from "./sheet-cells.ts";

/** What is known of a cell beyond its value. */
export interface CellReading {
  readonly trait: CellTrait | undefined;
  /** As Excel stores it. */
  readonly format: string | undefined;
}

/** A cell that is neither text nor a plain number. */
export interface KeptCell {
  /** What stands in its tag behind the address and the style. */
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
/** Stands for an error that only some programs know, and for a formula that has no result. */
const NO_VALUE = "#N/A";

/** What is written in place of a broken cell; any other value stays as it is. */
export function toKeptValue(value: OutCell, trait: CellTrait | undefined): OutCell {
  const isBroken = trait === "error" || (trait === "formula" && value === null);
  return isBroken && !ERROR_VALUES.has(value) ? NO_VALUE : value;
}

/** Undefined for a cell that its value alone tells. */
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

/** Excel's own formats, shown in the order that the reader's country is used to. */
const OWN_DATE = { day: 14, moment: 22 } as const;
/** How these are named by programs that store no name for them. */
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

/** The number that is read as this text, if there is one. */
function isoToSerial(iso: string): number | undefined {
  const days = ISO.test(iso)
    ? (Date.parse(`${iso}${iso.includes("T") ? "" : "T00:00:00"}Z`) - EPOCH) / DAY_MS
    : Number(iso);
  return [days, days - 1]
    .filter((serial, back) => Number.isFinite(serial) && (back === 0 || serial < LEAP_SERIAL))
    .find((serial) => serialToIso(serial, false) === iso);
}
