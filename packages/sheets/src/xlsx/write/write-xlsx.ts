/** Writes rows to a workbook for people: coloured header, frozen, with filters, notes and colours. */

import { type FileHandle, open } from "node:fs/promises";

import { columnLetters, type OutCell, type Rows, type SheetRow } from "../../cell.ts";
import { continuationMark } from "../../sheet-rows.ts";
import { replaceFile } from "../../write-file.ts";
import { createZipWriter, type ZipWriter } from "../zip/zip-writer.ts";
import { createRowSupply, SHEET_MAX, type RowSupply } from "./stream-xlsx.ts";
import {
  type CellStyle,
  createReportStyles,
  MARK,
  noteParts,
  OFFICE_RELATIONS,
  type ReportStyles,
  TEXT_FORMAT,
  workbookParts,
  type WrittenSheet,
} from "./workbook-parts.ts";
import {
  assertSheetName,
  type ChoiceColumn,
  countLines,
  createSheetNotes,
  formatCell,
  formatColumns,
  formatDropDowns,
  formatNoteBoxes,
  formatNotes,
  formatView,
  isActive,
  isEmptyCell,
  LISTS_SHEET,
  MAX_SHEET_NAME_CHARS,
  MEASURED_ROWS,
  MIN_WIDTH,
  type OfferedList,
  SHEET_FORMAT,
  type SheetNotes,
  SPREADSHEET_NAMESPACE,
  toHeight,
  toKeptCell,
  toShown,
  widthOf,
  XML_HEAD,
} from "./worksheet.ts";

/** A row of a workbook. Notes, fills and offers are by the index of the cell. */
export type XlsxRow = readonly OutCell[] | MarkedRow;

/** The traits and formats of a row that a reader returned are written with it. */
interface MarkedRow extends Pick<SheetRow, "traits" | "formats"> {
  readonly cells: readonly OutCell[];
  readonly notes?: Readonly<Record<number, string>>;
  readonly fills?: Readonly<Record<number, "error" | "warning">>;
  /**
   * Words that a cell offers, while any other may be typed; the same array is written once.
   * @default those of the column
   */
  readonly offers?: Readonly<Record<number, readonly string[]>>;
}

/** A column of a sheet for people. */
export interface XlsxColumn {
  readonly header: string;
  /** In characters. @default by the header and the first rows, within limits */
  readonly width?: number;
  /** `text` keeps Excel from reading typed codes as numbers. */
  readonly kind?: "text" | "number";
  /** Whether long texts are broken into lines, for which the rows are high enough. @default false */
  readonly wraps?: boolean;
  /** Whether the column is not of the person's own file; its header has another colour. @default false */
  readonly isAdded?: boolean;
  /** Words that its cells accept, offered in a list; an empty cell is accepted. @default any */
  readonly choices?: readonly string[];
  /**
   * Words that its cells offer, while any other may be typed; asked for once the rows are written.
   * @default none
   */
  readonly suggestions?: (() => Promise<readonly string[]>) | undefined;
}

/** A sheet for people. */
export interface XlsxSheet {
  /** At most 31 characters, without `[ ] : * ? / \`. */
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  readonly rows: Rows<XlsxRow>;
  /** Number of first columns that stay visible. @default 0 */
  readonly frozenColumns?: number;
}

