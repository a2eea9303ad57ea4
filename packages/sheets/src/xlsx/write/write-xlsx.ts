/** Writes rows to a workbook for people: bold header, frozen, with filters, notes and colours. */

import { type FileHandle, open } from "node:fs/promises";

import type { SheetRow } from "../../cell.ts";
import type { OutCell, Rows } from "../../out-cell.ts";
import { replaceFile } from "../../replace-file.ts";
import { columnLetters } from "../cell-address.ts";
import { continuationMark } from "../continued-sheet.ts";
import { createZipWriter, type ZipWriter } from "../zip/zip-writer.ts";
import { formatDropDowns } from "./drop-downs.ts";
import { toKeptCell } from "./kept-cells.ts";
import {
  createReportStyles,
  MARK,
  type Mark,
  type ReportStyles,
  TEXT_FORMAT,
} from "./report-styles.ts";
import { createRowSupply, type RowSupply } from "./row-supply.ts";
import {
  formatCell,
  formatColumns,
  formatView,
  isActive,
  isEmptyCell,
  SPREADSHEET_NAMESPACE,
  XML_HEAD,
} from "./sheet-cells.ts";
import { createSheetNotes, formatNoteBoxes, formatNotes, type SheetNotes } from "./sheet-notes.ts";
import { noteParts, OFFICE_RELATIONS, workbookParts } from "./stream-parts.ts";
import { MAX_SHEET_ROWS } from "./stream-xlsx.ts";
import { assertSheetName, MAX_SHEET_NAME_CHARS } from "./workbook-file.ts";

/** A row of a workbook. Notes and fills are by the index of the cell. */
export type XlsxRow = readonly OutCell[] | MarkedRow;

/** The traits and formats of a row that a reader returned are written with it. */
interface MarkedRow extends Pick<SheetRow, "traits" | "formats"> {
  readonly cells: readonly OutCell[];
  readonly notes?: Readonly<Record<number, string>>;
  readonly fills?: Readonly<Record<number, "error" | "warning">>;
}

/** A column of a sheet for people. */
export interface XlsxColumn {
  readonly header: string;
  /** In characters. @default the length of the header, within limits */
  readonly width?: number;
  /** `text` keeps Excel from reading typed codes as numbers. */
  readonly kind?: "text" | "number";
  /** Words that its cells accept, offered in a list; an empty cell is accepted. @default any */
  readonly choices?: readonly string[];
}

/** A sheet for people. */
export interface XlsxSheet {
  /** At most 31 characters, without `[ ] : * ? / \`. */
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  readonly rows: Rows<XlsxRow>;
}

/** Path and content of the workbook. */
export interface WriteXlsxOptions {
  readonly path: string;
  readonly sheets: readonly XlsxSheet[];
  /** Number of top rows that stay visible. @default 1 */
  readonly frozenRows?: number;
  /**
   * Maximum number of rows of a sheet, its header included; the rows beyond are on further sheets
   * with the same header.
   * @default 1048576, Excel's limit
   */
  readonly maxSheetRows?: number;
}

/** A longer text would go to V8's old space at once, and be collected late. */
const BATCH_CHARS = 16 * 1024;

/** Maximum number of notes of a sheet; spreadsheet programs take minutes to open more. */
export const MAX_NOTES = 10_000;

const WIDTH = { least: 8, most: 60, padding: 2 } as const;

/**
 * Writes a workbook in which every text stays text and every number a number: codes keep their
 * zeros, and nothing becomes a formula or a link. Text over 32,767 characters, Excel's limit, is
 * cut. Sheets and rows are requested in order, as they are written; `path` is replaced at the end,
 * completely or not at all. Only notes are held in memory, of each sheet the first
 * {@link MAX_NOTES}; the others are left out.
 */
export async function writeXlsx(options: WriteXlsxOptions): Promise<void> {
  for (const { name } of options.sheets) assertSheetName(name);
  await replaceFile(options.path, async (temporaryPath) => {
    await using handle = await open(temporaryPath, "wx+");
    await writeParts(handle, options);
  });
}

async function writeParts(handle: FileHandle, options: WriteXlsxOptions): Promise<void> {
  const { sheets, frozenRows = 1, maxSheetRows = MAX_SHEET_ROWS } = options;
  const zip = createZipWriter(handle);
  const styles = createReportStyles();
  const noted = new Set<number>();
  const written: { readonly name: string }[] = [];
  for (const sheet of sheets) {
    await using rows = createRowSupply(sheet.rows);
    for (let page = 1; page === 1 || (await rows.hasMore()); page += 1) {
      const notes = createSheetNotes();
      const texts = sheetTexts(sheet, { rows, maxSheetRows, frozenRows, notes, styles });
      const index = written.push({ name: nameOf(sheet, page) }) - 1;
      await zip.add(`xl/worksheets/sheet${index + 1}.xml`, texts);
      if (notes.size === 0) continue;
      noted.add(index);
      await addNotes(zip, index, notes);
    }
  }
  // Which parts there are is known only after the rows were written.
  for (const [name, text] of workbookParts(written, { styles: styles.part(), noted })) {
    await zip.add(name, [text]);
  }
  await zip.finish();
}

