/**
 * Writes any number of rows to a workbook in the memory of one batch. For long tables; notes,
 * colours and drop-downs are written by `writeXlsx` and `writeTemplate`.
 */

import { open } from "node:fs/promises";

import type { OutCell, Rows } from "../../out-cell.ts";
import { replaceFile } from "../../replace-file.ts";
import { columnLetters } from "../cell-address.ts";
import { createZipWriter } from "../zip/zip-writer.ts";
import {
  formatCell,
  formatColumns,
  formatView,
  isActive,
  isEmptyCell,
  SPREADSHEET_NAMESPACE,
  XML_HEAD,
} from "./sheet-cells.ts";
import { STYLE, STYLES, workbookParts } from "./stream-parts.ts";
import { assertSheetName, MAX_CELL_CHARS } from "./workbook-file.ts";

/** A column of a long table. */
export interface StreamColumn {
  readonly header: string;
  /** In characters. @default the length of the header, within limits */
  readonly width?: number | undefined;
  /** Format of numbers; text stays text in every column. @default "text" */
  readonly kind?: "text" | "price" | "integer" | "number";
  /** Whether the column is read-only, which makes its header grey. @default false */
  readonly isReadOnly?: boolean;
}

/** A sheet of a long table. */
export interface StreamSheet {
  /** At most 31 characters, without `[ ] : * ? / \`. */
  readonly name: string;
  readonly columns: readonly StreamColumn[];
  readonly rows: Rows<readonly OutCell[]>;
}

/** Path and content of the workbook. */
export interface StreamXlsxOptions {
  readonly path: string;
  readonly sheets: readonly StreamSheet[];
  /** Permissions of the file. @default those of the file that is replaced, else the owner's only */
  readonly mode?: number | undefined;
}

/** Maximum number of rows of a sheet, its header included. */
export const MAX_SHEET_ROWS = 1_048_576;

/** Maximum length of a text in a cell, in characters; {@link streamXlsx} cuts longer ones. */
export const MAX_STREAM_CELL_CHARS: number = MAX_CELL_CHARS;

const WIDTH = { least: 8, most: 60, padding: 4 } as const;

/**
 * Writes a workbook in which every text stays text, even after typing into its cell, and every
 * number a number; nothing becomes a formula or a link. Text over {@link MAX_STREAM_CELL_CHARS}
 * characters is cut, and unpaired surrogates become U+FFFD. Rows are requested as they are written,
 * so memory is bounded. `path` is replaced at the end, completely or not at all. Throws a
 * `RangeError` for more rows than a sheet takes.
 */
export async function streamXlsx({ path, sheets, mode }: StreamXlsxOptions): Promise<void> {
  for (const { name } of sheets) assertSheetName(name);
  const write = async (temporaryPath: string): Promise<void> => {
    await using handle = await open(temporaryPath, "wx+");
    const zip = createZipWriter(handle);
    for (const [name, text] of workbookParts(sheets, { styles: STYLES }))
      await zip.add(name, [text]);
    for (const [index, sheet] of sheets.entries()) {
      await zip.add(`xl/worksheets/sheet${index + 1}.xml`, sheetTexts(sheet));
    }
    await zip.finish();
  };
  await replaceFile(path, write, mode);
}

async function* sheetTexts({ columns, rows }: StreamSheet): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index + 1));
  yield `${XML_HEAD}<worksheet xmlns="${SPREADSHEET_NAMESPACE}">`;
  yield formatView(1);
  yield formatColumns(columns.map(toColumn));
  yield "<sheetData>";
  yield formatHeader(columns, letters);
  let row = 1;
  for await (const cells of rows) {
    row += 1;
    if (row > MAX_SHEET_ROWS) throw new RangeError(`a sheet holds ${MAX_SHEET_ROWS} rows`);
    yield formatRow(row, cells, { columns, letters });
  }
  yield "</sheetData>";
  if (columns.length > 0) yield `<autoFilter ref="A1:${letters.at(-1)}${row}"/>`;
  yield "</worksheet>";
}

const toColumn = ({ header, width }: StreamColumn): { readonly width: number } => ({
  width: width ?? Math.min(WIDTH.most, Math.max(WIDTH.least, header.length + WIDTH.padding)),
});

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
}

function formatRow(row: number, cells: readonly OutCell[], { columns, letters }: Layout): string {
  let xml = `<row r="${row}">`;
  for (const [index, cell] of cells.entries()) {
    if (isEmptyCell(cell)) continue;
    xml += formatCell(`${letters[index]}${row}`, styleOf(cell, columns[index]?.kind), cell);
  }
  return `${xml}</row>`;
}

function styleOf(cell: OutCell, kind: StreamColumn["kind"] = "text"): number {
  if (typeof cell === "boolean") return STYLE.number;
  if (typeof cell === "number" && Number.isFinite(cell)) return STYLE[kind];
  return isActive(String(cell)) ? STYLE.quotedText : STYLE.text;
}
