/**
 * Writes any number of rows to a workbook in the memory of one batch. For long tables; notes and
 * colours are written by `writeXlsx` and `writeTemplate`.
 */

import { open } from "node:fs/promises";

import { columnLetters, isAmount, type OutCell, type Rows, type TableCell } from "../../cell.ts";
import { replaceFile } from "../../write-file.ts";
import { createZipWriter } from "../zip/zip-writer.ts";
import { formatStyles, STYLE, workbookParts } from "./workbook-parts.ts";
import {
  assertSheetName,
  type ChoiceColumn,
  countLines,
  formatCell,
  formatColumns,
  formatDropDowns,
  formatView,
  isActive,
  isEmptyCell,
  LISTS_SHEET,
  MAX_CELL_CHARS,
  SHEET_FORMAT,
  SPREADSHEET_NAMESPACE,
  XML_HEAD,
} from "./worksheet.ts";

/** Rows that are taken one by one, by several sheets in turn. */
export interface RowSupply<Row> extends AsyncDisposable {
  /** Whether there is a row to take; requests it. */
  hasMore(): Promise<boolean>;
  /** The requested row. */
  take(): Row;
  /** The next rows, at most this many, which are still to be taken. */
  peek(count: number): Promise<readonly Row[]>;
}

/** Disposing of the supply ends the rows, as leaving a loop over them does. */
export function createRowSupply<Row>(rows: Rows<Row>): RowSupply<Row> {
  const source =
    Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let requested: Row[] = [];
  let isDone = false;
  const request = async (count: number): Promise<void> => {
    while (!isDone && requested.length < count) {
      const next = await source.next();
      if (next.done === true) isDone = true;
      else requested.push(next.value);
    }
  };
  return {
    async hasMore() {
      if (requested.length === 0) await request(1);
      return requested.length > 0;
    },
    take() {
      const [row] = requested.splice(0, 1);
      if (row === undefined) throw new RangeError("no row was requested");
      return row;
    },
    async peek(count) {
      await request(count);
      return requested.slice(0, count);
    },
    async [Symbol.asyncDispose]() {
      requested = [];
      if (!isDone) await source.return?.();
    },
  };
}

/** A column of a long table. */
export interface StreamColumn {
  readonly header: string;
  /** In characters. @default by the header and the first rows, within limits */
  readonly width?: number | undefined;
  /**
   * Format of numbers; text stays text in every column but `moment`, where a time such as
   * `2026-01-31 09:05:00` becomes a date, and `wrapped`, whose text takes several lines.
   * @default "text"
   */
  readonly kind?: "text" | "price" | "integer" | "number" | "moment" | "wrapped";
  /** Whether the column is read-only, which makes its header grey. @default false */
  readonly isReadOnly?: boolean;
  /** The only words that its cells accept, offered in a list; an empty cell is accepted. @default any */
  readonly choices?: readonly string[] | undefined;
  /** Words that its cells offer, while any other may be typed. @default none */
  readonly suggestions?: readonly string[] | undefined;
}

/** A sheet of a long table. */
export interface StreamSheet {
  /** At most 31 characters, without `[ ] : * ? / \`. */
  readonly name: string;
  readonly columns: readonly StreamColumn[];
  /** Number of first columns that stay visible. @default 0 */
  readonly frozenColumns?: number;
  readonly rows: Rows<readonly TableCell[]>;
}

/** Path and content of the workbook. */
interface StreamXlsxOptions {
  readonly path: string;
  readonly sheets: readonly StreamSheet[];
  /** Number format of the cells of `moment` columns. @default "yyyy-mm-dd hh:mm" */
  readonly momentFormat?: string | undefined;
  /** Permissions of the file. @default those of the file that is replaced, else the owner's only */
  readonly mode?: number | undefined;
}

/**
 * What a sheet of Excel holds: rows with the header, and characters of a text in a cell, of which
 * {@link streamXlsx} cuts longer ones.
 */
export const SHEET_MAX: Readonly<Record<"rows" | "cellChars", number>> = {
  rows: 1_048_576,
  cellChars: MAX_CELL_CHARS,
};

