/** The cells of a stored row as the result files show them. */

import {
  type CellTrait,
  isBlocking,
  locateIssue,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, toKeptValue, type XlsxRow } from "@catalog/sheets";

import { RESULT_TEXTS } from "./result-texts.ts";

/** The cells of the row, one for each column that is shown; those of added columns are empty. */
export const inputCells = (
  columns: readonly number[],
  { cells, traits }: Pick<RowRecord, "cells" | "traits">,
): readonly OutCell[] =>
  columns.map((index) => toKeptValue(withoutNoise(cells[index] ?? null), traits?.[index]));

/**
 * Removes binary noise: spreadsheet programs show 15 digits of a fraction. Whole numbers are kept,
 * as a shortened one would be another number.
 */
const withoutNoise = (cell: OutCell): OutCell =>
  typeof cell === "number" && !Number.isInteger(cell) ? Number(cell.toPrecision(15)) : cell;

/** The same cells, written so that reading them gives the same dates, broken cells and formats. */
export function inputRow(
  columns: readonly number[],
  record: Pick<RowRecord, "cells" | "traits" | "formats">,
): Pick<MarkedRow, "cells" | "traits" | "formats"> {
  const cells = inputCells(columns, record);
  if (record.traits === undefined && record.formats === undefined) {
    return { cells, traits: {}, formats: {} };
  }
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

/**
 * The row with the cells and images that it takes from other rows of its product, so that it can be
 * read without them. A cell of its own stays, as it may name the variant.
 */
export function withTakenCells(
  record: Pick<RowRecord, "cells" | "traits" | "formats" | "joined">,
): Pick<RowRecord, "cells" | "traits" | "formats"> {
  const { cells: taken = {}, images = [] } = record.joined ?? {};
  if (Object.keys(taken).length + images.length === 0) return record;
  const cells = [...record.cells];
  const traits = { ...record.traits };
  const formats = { ...record.formats };
  const isEmpty = ([key]: readonly [string, unknown]): boolean =>
    String(record.cells[Number(key)] ?? "").trim() === "";
  for (const [key, { value, trait, format }] of Object.entries(taken).filter(isEmpty)) {
    const index = Number(key);
    cells[index] = value;
    delete traits[index];
    delete formats[index];
    if (trait !== undefined) traits[index] = trait;
    if (format !== undefined) formats[index] = format;
  }
  for (const [index, own] of Map.groupBy(images, (image) => image.index)) {
    cells[index] = [...new Set(own.map(({ value }) => String(value ?? "")))].join("\n");
  }
  return { cells, traits, formats };
}

/** A calculated cell is written as its value, and a formula without a value as an error. */
function keptTrait(
  { cells, traits }: Pick<RowRecord, "cells" | "traits">,
  index: number,
): CellTrait | undefined {
  const trait = traits?.[index];
  if (trait !== "formula") return trait;
  return (cells[index] ?? null) === null ? "error" : undefined;
}

/** Headers of the columns that a result or failed file adds to the input. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  Object.values(RESULT_TEXTS).flatMap(({ columns }) =>
    // The product id is left out, as the input may have such a column itself.
    Object.values(columns).filter((header) => header !== columns.productId),
  ),
);

/** Indexes of the input's columns; columns that an earlier result file added are written anew. */
export function inputColumns({ file: { header } }: RunRecord): readonly number[] {
  return [...header.keys()].filter((index) => !OWN_HEADERS.has(header[index] ?? ""));
}

type MarkedRow = Exclude<XlsxRow, readonly OutCell[]>;

/** Notes and colours for the wrong cells, by the columns as they are shown. */
export function cellMarks(
  columns: readonly number[],
  { id, lang, file }: RunRecord,
  { issues }: RowRecord,
): Pick<MarkedRow, "notes" | "fills"> {
  const notes: Record<number, string> = {};
  const fills: Record<number, "error" | "warning"> = {};
  for (const issue of issues) {
    const index = columnOf(columns, issue);
    if (index === undefined) continue;
    const lines = [
      notes[index],
      issue.message[lang],
      locateIssue(file, issue, id).suggestion?.[lang],
    ];
    notes[index] = lines.filter((line) => line !== undefined).join("\n");
    fills[index] = isBlocking(issue) || fills[index] === "error" ? "error" : "warning";
  }
  return { notes, fills };
}

/** The column of the workbook that an issue is about; `undefined` where it has none. */
export function columnOf(
  columns: readonly number[],
  { cell }: Pick<RowIssue, "cell">,
): number | undefined {
  const source = columnIndexOf(cell);
  const index = source === undefined ? -1 : columns.indexOf(source);
  return index < 0 ? undefined : index;
}

/** Index of the column of an address such as `F12`, from 0. */
export function columnIndexOf(cell: string): number | undefined {
  const letters = /^[A-Z]+/u.exec(cell)?.[0];
  if (letters === undefined) return undefined;
  const index = Array.from(letters).reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
  return index - 1;
}

/** Joins texts line by line, each text once. */
export function toLines(texts: readonly (string | undefined)[]): string | null {
  if (texts.length <= 1) return texts[0] || null;
  return [...new Set(texts.filter((text) => text !== undefined && text !== ""))].join("\n") || null;
}
