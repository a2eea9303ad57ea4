/** Rows of a run: read from the sheet, decided by the plan, read back in the order of the sheet. */

import {
  type DuplicateCode,
  isLegalMove,
  type Journal,
  type ParsedRow,
  type RowDecision,
  type RowRecord,
  type StateCount,
} from "@catalog/runs";
import { type Selectable, sql } from "kysely";

import { fromJson, toJson } from "../database/json.ts";
import { type RunRowTable } from "../database/schema.ts";
import { type Database } from "../database/sqlite.ts";
import { createEventLog } from "./events.ts";
import { type JournalRoom, selectRun } from "./room.ts";

type RowMethods = Pick<
  Journal,
  | "appendRows"
  | "readDuplicates"
  | "readRows"
  | "readDoubtedAdds"
  | "mustRecheck"
  | "countRows"
  | "decideRows"
>;

export function createRowTable(room: JournalRoom): RowMethods {
  const { database, clock } = room;
  const insert = prepareInsert(database);
  const decide = createDecide(room);

  return {
    async appendRows(runId, rows) {
      const now = clock.now();
      // A run counts for nothing until it is called planned, which is synced, and these with it.
      database.transactionUnsynced(() => {
        assertRun(room, runId);
        for (const row of rows) insert(toNewColumns(runId, row, now));
      });
    },
    async readDuplicates(runId) {
      return readDuplicates(room, runId);
    },
    async readRows(runId, { states, action, after = 0, limit }) {
      let query = database.build
        .selectFrom("run_row")
        .selectAll()
        .where("run_id", "=", selectRun(room, runId))
        .where("row_no", ">", after)
        .orderBy("row_no")
        .limit(limit);
      if (states !== undefined) query = query.where("state", "in", states);
      if (action !== undefined) query = query.where("action", "=", action);
      return database.all(query).map(toRecord);
    },
    async readDoubtedAdds(runId, limit) {
      return readDoubtedAdds(room, runId, limit);
    },
    async mustRecheck(runId) {
      const marked = selectRun(room, runId).select("must_recheck");
      return database.get(marked)?.must_recheck === 1;
    },
    async countRows(runId) {
      return countRows(room, runId);
    },
    async decideRows(runId, decisions) {
      const now = clock.now();
      database.transactionUnsynced(() => {
        assertRun(room, runId);
        for (const decision of decisions) decide(runId, decision, now);
      });
    },
  };
}

function assertRun(room: JournalRoom, runId: string): void {
  if (room.database.get(selectRun(room, runId)) === undefined) {
    throw new Error(`this store has no run ${runId}`);
  }
}

/** Moves one parsed row on, within the caller's transaction. */
function createDecide({
  database,
}: JournalRoom): (runId: string, decision: RowDecision, now: number) => void {
  const update = prepareDecision(database);
  const appendEvent = createEventLog(database);
  return (runId, decision, now) => {
    const { row, state: to } = decision;
    if (!isLegalMove("parsed", to)) throw new Error(`row ${row} of ${runId} cannot become ${to}`);
    if (update(toDecisionColumns(runId, decision, now)) !== 1) {
      throw new Error(`row ${row} of ${runId} is not waiting for a decision`);
    }
    appendEvent({ runId, row, from: "parsed", to, cause: "plan", evidence: {}, atMs: now });
  };
}

function prepareInsert(database: Database): (row: NewRowColumns) => number {
  return database.prepare<NewRowColumns>((arg) =>
    database.build.insertInto("run_row").values({
      run_id: arg("run_id"),
      row_no: arg("row_no"),
      state: "parsed",
      code: arg("code"),
      code_key: arg("code_key"),
      cells_json: arg("cells_json"),
      traits_json: arg("traits_json"),
      updated_at_ms: arg("updated_at_ms"),
    }),
  );
}

