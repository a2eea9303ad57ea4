/**
 * The log of moves and lookups. Events are only ever appended; the database refuses other changes.
 */

import type { Cause, RowEvent, RowKey, RowState, Ledger } from "@catalog/runs";

import { fromJson, toJson } from "../sqlite/json.ts";
import type { Schema } from "../sqlite/schema.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { type JournalContext, selectRun } from "./context.ts";
import { type FinalRows, toPlanEvent } from "./final-rows.ts";

export interface MoveEvent extends RowKey {
  readonly from: RowState;
  readonly to: RowState;
  readonly cause: Cause;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export type AppendEvent = (event: MoveEvent) => void;

/**
 * Appends an event within the caller's transaction. The event of a plan is appended by the database
 * itself, with the row.
 */
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

type EventMethods = Pick<Ledger, "recordLookup" | "readEvents">;

/** Reads the events of a row, and records lookups, which move nothing. */
export function createEventReader(
  context: JournalContext,
  finals: Pick<FinalRows, "find">,
): EventMethods {
  const { database, clock } = context;
  const append = createEventLog(database);
  return {
    async recordLookup({ runId, row, state }, evidence) {
      database.transaction(() => {
        const found = database.get(
          database.build
            .selectFrom("run_row")
            .select("state")
            .where("run_id", "=", selectRun(context, runId))
            .where("row_no", "=", row),
        );
        if (found?.state !== state) throw new Error(`row ${row} of ${runId} is not ${state}`);
        append({ runId, row, from: state, to: state, cause: "look", evidence, atMs: clock.now() });
      });
    },
    async readEvents(key) {
      const events = readEvents(context, key);
      return events.length > 0 ? events : readPlanEvent(context, key, finals);
    },
  };
}

/** Reads the event of a row in a final state, which has no other. */
function readPlanEvent(
  context: JournalContext,
  { runId, row }: RowKey,
  finals: Pick<FinalRows, "find">,
): RowEvent[] {
  if (context.database.get(selectRun(context, runId)) === undefined) return [];
  const found = finals.find(runId, row);
  return found === undefined ? [] : [toPlanEvent(runId, found)];
}

function readEvents(context: JournalContext, { runId, row }: RowKey): RowEvent[] {
  return context.database
    .all(
      context.database.build
        .selectFrom("event")
        .selectAll()
        .where("run_id", "=", selectRun(context, runId))
        .where("row_no", "=", row)
        .orderBy("seq"),
    )
    .map((event) => ({
      runId: event.run_id,
      row: event.row_no,
      seq: event.seq,
      from: event.from_state,
      to: event.to_state,
      cause: event.cause,
      evidence: fromJson(event.evidence_json),
      atMs: event.at_ms,
    }));
}