/** Path and content of the workbook. */
interface WriteXlsxOptions {
  readonly path: string;
  /** Asked for one by one: the next once the rows of the last are written. */
  readonly sheets: Iterable<XlsxSheet>;
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

/**
 * Writes a workbook in which every text stays text and every number a number: codes keep their
 * zeros, and nothing becomes a formula or a link. Text over 32,767 characters, Excel's limit, is
 * cut. Sheets and rows are requested in order, as they are written; `path` is replaced at the end,
 * completely or not at all. Only notes are held in memory, of each sheet the first
 * {@link MAX_NOTES}; the others are left out.
 */
export async function writeXlsx(options: WriteXlsxOptions): Promise<void> {
  await replaceFile(options.path, async (temporaryPath) => {
    await using handle = await open(temporaryPath, "wx+");
    await writeParts(handle, options);
  });
}

async function writeParts(handle: FileHandle, options: WriteXlsxOptions): Promise<void> {
  const { sheets, maxSheetRows = SHEET_MAX.rows } = options;
  const zip = createZipWriter(handle);
  const book = { styles: createReportStyles(), lists: [] };
  const noted = new Set<number>();
  const written: WrittenSheet[] = [];
  for (const sheet of sheets) {
    assertSheetName(sheet.name);
    await using rows = createRowSupply(sheet.rows);
    const widths = toWidths(sheet.columns, await rows.peek(MEASURED_ROWS));
    for (let page = 1; page === 1 || (await rows.hasMore()); page += 1) {
      const notes = createSheetNotes();
      const how = { rows, maxSheetRows, notes, widths };
      const index = written.push({ name: nameOf(sheet, page) }) - 1;
      await zip.add(`xl/worksheets/sheet${index + 1}.xml`, sheetTexts(sheet, how, book));
      if (notes.size === 0) continue;
      noted.add(index);
      await addNotes(zip, index, notes);
    }
  }
  await addLists(zip, book, written);
  // Which parts there are is known only after the rows were written.
  for (const [name, text] of workbookParts(written, { styles: book.styles.part(), noted })) {
    await zip.add(name, [text]);
  }
  await zip.finish();
}

/** What the sheets of a workbook have in common. */
interface Book {
  readonly styles: ReportStyles;
  /** The words of each drop-down that has many. */
  readonly lists: (readonly string[])[];
}

/** Adds the hidden sheet of lists, where a column has one. */
async function addLists(
  zip: ZipWriter,
  { lists, styles }: Book,
  written: WrittenSheet[],
): Promise<void> {
  if (lists.length === 0) return;
  const letters = lists.map((_, index) => columnLetters(index + 1));
  const layout = { columns: [], letters, styles };
  const count = Math.max(...lists.map(({ length }) => length));
  const rows = Array.from({ length: count }, (_, at) =>
    formatRow({ number: at + 2, cells: lists.map((words) => words[at] ?? null) }, layout),
  );
  const index = written.push({ name: LISTS_SHEET, isHidden: true });
  const start = `${XML_HEAD}<worksheet xmlns="${SPREADSHEET_NAMESPACE}"><sheetData>`;
  await zip.add(`xl/worksheets/sheet${index}.xml`, [start, ...rows, "</sheetData></worksheet>"]);
}

/** The given widths, else those of the header and the first rows. */
function toWidths(columns: readonly XlsxColumn[], first: readonly XlsxRow[]): readonly number[] {
  return columns.map(
    ({ header, width }, index) =>
      width ??
      widthOf(
        header,
        first.map((row) =>
          "cells" in row
            ? toShown(row.cells[index] ?? null, row.formats?.[index])
            : (row[index] ?? null),
        ),
      ),
  );
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
  /** Receives the notes of the rows. */
  readonly notes: SheetNotes;
  /** Width of each column, in characters. */
  readonly widths: readonly number[];
}

async function* sheetTexts(
  { columns, frozenColumns = 0 }: XlsxSheet,
  { rows, maxSheetRows, notes, widths }: SheetOptions,
  { styles, lists }: Book,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index + 1));
  const layout = { columns, letters, styles, widths };
  yield `${XML_HEAD}<worksheet xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${OFFICE_RELATIONS}">`;
  yield formatView(frozenColumns);
  yield SHEET_FORMAT;
  yield formatColumns(columns.map((column, index) => toColumn(column, widths[index], styles)));
  yield "<sheetData>";
  yield formatRow(
    { number: 1, cells: columns.map(({ header }) => header), isHeader: true },
    layout,
  );
  let number = 1;
  let batch = "";
  const offers = createOffers(layout.letters);
  while (number < maxSheetRows && (await rows.hasMore())) {
    const row = rows.take();
    number += 1;
    const given = "cells" in row ? row : { cells: row };
    addRowNotes(notes, number, given);
    offers.note(number, given);
    batch += formatRow({ ...given, number }, layout);
    if (batch.length < BATCH_CHARS) continue;
    yield batch;
    batch = "";
  }
  yield `${batch}</sheetData>`;
  if (columns.length > 0) yield `<autoFilter ref="A1:${layout.letters.at(-1)}${number}"/>`;
  const ofColumns = await addSuggestions(columns, lists);
  yield formatDropDowns(ofColumns, number, offers.place(lists));
  if (notes.size > 0) yield '<legacyDrawing r:id="rId1"/>';
  yield "</worksheet>";
}