function prepareDecision(database: Database): (row: DecisionColumns) => number {
  return database.prepare<DecisionColumns>((arg) =>
    database.build
      .updateTable("run_row")
      .set({
        state: arg("state"),
        action: arg("action"),
        product_id: arg("product_id"),
        payload_json: arg("payload_json"),
        changes_json: arg("changes_json"),
        issues_json: arg("issues_json"),
        updated_at_ms: arg("updated_at_ms"),
      })
      .where("run_id", "=", arg("run_id"))
      .where("row_no", "=", arg("row_no"))
      .where("state", "=", "parsed"),
  );
}

type NewRowColumns = Pick<
  RunRowTable,
  "run_id" | "row_no" | "code" | "code_key" | "cells_json" | "traits_json" | "updated_at_ms"
>;

interface DecisionColumns extends Pick<
  RunRowTable,
  "run_id" | "row_no" | "state" | "action" | "product_id" | "payload_json" | "updated_at_ms"
> {
  readonly changes_json: string;
  readonly issues_json: string;
}

function toNewColumns(runId: string, row: ParsedRow, now: number): NewRowColumns {
  return {
    run_id: runId,
    row_no: row.row,
    code: row.code,
    code_key: row.codeKey,
    cells_json: toJson(row.cells),
    traits_json: row.traits === undefined ? null : toJson(row.traits),
    updated_at_ms: now,
  };
}

function toDecisionColumns(runId: string, decision: RowDecision, now: number): DecisionColumns {
  return {
    run_id: runId,
    row_no: decision.row,
    state: decision.state,
    action: decision.action,
    product_id: decision.productId,
    payload_json: decision.payload === null ? null : toJson(decision.payload),
    changes_json: toJson(decision.changes),
    issues_json: toJson(decision.issues),
    updated_at_ms: now,
  };
}

/** A row of the table as the runs package knows it. */
export function toRecord(columns: Selectable<RunRowTable>): RowRecord {
  return {
    row: columns.row_no,
    cells: fromJson(columns.cells_json),
    traits: columns.traits_json === null ? undefined : fromJson(columns.traits_json),
    code: columns.code,
    codeKey: columns.code_key,
    state: columns.state,
    action: columns.action,
    productId: columns.product_id,
    payload: columns.payload_json === null ? null : fromJson(columns.payload_json),
    changes: fromJson(columns.changes_json),
    issues: fromJson(columns.issues_json),
    attempts: columns.attempts,
    note: columns.note,
    updatedAtMs: columns.updated_at_ms,
  };
}

function readDoubtedAdds(room: JournalRoom, runId: string, limit: number): RowRecord[] {
  const { build } = room.database;
  const doubted = build
    .selectFrom("event")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("to_state", "=", "ambiguous");
  const done = build
    .selectFrom("run_row")
    .selectAll()
    .where("run_id", "=", selectRun(room, runId))
    .where("state", "=", "done")
    .where("action", "=", "add")
    .where("row_no", "in", doubted)
    .orderBy("row_no")
    .limit(limit);
  return room.database.all(done).map(toRecord);
}

function countRows(room: JournalRoom, runId: string): StateCount[] {
  return room.database.all(
    room.database.build
      .selectFrom("run_row")
      .select(["state", "action", (select) => select.fn.countAll<number>().as("rows")])
      .where("run_id", "=", selectRun(room, runId))
      .groupBy(["state", "action"]),
  );
}

function readDuplicates(room: JournalRoom, runId: string): DuplicateCode[] {
  const groups = room.database.all(
    room.database.build
      .selectFrom("run_row")
      .select([
        sql<string>`json_group_array(row_no)`.as("rows_json"),
        sql<number>`count(DISTINCT cells_json)`.as("kinds"),
      ])
      .where("run_id", "=", selectRun(room, runId))
      .where("code_key", "is not", null)
      .groupBy("code_key")
      .having((having) => having.fn.countAll<number>(), ">", 1),
  );
  return groups.map(({ rows_json, kinds }) => ({
    rows: fromJson<number[]>(rows_json).toSorted((a, b) => a - b),
    identical: kinds === 1,
  }));
}
