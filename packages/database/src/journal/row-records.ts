/** The records of decided rows: what `run_row` has of them, with their cells. */

import type { RowRecord } from "@catalog/runs";
import type { Selectable, SelectQueryBuilder } from "kysely";

import type { Database } from "../sql/database.ts";
import { fromJson, fromJsonList } from "../sql/json.ts";
import type { RunRowTable, Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";
import type { FinalRow } from "./final-rows.ts";
import type { RowPieces, StoredRow } from "./row-pieces.ts";

/** Selects decided rows of runs; {@link createRowRecords} adds their cells. */
export function selectRecords({
  build,
}: Pick<Database, "build">): SelectQueryBuilder<Schema, "run_row", RecordColumns> {
  return build.selectFrom("run_row").selectAll("run_row");
}

export type RecordColumns = Selectable<RunRowTable>;

/** Converts a row of {@link selectRecords} into the record of the runs package. */
export type ToRecord = (columns: RecordColumns) => Steps<RowRecord>;

/** Converts a row in a final state, with its cells. */
export const toFinalRecord = (
  { row, state, productId, issues, decidedAtMs }: FinalRow,
  { cells, traits, formats, joined, code, codeKey }: StoredRow,
): RowRecord => ({
  row,
  cells,
  traits,
  formats,
  joined,
  code,
  codeKey,
  state,
  action: null,
  productId,
  payload: null,
  changes: [],
  issues,
  attempts: 0,
  note: null,
  updatedAtMs: decidedAtMs,
});

export function createRowRecords(pieces: RowPieces): ToRecord {
  return function* toRecord(columns) {
    const { run_id, row_no } = columns;
    const found = yield* pieces.find(run_id, row_no);
    if (found === undefined) throw new Error(`row ${row_no} of ${run_id} has lost its cells`);
    const { cells, traits, formats, joined } = found;
    return {
      row: row_no,
      cells,
      traits,
      formats,
      joined,
      code: columns.code,
      codeKey: columns.code_key,
      state: columns.state,
      action: columns.action,
      productId: columns.product_id,
      payload: columns.payload_json === null ? null : fromJson(columns.payload_json),
      changes: fromJsonList(columns.changes_json),
      issues: fromJsonList(columns.issues_json),
      attempts: columns.attempts,
      note: columns.note,
      updatedAtMs: columns.updated_at_ms,
    };
  };
}

/** Converts a row that waits for its decision. */
export const toWaiting = ({ storedAtMs, ...row }: StoredRow): RowRecord => ({
  row: row.row,
  cells: row.cells,
  traits: row.traits,
  formats: row.formats,
  joined: row.joined,
  code: row.code,
  codeKey: row.codeKey,
  state: "parsed",
  action: null,
  productId: null,
  payload: null,
  changes: [],
  issues: [],
  attempts: 0,
  note: null,
  updatedAtMs: storedAtMs,
});
