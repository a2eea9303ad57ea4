/** Rows to a workbook for people: bold header, frozen, with filters, notes and colours. */

import type { Column, Fill, Row, Worksheet } from "exceljs";

import { escapeFormula } from "../formula-safety.ts";
import { type OutCell, type Rows } from "../out-cell.ts";
import {
  assertSheetName,
  escapeXlsxText,
  letWrite,
  ROWS_A_TURN,
  toWritableCell,
  type Workbook,
  writeWorkbookFile,
} from "./workbook-file.ts";

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

const FILLS: Readonly<Record<"error" | "warning", Fill>> = {
  error: { type: "pattern", pattern: "solid", fgColor: { argb: "FFFFC7CE" } },
  warning: { type: "pattern", pattern: "solid", fgColor: { argb: "FFFFEB9C" } },
};
const WIDTH = { least: 8, most: 60, padding: 2 } as const;
/** The format that takes what is typed for text. */
export const TEXT_FORMAT = "@";

/**
 * Writes a workbook in which every text stays a text and every number a number: codes keep their
 * zeros, and nothing is ever a formula or a link. Text over 32,767 characters is cut, for Excel takes
 * no more. Sheets and rows are asked for in order, as they are written; `path` is replaced at the end,
 * whole or not at all. Memory grows by some 2 MB per 1,000 wide rows.
 */
export async function writeXlsx(options: WriteXlsxOptions): Promise<void> {
  for (const { name } of options.sheets) assertSheetName(name);
  await writeWorkbookFile(options.path, async (workbook) => {
    for (const sheet of options.sheets) await writeSheet(workbook, sheet, options.frozenRows ?? 1);
  });
}

async function writeSheet(workbook: Workbook, sheet: XlsxSheet, frozenRows: number): Promise<void> {
  const worksheet = workbook.addWorksheet(sheet.name, {
    views: [{ state: "frozen", ySplit: frozenRows }],
  });
  worksheet.columns = sheet.columns.map(toColumn);
  if (sheet.columns.length > 0) {
    worksheet.autoFilter = {
      from: { row: 1, column: 1 },
      to: { row: 1, column: sheet.columns.length },
    };
  }
  const header = addRow(
    worksheet,
    sheet.columns.map((column) => column.header),
  );
  header.eachCell((cell) => {
    cell.font = { bold: true };
  });
  header.commit();

  let count = 0;
  for await (const row of sheet.rows) {
    addXlsxRow(worksheet, row);
    count += 1;
    if (count % ROWS_A_TURN === 0) await letWrite();
  }
  worksheet.commit();
}

const toColumn = ({ header, width, kind }: XlsxColumn): Partial<Column> => ({
  width: width ?? Math.min(WIDTH.most, Math.max(WIDTH.least, header.length + WIDTH.padding)),
  ...(kind === "text" && { style: { numFmt: TEXT_FORMAT } }),
});

function addXlsxRow(worksheet: Worksheet, row: XlsxRow): void {
  const { cells, notes = {}, fills = {} } = "cells" in row ? row : { cells: row };
  const written = addRow(worksheet, cells);
  for (const [index, note] of Object.entries(notes)) {
    written.getCell(Number(index) + 1).note = escapeXlsxText(note);
  }
  for (const [index, fill] of Object.entries(fills)) {
    written.getCell(Number(index) + 1).fill = FILLS[fill];
  }
  written.commit();
}

/** Adds a row of plain values, which is still to be committed. */
export function addRow(worksheet: Worksheet, cells: readonly OutCell[]): Row {
  const row = worksheet.addRow(cells.map(toWritableCell));
  for (const [index, cell] of cells.entries()) {
    // In the text format, Excel leaves such a text alone even after someone edits the cell.
    if (typeof cell === "string" && escapeFormula(cell) !== cell) {
      row.getCell(index + 1).numFmt = TEXT_FORMAT;
    }
  }
  return row;
}