function addRowNotes(notes: SheetNotes, row: number, { notes: texts = {} }: MarkedRow): void {
  if (notes.size >= MAX_NOTES) return;
  for (const [index, text] of Object.entries(texts)) {
    notes.add({ row, column: Number(index) + 1, text });
  }
}

/** The columns with their lists, which are added to those of the workbook. */
async function addSuggestions(
  columns: readonly XlsxColumn[],
  lists: (readonly string[])[],
): Promise<readonly ChoiceColumn[]> {
  const found: ChoiceColumn[] = [];
  for (const { choices = [], suggestions } of columns) {
    const words = suggestions === undefined ? [] : await suggestions();
    const list = { at: lists.length, length: words.length };
    if (words.length > 0) lists.push(words);
    found.push({ choices, list });
  }
  return found;
}

interface Offers {
  note(row: number, given: MarkedRow): void;
  /** Adds the words to the lists of the workbook, in one column below each other. */
  place(lists: (readonly string[])[]): readonly OfferedList[];
}

/** Collects what the cells of a sheet offer; cells with the same words share them. */
function createOffers(letters: readonly string[]): Offers {
  const cells = new Map<readonly string[], { first: number; last: number; column: number }[]>();
  return {
    note(row, { offers = {} }) {
      for (const [index, words] of Object.entries(offers)) {
        const column = Number(index);
        const ranges = cells.get(words) ?? [];
        cells.set(words, ranges);
        const last = ranges.findLast((range) => range.column === column);
        if (last?.last === row - 1) last.last = row;
        else if (words.length > 0) ranges.push({ column, first: row, last: row });
      }
    },
    place(lists) {
      const placed: OfferedList[] = [];
      const stack: string[] = [];
      for (const [words, ranges] of cells) {
        if (words.length === 0) continue;
        const list = { at: lists.length, after: stack.length, length: words.length };
        const spans = ranges.map(({ column, first, last }) => {
          const letter = letters[column] ?? columnLetters(column + 1);
          return `${letter}${first}:${letter}${last}`;
        });
        placed.push({ cells: spans.join(" "), list });
        for (const word of words) stack.push(word);
      }
      if (stack.length > 0) lists.push(stack);
      return placed;
    },
  };
}

const toColumn = (
  { kind }: XlsxColumn,
  width: number | undefined,
  styles: ReportStyles,
): Parameters<typeof formatColumns>[0][number] => ({
  width: width ?? MIN_WIDTH,
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
  /** In characters. @default no row has a height */
  readonly widths?: readonly number[];
}

function formatRow(row: GivenRow, layout: Layout): string {
  const { number, cells, fills = {} } = row;
  const height = heightOf(row, layout);
  let xml = `<row r="${number}"${height === undefined ? "" : ` ht="${height}"`}>`;
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
  const look = lookOf(row, index, layout);
  const address = `${lettersOf(layout, index)}${number}`;
  const kept = toKeptCell(cell, reading);
  if (kept !== undefined) {
    return `<c r="${address}" s="${styles.indexOf({ ...look, format: kept.format })}"${kept.xml}`;
  }
  if (isBlank) return "";
  const format = textFormat(cell, layout, index);
  return formatCell(address, styles.indexOf({ ...look, format }), cell);
}

/** A colour can be for a cell beyond the columns. */
const lettersOf = ({ letters }: Layout, index: number): string =>
  letters[index] ?? columnLetters(index + 1);

/** In the text format, Excel leaves an active text as it is even after the cell was edited. */
const textFormat = (cell: OutCell, { columns }: Layout, index: number): number | undefined =>
  columns[index]?.kind === "text" || isActive(cell) ? TEXT_FORMAT : undefined;

function lookOf(row: GivenRow, index: number, { columns }: Layout): CellStyle {
  const { wraps, isAdded = false } = columns[index] ?? {};
  if (row.isHeader === true) return { mark: isAdded ? MARK.addedHeader : MARK.header, wraps };
  return { mark: MARK[row.fills?.[index] ?? "none"], wraps };
}

/** The height that the texts of a row take, in points; `undefined` for a row of one line. */
function heightOf({ cells }: GivenRow, { columns, widths = [] }: Layout): number | undefined {
  let lines = 1;
  for (const [index, { wraps }] of columns.entries()) {
    const cell = cells[index];
    if (wraps !== true || typeof cell !== "string") continue;
    lines = Math.max(lines, countLines(cell, widths[index] ?? MIN_WIDTH));
  }
  return toHeight(lines);
}