const WIDTH = { least: 8, most: 60, padding: 4 } as const;
/** Frozen columns leave room for the others on a small screen. */
const MAX_FROZEN_WIDTH = 40;
/** Rows that decide the widths of columns; they are held in memory. */
const MEASURED_ROWS = 200;
/** Width of a moment in every format. */
const MOMENT_WIDTH = 18;

/**
 * Writes a workbook in which every text stays text, even after typing into its cell, and every
 * number a number; nothing becomes a formula or a link. Text over {@link SHEET_MAX}.cellChars
 * characters is cut, and unpaired surrogates become U+FFFD. Rows are requested as they are written,
 * so memory is bounded. `path` is replaced at the end, completely or not at all. Throws a
 * `RangeError` for more rows than a sheet takes.
 */
export async function streamXlsx(options: StreamXlsxOptions): Promise<void> {
  const { path, sheets, mode, momentFormat = "yyyy-mm-dd hh:mm" } = options;
  for (const { name } of sheets) assertSheetName(name);
  const write = async (temporaryPath: string): Promise<void> => {
    await using handle = await open(temporaryPath, "wx+");
    const zip = createZipWriter(handle);
    const styles = formatStyles(momentFormat);
    const lists = sheets.flatMap(({ columns }) =>
      columns.flatMap(({ suggestions = [] }) => (suggestions.length === 0 ? [] : [suggestions])),
    );
    const hidden = lists.length === 0 ? [] : [{ name: LISTS_SHEET, isHidden: true }];
    const parts = workbookParts([...sheets, ...hidden], { styles });
    for (const [name, text] of parts) await zip.add(name, [text]);
    for (const [index, sheet] of sheets.entries()) {
      await zip.add(`xl/worksheets/sheet${index + 1}.xml`, sheetTexts(sheet, lists));
    }
    if (lists.length > 0) {
      await zip.add(`xl/worksheets/sheet${sheets.length + 1}.xml`, sheetTexts(toListSheet(lists)));
    }
    await zip.finish();
  };
  await replaceFile(path, write, mode);
}

type Lists = readonly (readonly string[])[];

/** The hidden sheet of the words that cells offer, a column for each list. */
function toListSheet(lists: Lists): StreamSheet {
  const count = Math.max(...lists.map(({ length }) => length));
  const rows = Array.from({ length: count }, (_, at) => lists.map((words) => words[at] ?? null));
  return { name: LISTS_SHEET, columns: lists.map(() => ({ header: "" })), rows };
}

const toDropDown = (
  { choices = [], suggestions = [] }: StreamColumn,
  lists: Lists,
): ChoiceColumn => ({
  choices,
  list: { at: lists.indexOf(suggestions), length: suggestions.length },
});

async function* sheetTexts(sheet: StreamSheet, lists: Lists = []): AsyncGenerator<string> {
  const { columns, frozenColumns = 0 } = sheet;
  const letters = columns.map((_, index) => columnLetters(index + 1));
  await using supply = createRowSupply(sheet.rows);
  const first: (readonly TableCell[])[] = [];
  while (first.length < MEASURED_ROWS && (await supply.hasMore())) first.push(supply.take());
  yield `${XML_HEAD}<worksheet xmlns="${SPREADSHEET_NAMESPACE}">`;
  yield formatView(frozenColumns);
  yield SHEET_FORMAT;
  const measured = { first: [...first], frozenColumns };
  const widths = columns.map((column, index) => widthOf(column, index, measured));
  yield formatColumns(widths.map((width) => ({ width })));
  yield "<sheetData>";
  yield formatHeader(columns, letters);
  let row = 1;
  while (first.length > 0 || (await supply.hasMore())) {
    const cells = first.shift() ?? supply.take();
    row += 1;
    if (row > SHEET_MAX.rows) throw new RangeError(`a sheet holds ${SHEET_MAX.rows} rows`);
    yield formatRow(row, cells, { columns, letters, widths });
  }
  yield "</sheetData>";
  if (columns.length > 0) yield `<autoFilter ref="A1:${letters.at(-1)}${row}"/>`;
  const dropDowns = columns.map((column) => toDropDown(column, lists));
  yield formatDropDowns(dropDowns, row);
  yield "</worksheet>";
}

