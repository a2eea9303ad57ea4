/** A workbook of the rows that a person corrects and imports again. */

import type { Connection } from "@catalog/connection";
import {
  readAllCodes,
  readAllRows,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";
import { writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { type CellSuggestions, createCellSuggestions, suggestWords } from "./cell-suggestions.ts";
import { cellsIn, errorCells, type ErrorColumn, errorColumns, placeCell } from "./error-cells.ts";
import {
  type ActionColumn,
  type FailedParents,
  findActionColumn,
  findFailedParents,
  isProduct,
} from "./failed-parents.ts";
import { cellMarks, inputColumns, inputRow, withTakenCells } from "./input-cells.ts";
import { createNamedRows } from "./named-rows.ts";
import { createRefusalRecordWriter } from "./refusals/refusal-record-writer.ts";
import type { ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultText } from "./result-texts.ts";
import {
  ADDED,
  type AddedColumn,
  columnsOf,
  createLayout,
  type SheetLayout,
} from "./sheet-layout.ts";

/** States of rows that a person corrects in the file and imports again. */
export const FAILED_STATES: readonly RowState[] = ["invalid", "duplicate", "rejected"];

export interface FailedFile {
  readonly path: string;
  /** All rows of the run. */
  readonly rows: AsyncIterable<ReportedRow>;
}

/**
 * Writes a workbook that can be imported unchanged; an import does not map the added columns, which
 * say first what is wrong. Parents of failed variants are in it and are not sent again.
 */
export async function writeFailedWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: FailedFile,
): Promise<void> {
  const parents = await findFailedParents(connection, run, FAILED_STATES);
  const input = inputColumns(run);
  const shown = input.map((index) => run.file.header[index] ?? "");
  const action = parents.areProducts ? findActionColumn(shown, run.lang) : undefined;
  const layout = layOut(run, input, action);
  const { header, sources, frozenColumns } = layout;
  const suggestions = createCellSuggestions(connection, run);
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns: sources });
  const toParent = (record: RowRecord): XlsxRow => toParentRow(run, record, { layout, action });
  const listRows = (): AsyncIterable<number> => listFailedRows(connection, run, parents);
  const nameRows = createNamedRows({ run, columns: sources, listRows });
  async function* rows(): AsyncGenerator<XlsxRow> {
    const earlier = [...parents.earlier];
    let number = 1;
    for await (const record of all) {
      while (earlier[0] !== undefined && earlier[0].row < record.row) {
        number += 1;
        yield* earlier.splice(0, 1).map(toParent);
      }
      const isFailed = FAILED_STATES.includes(record.state);
      if (!isFailed && !parents.rows.has(record.row)) continue;
      number += 1;
      if (!isFailed) {
        yield toParent(record);
        continue;
      }
      const named = await nameRows(record);
      const taken = withTakenCells(record);
      suggestions.note({ ...record, ...taken });
      const row = inputRow(sources, taken);
      const added = {
        result: resultText(run.lang, record),
        ...errorCells(run, named, cellsIn(sources, number)),
        action: null,
        place: placeCell(run, record),
        record: await toRecord(record, row),
      };
      const cells = layout.fill(row.cells, added);
      yield { ...row, cells, ...cellMarks(sources, run, named) };
    }
  }
  const name = RESULT_TEXTS[run.lang].sheet;
  const columns = withSuggestions(layout, suggestions);
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });
}

/** The rows of the workbook in their order. */
async function* listFailedRows(
  { journal }: Connection,
  { id }: RunRecord,
  parents: FailedParents,
): AsyncGenerator<number> {
  if (parents.rows.size === 0) {
    for await (const batch of readAllCodes(journal, id, { states: FAILED_STATES })) {
      yield* batch.map(({ row }) => row);
    }
    return;
  }
  const earlier = parents.earlier.map(({ row }) => row);
  for await (const batch of readAllRows(journal, id)) {
    for (const { row, state } of batch) {
      while (earlier[0] !== undefined && earlier[0] < row) yield* earlier.splice(0, 1);
      if (FAILED_STATES.includes(state) || parents.rows.has(row)) yield row;
    }
  }
}

const withSuggestions = (
  { columns, sources }: SheetLayout<Added>,
  suggestions: CellSuggestions,
): readonly XlsxColumn[] =>
  columns.map((column, at) =>
    Object.assign({}, column, suggestions.ofColumn(sources[at] ?? ADDED)),
  );

type Added = ErrorColumn | "action";

function layOut(
  run: RunRecord,
  input: readonly number[],
  action: ActionColumn | undefined,
): SheetLayout<Added> {
  const { result, error, suggestion, errorCode, place, record } = errorColumns(run.lang);
  const actionColumn: readonly AddedColumn<Added>[] = isAdded(action)
    ? [{ name: "action", header: action.header, ...suggestWords("action", run.lang) }]
    : [];
  return createLayout<Added>(run, {
    frozen: [result, ...columnsOf(run, "product_code", input), error, suggestion],
    input,
    last: [...actionColumn, errorCode, place, record],
  });
}

const isAdded = (action: ActionColumn | undefined): action is ActionColumn =>
  action !== undefined && action.at === undefined;

interface ParentFile {
  readonly layout: SheetLayout<Added>;
  readonly action: ActionColumn | undefined;
}

/** The row of a parent, with the word that keeps a product from being sent again. */
function toParentRow(run: RunRecord, record: RowRecord, { layout, action }: ParentFile): XlsxRow {
  const row = inputRow(layout.sources, record);
  const skip = action !== undefined && isProduct(record) ? action.skip : null;
  const at = action?.at === undefined ? -1 : layout.header.indexOf(action.header);
  const input = row.cells.map((cell, index) => (index === at ? skip : cell));
  const added = {
    result: null,
    errorCode: null,
    error: null,
    suggestion: RESULT_TEXTS[run.lang].parent,
    action: skip,
    place: placeCell(run, record),
    record: null,
  };
  return { ...row, cells: layout.fill(input, added) };
}
