/** A workbook of the rows that a person corrects and imports again. */

import type { Connection } from "@catalog/connection";
import type { RowRecord, RowState, RunRecord } from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import {
  CELL_WIDTH,
  errorCells,
  hasPlaces,
  inputHeader,
  placeCells,
  TEXT_WIDTH,
} from "./error-cells.ts";
import {
  type ActionColumn,
  findActionColumn,
  findFailedParents,
  isProduct,
} from "./failed-parents.ts";
import { cellMarks, inputColumns, inputRow, withTakenCells } from "./input-cells.ts";
import { createRefusalRecordWriter } from "./refusals/refusal-record-writer.ts";
import type { ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

/** States of rows that a person corrects in the file and imports again. */
export const FAILED_STATES: readonly RowState[] = ["invalid", "duplicate", "rejected"];

export interface FailedFile {
  readonly path: string;
  /** All rows of the run. */
  readonly rows: AsyncIterable<ReportedRow>;
}

/**
 * Writes a workbook that can be imported unchanged; an import does not map the added columns.
 * Parents of failed variants are in it and are not sent again.
 */
export async function writeFailedWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: FailedFile,
): Promise<void> {
  const parents = await findFailedParents(connection, run, FAILED_STATES);
  const columns = inputColumns(run);
  const header = inputHeader(run);
  const action = parents.areProducts ? findActionColumn(header, run.lang) : undefined;
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns });
  const addedAction: readonly OutCell[] = isAdded(action) ? [null] : [];
  const toParent = (record: RowRecord): XlsxRow => toParentRow(run, record, { columns, action });
  async function* rows(): AsyncGenerator<XlsxRow> {
    const earlier = [...parents.earlier];
    for await (const record of all) {
      while (earlier[0] !== undefined && earlier[0].row < record.row) {
        yield* earlier.splice(0, 1).map(toParent);
      }
      if (!FAILED_STATES.includes(record.state)) {
        if (parents.rows.has(record.row)) yield toParent(record);
        continue;
      }
      const row = inputRow(columns, withTakenCells(record));
      const rowRecord = await toRecord(record, row);
      const added = [...errorCells(run, record), rowRecord, ...placeCells(run, record)];
      const cells = [...row.cells, ...addedAction, ...added];
      yield { ...row, cells, ...cellMarks(columns, run, record) };
    }
  }
  const headers = toColumns(run, isAdded(action) ? [...header, action.header] : header);
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns: headers, rows: rows() };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
}

const isAdded = (action: ActionColumn | undefined): action is ActionColumn =>
  action !== undefined && action.at === undefined;

interface ParentFile {
  readonly columns: readonly number[];
  readonly action: ActionColumn | undefined;
}

/** The row of a parent, with the word that keeps a product from being sent again. */
function toParentRow(run: RunRecord, record: RowRecord, { columns, action }: ParentFile): XlsxRow {
  const row = inputRow(columns, record);
  const skip = action !== undefined && isProduct(record) ? action.skip : null;
  const input = row.cells.map((cell, index) => (index === action?.at ? skip : cell));
  const cells = isAdded(action) ? [...input, skip] : input;
  const why = [null, null, RESULT_TEXTS[run.lang].parent];
  return { ...row, cells: [...cells, ...why, null, ...placeCells(run, record)] };
}

const narrow = (header: string): XlsxColumn => ({ header, width: CELL_WIDTH });

function toColumns(run: RunRecord, header: readonly string[]): readonly XlsxColumn[] {
  const { errorCode, error, suggestion, record, place } = RESULT_TEXTS[run.lang].columns;
  return [
    ...[...header, errorCode].map((text) => narrow(text)),
    ...[error, suggestion].map((text) => ({ header: text, width: TEXT_WIDTH })),
    ...[record, ...(hasPlaces(run) ? [place] : [])].map((text) => narrow(text)),
  ];
}
