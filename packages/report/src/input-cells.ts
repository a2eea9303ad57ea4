/** The cells of a stored row as every result file shows them. */

import { type CellTrait, isBlocking, type RowRecord, type RunRecord } from "@catalog/runs";
import { type OutCell, toKeptValue, type XlsxRow } from "@catalog/sheets";

import { RESULT_TEXTS } from "./result-texts.ts";

/** The cells of the sheet, one for each column that is shown. */
export const inputCells = (
  columns: readonly number[],
  { cells, traits }: Pick<RowRecord, "cells" | "traits">,
): readonly OutCell[] =>
  columns.map((index) => toKeptValue(withoutNoise(cells[index] ?? null), traits?.[index]));

/**
 * Spreadsheet programs show 15 digits; what stands behind them in a fraction is binary noise. Whole
 * numbers keep theirs: one that is too long to be right would become another one that is not.
 */
const withoutNoise = (cell: OutCell): OutCell =>
  typeof cell === "number" && !Number.isInteger(cell) ? Number(cell.toPrecision(15)) : cell;

/** The same cells, written so that they are read as they were: dates, broken cells, formats. */
export function inputRow(
  columns: readonly number[],
  record: Pick<RowRecord, "cells" | "traits" | "formats">,
): Pick<Marked, "cells" | "traits" | "formats"> {
  const cells = inputCells(columns, record);
  const traits: Record<number, CellTrait> = {};
  const formats: Record<number, string> = {};
  for (const [at, index] of columns.entries()) {
    const trait = keptTrait(record, index);
    const format = record.formats?.[index];
    if (trait !== undefined) traits[at] = trait;
    if (format !== undefined) formats[at] = format;
  }
  return { cells, traits, formats };
}

/** What was calculated is written as a value, and a formula without one as an error. */
function keptTrait(
  { cells, traits }: Pick<RowRecord, "cells" | "traits">,
  index: number,
): CellTrait | undefined {
  const trait = traits?.[index];
  if (trait !== "formula") return trait;
  return (cells[index] ?? null) === null ? "error" : undefined;
}

/** Columns that a result or failed file has added to what was imported. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  Object.values(RESULT_TEXTS).flatMap(({ columns }) =>
    // The id of a product may be a column of the input as well.
    Object.values(columns).filter((header) => header !== columns.productId),
  ),
);

/** The columns of the input; what an earlier result file has added to it is written anew. */
export function inputColumns({ file: { header } }: RunRecord): readonly number[] {
  return [...header.keys()].filter((index) => !OWN_HEADERS.has(header[index] ?? ""));
}

type Marked = Exclude<XlsxRow, readonly OutCell[]>;

/** Notes and colours on the cells that are wrong, by where their columns are shown. */
export function cellMarks(
  columns: readonly number[],
  { lang }: RunRecord,
  { issues }: RowRecord,
): Pick<Marked, "notes" | "fills"> {
  const notes: Record<number, string> = {};
  const fills: Record<number, "error" | "warning"> = {};
  for (const issue of issues) {
    const index = columns.indexOf(columnIndexOf(issue.cell) ?? -1);
    if (index < 0) continue;
    const lines = [notes[index], issue.message[lang], issue.suggestion?.[lang]];
    notes[index] = lines.filter((line) => line !== undefined).join("\n");
    fills[index] = isBlocking(issue) || fills[index] === "error" ? "error" : "warning";
  }
  return { notes, fills };
}

/** Column of an address such as `F12`, from 0. */
export function columnIndexOf(cell: string): number | undefined {
  const letters = /^[A-Z]+/u.exec(cell)?.[0];
  if (letters === undefined) return undefined;
  const index = Array.from(letters).reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
  return index - 1;
}

/** One line each; what is said twice is written once. */
export const toLines = (texts: readonly (string | undefined)[]): string | null =>
  [...new Set(texts.filter((text) => text !== undefined && text !== ""))].join("\n") || null;
