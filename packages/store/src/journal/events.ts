/** What moved when and why. Events are only ever appended; the database refuses everything else. */

import { type RowKey, type RowState } from "@catalog/runs";

import { toJson } from "../database/json.ts";
import { type Schema } from "../database/schema.ts";
import { type Database } from "../database/sqlite.ts";

export interface MoveEvent extends RowKey {
  readonly from: RowState;
  readonly to: RowState;
  readonly cause: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export type AppendEvent = (event: MoveEvent) => void;

/** Appends events within the caller's transaction. */
export function createEventLog(database: Database): AppendEvent {
  const insert = database.prepare<Omit<Schema["event"], "seq">>((arg) =>
    database.build.insertInto("event").values({
      run_id: arg("run_id"),
      row_no: arg("row_no"),
      from_state: arg("from_state"),
      to_state: arg("to_state"),
      cause: arg("cause"),
      evidence_json: arg("evidence_json"),
      at_ms: arg("at_ms"),
    }),
  );
  return ({ runId, row, from, to, cause, evidence, atMs }) => {
    insert({
      run_id: runId,
      row_no: row,
      from_state: from,
      to_state: to,
      cause,
      evidence_json: toJson(evidence),
      at_ms: atMs,
    });
  };
}