function nameOf({ name }: XlsxSheet, page: number): string {
  if (page === 1) return name;
  const mark = continuationMark(page - 1);
  return name.slice(0, MAX_SHEET_NAME_CHARS - mark.length) + mark;
}

async function addNotes(zip: ZipWriter, index: number, notes: SheetNotes): Promise<void> {
  const { comments, drawing, relations } = noteParts(index);
  await zip.add(comments, formatNotes(notes));
  await zip.add(drawing, formatNoteBoxes(notes));
  await zip.add(...relations);
}

interface SheetOptions {
  /** The rows that are not written yet. */
  readonly rows: RowSupply<XlsxRow>;
  readonly maxSheetRows: number;
  readonly frozenRows: number;
  /** Receives the notes of the rows. */
  readonly notes: SheetNotes;
  readonly styles: ReportStyles;
}

async function* sheetTexts(
  { columns }: XlsxSheet,
  { rows, maxSheetRows, frozenRows, notes, styles }: SheetOptions,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index + 1));
  const layout = { columns, letters, styles };
  yield `${XML_HEAD}<worksheet xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${OFFICE_RELATIONS}">`;
  yield formatView(frozenRows);
  yield formatColumns(columns.map((column) => toColumn(column, styles)));
  yield "<sheetData>";
  yield formatRow(
    { number: 1, cells: columns.map(({ header }) => header), isHeader: true },
    layout,
  );
  let number = 1;
  let batch = "";
  while (number < maxSheetRows && (await rows.hasMore())) {
    const row = rows.take();
    number += 1;
    const given = "cells" in row ? row : { cells: row };
    if (notes.size < MAX_NOTES) {
      for (const [index, text] of Object.entries(given.notes ?? {})) {
        notes.add({ row: number, column: Number(index) + 1, text });
      }
    }
    batch += formatRow({ ...given, number }, layout);
    if (batch.length < BATCH_CHARS) continue;
    yield batch;
    batch = "";
  }
  yield `${batch}</sheetData>`;
  if (columns.length > 0) yield `<autoFilter ref="A1:${layout.letters.at(-1)}${number}"/>`;
  yield formatDropDowns(columns, number);
  if (notes.size > 0) yield '<legacyDrawing r:id="rId1"/>';
  yield "</worksheet>";
}

const toColumn = (
  { header, width, kind }: XlsxColumn,
  styles: ReportStyles,
): Parameters<typeof formatColumns>[0][number] => ({
  width: width ?? Math.min(WIDTH.most, Math.max(WIDTH.least, header.length + WIDTH.padding)),
  ...(kind === "text" && { style: styles.indexOf({ mark: MARK.none, format: TEXT_FORMAT }) }),
});

interface GivenRow extends Omit<MarkedRow, "notes"> {
  readonly number: number;
  readonly isHeader?: boolean;
}

interface Layout {
  readonly columns: readonly XlsxColumn[];
  readonly letters: readonly string[];
  readonly styles: ReportStyles;
}

function formatRow(row: GivenRow, layout: Layout): string {
  const { number, cells, fills = {} } = row;
  let xml = `<row r="${number}">`;
  // A colour can be for a cell beyond the last one with content.
  const coloured = Object.keys(fills).map((index) => Number(index) + 1);
  const count = Math.max(cells.length, ...coloured);
  for (let index = 0; index < count; index += 1) xml += formatRowCell(row, index, layout);
  return `${xml}</row>`;
}

function formatRowCell(row: GivenRow, index: number, layout: Layout): string {
  const { cells, traits, formats, fills, number } = row;
  const { styles } = layout;
  const cell = cells[index] ?? null;
  const isBlank = isEmptyCell(cell) && fills?.[index] === undefined;
  const reading = { trait: traits?.[index], format: formats?.[index] };
  if (isBlank && reading.trait === undefined) return "";
  const mark = markOf(row, index);
  const address = `${lettersOf(layout, index)}${number}`;
  const kept = toKeptCell(cell, reading);
  if (kept !== undefined) {
    return `<c r="${address}" s="${styles.indexOf({ mark, format: kept.format })}"${kept.xml}`;
  }
  if (isBlank) return "";
  const format = textFormat(cell, layout, index);
  return formatCell(address, styles.indexOf({ mark, format }), cell);
}

/** A colour can be for a cell beyond the columns. */
const lettersOf = ({ letters }: Layout, index: number): string =>
  letters[index] ?? columnLetters(index + 1);

/** In the text format, Excel leaves an active text as it is even after the cell was edited. */
const textFormat = (cell: OutCell, { columns }: Layout, index: number): number | undefined =>
  columns[index]?.kind === "text" || isActive(cell) ? TEXT_FORMAT : undefined;

const markOf = ({ isHeader, fills }: GivenRow, index: number): Mark =>
  isHeader === true ? MARK.header : MARK[fills?.[index] ?? "none"];
