/** The workbook of all rows of a run, each with its outcome. */

import type { Connection } from "@catalog/connection";
import { readAllCodes, type RunRecord } from "@catalog/runs";
import { writeXlsx, type XlsxRow } from "@catalog/sheets";

import { createRefusalRecordWriter } from "./refusal-record.ts";
import type { ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultText, seenText } from "./result-texts.ts";
import {
  type AddedColumn,
  cellMarks,
  cellsIn,
  columnsOf,
  createLayout,
  createNamedRows,
  errorCells,
  errorColumns,
  inputColumns,
  inputRow,
  placeCell,
  type SheetLayout,
} from "./sheet-cells.ts";

/** Where to write, and all rows of the run. */
export interface ResultFile {
  readonly path: string;
  readonly rows: AsyncIterable<ReportedRow>;
}

/**
 * Writes the outcome and what is wrong first, beside the product code, and then the columns of the
 * input in their order. Where the input has a column of product ids, those of new products are in
 * its empty cells.
 */
export async function writeResultWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: ResultFile,
): Promise<void> {
  const input = inputColumns(run);
  const [idAt] = columnsOf(run, "product_id", input);
  const layout = layOut(run, input, idAt === undefined);
  const { columns, header, sources, frozenColumns } = layout;
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns: sources });
  async function* listRows(): AsyncGenerator<number> {
    for await (const batch of readAllCodes(connection.journal, run.id)) {
      for (const { row } of batch) yield row;
    }
  }
  const nameRows = createNamedRows({ run, columns: sources, listRows });
  async function* rows(): AsyncGenerator<XlsxRow> {
    let number = 1;
    for await (const record of all) {
      number += 1;
      const named = await nameRows(record);
      const row = inputRow(sources, record);
      const isEmpty = (at: number): boolean => String(row.cells[at] ?? "").trim() === "";
      const own = row.cells.map((cell, at) =>
        idAt !== undefined && sources[at] === idAt && isEmpty(at) ? record.productId : cell,
      );
      const added = {
        result: resultText(run.lang, record),
        ...errorCells(run, named, cellsIn(sources, number)),
        productId: record.productId,
        seen: seenText(run.lang, record),
        place: placeCell(run, record),
        record: null,
      };
      const cells = layout.fill(own, added);
      const rowRecord = await toRecord(record, { ...row, cells });
      const filled = layout.fill(own, { ...added, record: rowRecord });
      yield { ...row, cells: filled, ...cellMarks(sources, run, named) };
    }
  }
  const name = RESULT_TEXTS[run.lang].sheet;
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });
}

type Added = keyof ReturnType<typeof errorColumns> | "productId" | "seen";

function layOut(run: RunRecord, input: readonly number[], needsId: boolean): SheetLayout<Added> {
  const { result, error, suggestion, errorCode, place, record } = errorColumns(run.lang);
  const { productId, marketplaceId, seen } = RESULT_TEXTS[run.lang].columns;
  // Ids of another program may have the name already.
  const isTaken = input.some((index) => run.file.header[index] === productId);
  const id: AddedColumn<Added> = { name: "productId", header: isTaken ? marketplaceId : productId };
  const seenColumn: AddedColumn<Added> = { name: "seen", header: seen };
  return createLayout<Added>(run, {
    frozen: [result, ...columnsOf(run, "product_code", input), error, suggestion],
    input,
    last: [...(needsId ? [id] : []), seenColumn, errorCode, place, record],
  });
}
