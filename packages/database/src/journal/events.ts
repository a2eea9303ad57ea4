/**
 * The log of moves and lookups. Events are only ever appended; the database refuses other changes.
 */

import {
  type Cause,
  type Ledger,
  type RowEvent,
  type RowKey,
  RowMovedError,
  type RowState,
} from "@catalog/runs";
import type { Selectable } from "kysely";

import type { Queries } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/json.ts";
import type { Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";
import { type JournalContext, selectRun } from "./context.ts";
import { type FinalRows, toPlanEvent } from "./final-rows.ts";

export interface MoveEvent extends RowKey {
  readonly from: RowState;
  readonly to: RowState;
  readonly cause: Cause;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export type AppendEvent = (event: MoveEvent) => Steps<number>;

/**
 * Appends an event within the caller's transaction. The event of a plan is appended by the database
 * itself, with the row.
 */
export function createEventLog(database: Queries): AppendEvent {
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
  return ({ runId, row, from, to, cause, evidence, atMs }) =>
    insert({
      run_id: runId,
      row_no: row,
      from_state: from,
      to_state: to,
      cause,
      evidence_json: toJson(evidence),
      at_ms: atMs,
    });
}

type EventMethods = Pick<Ledger, "recordLookup"> & {
  readEvents(key: RowKey): Steps<readonly RowEvent[]>;
};

/** Reads the events of a row, and records lookups, which move nothing. */
export function createEventReader(
  context: JournalContext,
  finals: Pick<FinalRows, "find">,
): EventMethods {
  const { database, clock } = context;
  const append = createEventLog(database);
  return {
    async recordLookup({ runId, row, state }, evidence) {
      await database.transaction(function* record() {
        const found = yield* database.get(
          database.build
            .selectFrom("run_row")
            .select("state")
            .where("run_id", "=", selectRun(context, runId))
            .where("row_no", "=", row),
        );
        if (found?.state !== state) throw new RowMovedError({ runId, row }, state);
        const atMs = clock.now();
        yield* append({ runId, row, from: state, to: state, cause: "look", evidence, atMs });
      });
    },
    readEvents: (key) => readEvents(context, key, finals),
  };
}

/** A row in a final state has only the event of the plan, which is kept with it. */
function* readEvents(
  context: JournalContext,
  key: RowKey,
  finals: Pick<FinalRows, "find">,
): Steps<readonly RowEvent[]> {
  const events = yield* readMoves(context, key);
  return events.length > 0 ? events : yield* readPlanEvent(context, key, finals);
}

function* readPlanEvent(
  context: JournalContext,
  { runId, row }: RowKey,
  finals: Pick<FinalRows, "find">,
): Steps<readonly RowEvent[]> {
  if ((yield* context.database.get(selectRun(context, runId))) === undefined) return [];
  const found = yield* finals.find(runId, row);
  return found === undefined ? [] : [toPlanEvent(runId, found)];
}

function* readMoves(context: JournalContext, { runId, row }: RowKey): Steps<readonly RowEvent[]> {
  const events = yield* context.database.all(
    context.database.build
      .selectFrom("event")
      .selectAll()
      .where("run_id", "=", selectRun(context, runId))
      .where("row_no", "=", row)
      .orderBy("seq"),
  );
  return events.map((event) => toRowEvent(runId, event));
}

type EventColumns = Omit<Selectable<Schema["event"]>, "run_id">;

/** Converts an event of a run, from its table or from the archive. */
export const toRowEvent = (runId: string, event: EventColumns): RowEvent => ({
  runId,
  row: event.row_no,
  seq: event.seq,
  from: event.from_state,
  to: event.to_state,
  cause: event.cause,
  evidence: fromJson(event.evidence_json),
  atMs: event.at_ms,
});