interface Measured {
  readonly first: readonly (readonly TableCell[])[];
  readonly frozenColumns: number;
}

function widthOf(
  { header, width, kind }: StreamColumn,
  index: number,
  { first, frozenColumns }: Measured,
): number {
  if (width !== undefined) return width;
  const content = first.map((cells) => lengthOf(cells[index] ?? null, kind));
  const most = index < frozenColumns ? MAX_FROZEN_WIDTH : WIDTH.most;
  const wanted = Math.max(header.length + WIDTH.padding, ...content);
  return Math.min(most, Math.max(WIDTH.least, wanted));
}

/** Letters of the longest line, with a blank behind it. */
function lengthOf(cell: TableCell, kind: StreamColumn["kind"]): number {
  if (isAmount(cell)) return lengthOf(cell.amount, "price");
  if (isEmptyCell(cell)) return 0;
  if (kind === "moment" && toSerial(cell) !== undefined) return MOMENT_WIDTH;
  const digits = kind === "price" && typeof cell === "number" ? cell.toFixed(2) + "..." : cell;
  return (
    Math.max(
      ...String(digits)
        .split("\n")
        .map((line) => line.length),
    ) + 2
  );
}

const MOMENT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/u;
const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);
/** Excel believes that 1900 had a 29 February; earlier days are left as text. */
const MIN_SERIAL = 61;

/** The number of days by which Excel stores a moment; `undefined` for any other cell. */
function toSerial(cell: OutCell): number | undefined {
  const [, day, time] = typeof cell === "string" ? (MOMENT.exec(cell) ?? []) : [];
  const serial = (Date.parse(`${day}T${time}Z`) - EPOCH) / DAY_MS;
  return serial >= MIN_SERIAL ? serial : undefined;
}

function formatHeader(columns: readonly StreamColumn[], letters: readonly string[]): string {
  const cells = columns.map(({ header, isReadOnly = false }, index) => {
    const style = isReadOnly ? STYLE.readOnlyHeader : STYLE.header;
    return formatCell(`${letters[index]}1`, style, header);
  });
  return `<row r="1">${cells.join("")}</row>`;
}

interface Layout {
  readonly columns: readonly StreamColumn[];
  readonly letters: readonly string[];
  readonly widths: readonly number[];
}

function formatRow(row: number, cells: readonly TableCell[], layout: Layout): string {
  const { columns, letters } = layout;
  let xml = `<row r="${row}"${formatHeight(cells, layout)}>`;
  for (const [index, given] of cells.entries()) {
    const cell = isAmount(given) ? given.amount : given;
    if (isEmptyCell(cell)) continue;
    const kind = isAmount(given) ? "price" : columns[index]?.kind;
    const value = kind === "moment" ? (toSerial(cell) ?? cell) : cell;
    xml += formatCell(`${letters[index]}${row}`, styleOf(value, kind), value);
  }
  return `${xml}</row>`;
}

/** In points. */
const LINE_HEIGHT = 15;

/** LibreOffice does not fit the height of a row to text of several lines. */
function formatHeight(cells: readonly TableCell[], { columns, widths }: Layout): string {
  const lines = columns.map(({ kind }, index) =>
    kind === "wrapped" ? countLines(textOf(cells[index]), widths[index] ?? 1) : 1,
  );
  const most = Math.max(1, ...lines);
  return most === 1 ? "" : ` ht="${most * LINE_HEIGHT}" customHeight="1"`;
}

const textOf = (cell: TableCell = null): string =>
  isAmount(cell) ? String(cell.amount) : String(cell ?? "");

function styleOf(cell: OutCell, kind: StreamColumn["kind"] = "text"): number {
  if (typeof cell === "boolean") return STYLE.number;
  if (typeof cell === "number" && Number.isFinite(cell)) return STYLE[kind];
  if (isActive(String(cell))) return STYLE.quotedText;
  return kind === "wrapped" ? STYLE.wrapped : STYLE.text;
}
