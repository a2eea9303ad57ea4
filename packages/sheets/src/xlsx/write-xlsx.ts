/** Rows to a workbook for people: bold header, frozen, with filters, notes and colours. */

import { type FileHandle, open } from "node:fs/promises";

import { type OutCell, type Rows } from "../out-cell.ts";
import { replaceFile } from "../replace-file.ts";
import { columnLetters } from "./cell-address.ts";
import { formatDropDowns } from "./drop-downs.ts";
import { MARK, type Mark, markedStyle, STYLES_PART } from "./report-styles.ts";
import {
  formatCell,
  formatColumns,
  formatView,
  isActive,
  isEmptyCell,
  SPREADSHEET_NAMESPACE,
  XML_HEAD,
} from "./sheet-cells.ts";
import { formatNoteBoxes, formatNotes, type SheetNote } from "./sheet-notes.ts";
import { noteParts, OFFICE_RELATIONS, workbookParts } from "./stream-parts.ts";
import { assertSheetName } from "./workbook-file.ts";
import { createZipWriter, type ZipWriter } from "./zip-writer.ts";

/** A row of a workbook. Notes and fills go by the index of the cell. */
export type XlsxRow =
  | readonly OutCell[]
  | {
      readonly cells: readonly OutCell[];
      readonly notes?: Readonly<Record<number, string>>;
      readonly fills?: Readonly<Record<number, "error" | "warning">>;
    };

export interface XlsxColumn {
  readonly header: string;
  /** In characters. @default the length of the header, within reason */
  readonly width?: number;
  /** `text` keeps Excel from reading codes as numbers when a cell is typed into. */
  readonly kind?: "text" | "number";
  /** The words that its cells take, offered in a list; an empty cell is fine. @default any */
  readonly choices?: readonly string[];
}

export interface XlsxSheet {
  /** At most 31 characters, without `[ ] : * ? / \`. */
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  readonly rows: Rows<XlsxRow>;
}

export interface WriteXlsxOptions {
  readonly path: string;
  readonly sheets: readonly XlsxSheet[];
  /** Rows that stay in sight. @default 1 */
  readonly frozenRows?: number;
}

const WIDTH = { least: 8, most: 60, padding: 2 } as const;

/**
 * Writes a workbook in which every text stays a text and every number a number: codes keep their
 * zeros, and nothing is ever a formula or a link. Text over 32,767 characters is cut, for Excel takes
 * no more. Sheets and rows are asked for in order, as they are written; `path` is replaced at the end,
 * whole or not at all. Only the notes are held in memory.
 */
export async function writeXlsx(options: WriteXlsxOptions): Promise<void> {
  for (const { name } of options.sheets) assertSheetName(name);
  await replaceFile(options.path, async (temporaryPath) => {
    await using handle = await open(temporaryPath, "wx+");
    await writeParts(handle, options);
  });
}

async function writeParts(handle: FileHandle, options: WriteXlsxOptions): Promise<void> {
  const { sheets, frozenRows = 1 } = options;
  const zip = createZipWriter(handle);
  const noted = new Set<number>();
  for (const [index, sheet] of sheets.entries()) {
    const notes: SheetNote[] = [];
    const texts = sheetTexts(sheet, { frozenRows, notes });
    await zip.add(`xl/worksheets/sheet${index + 1}.xml`, texts);
    if (notes.length === 0) continue;
    noted.add(index);
    await addNotes(zip, index, notes);
  }
  // What says which parts there are is known only now.
  for (const [name, text] of workbookParts(sheets, { styles: STYLES_PART, noted })) {
    await zip.add(name, [text]);
  }
  await zip.finish();
}

async function addNotes(zip: ZipWriter, index: number, notes: readonly SheetNote[]): Promise<void> {
  const { comments, drawing, relations } = noteParts(index);
  await zip.add(comments, formatNotes(notes));
  await zip.add(drawing, formatNoteBoxes(notes));
  await zip.add(...relations);
}

interface SheetOptions {
  readonly frozenRows: number;
  /** Takes the notes that the rows have. */
  readonly notes: SheetNote[];
}

async function* sheetTexts(
  { columns, rows }: XlsxSheet,
  { frozenRows, notes }: SheetOptions,
): AsyncGenerator<string> {
  const layout = { columns, letters: columns.map((_, index) => columnLetters(index + 1)) };
  yield `${XML_HEAD}<worksheet xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${OFFICE_RELATIONS}">`;
  yield formatView(frozenRows);
  yield formatColumns(columns.map(toColumn));
  yield "<sheetData>";
  yield formatRow(
    { number: 1, cells: columns.map(({ header }) => header), isHeader: true },
    layout,
  );
  let number = 1;
  for await (const row of rows) {
    number += 1;
    const given = "cells" in row ? row : { cells: row };
    for (const [index, text] of Object.entries(given.notes ?? {})) {
      notes.push({ row: number, column: Number(index) + 1, text });
    }
    yield formatRow({ ...given, number }, layout);
  }
  yield "</sheetData>";
  if (columns.length > 0) yield `<autoFilter ref="A1:${layout.letters.at(-1)}${number}"/>`;
  yield formatDropDowns(columns, number);
  if (notes.length > 0) yield '<legacyDrawing r:id="rId1"/>';
  yield "</worksheet>";
}

const toColumn = ({
  header,
  width,
  kind,
}: XlsxColumn): Parameters<typeof formatColumns>[0][number] => ({
  width: width ?? Math.min(WIDTH.most, Math.max(WIDTH.least, header.length + WIDTH.padding)),
  ...(kind === "text" && { style: markedStyle(MARK.none, true) }),
});

interface GivenRow {
  readonly number: number;
  readonly cells: readonly OutCell[];
  readonly fills?: Readonly<Record<number, "error" | "warning">>;
  readonly isHeader?: boolean;
}

interface Layout {
  readonly columns: readonly XlsxColumn[];
  readonly letters: readonly string[];
}

function formatRow(row: GivenRow, { columns, letters }: Layout): string {
  const { number, cells, fills = {} } = row;
  let xml = `<row r="${number}">`;
  // A colour may be meant for a cell beyond the last one that has something in it.
  const coloured = Object.keys(fills).map((index) => Number(index) + 1);
  const count = Math.max(cells.length, ...coloured);
  for (let index = 0; index < count; index += 1) {
    const cell = cells[index] ?? null;
    if (isEmptyCell(cell) && fills[index] === undefined) continue;
    // In the text format, Excel leaves such a text alone even after someone edits the cell.
    const isText = columns[index]?.kind === "text" || isActive(cell);
    const address = `${letters[index] ?? columnLetters(index + 1)}${number}`;
    xml += formatCell(address, markedStyle(markOf(row, index), isText), cell);
  }
  return `${xml}</row>`;
}

const markOf = ({ isHeader, fills }: GivenRow, index: number): Mark =>
  isHeader === true ? MARK.header : MARK[fills?.[index] ?? "none"];
