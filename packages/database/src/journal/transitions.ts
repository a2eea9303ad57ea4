/**
 * Moves of a row and its request, and the log of them. Events are only ever appended; the database
 * refuses other changes.
 */

import type { Clock } from "@catalog/clock";
import {
  type Ledger,
  type RowEvent,
  type RowKey,
  RowMovedError,
  type RowState,
  STATE_TABLE,
} from "@catalog/runs";
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";

import type { LeasedDatabase, Leases } from "../locks/leases.ts";
import { type Database, type Queries, type Steps, together } from "../sql/database.ts";
import { dialectFunctions, fromJson, toJson, toJsonList } from "../sql/queries.ts";
import type { ProductId, Schema } from "../sql/schema.ts";
import { type FinalRows, toPlanEvent } from "./final-rows.ts";
import type { InFlightMarkers } from "./markers.ts";

type RowOutcome = Parameters<Ledger["recordOutcome"]>[1];

/**
 * Kind of the runs that a journal works for: runs of feeds run beside the others, so each kind
 * recovers and reconciles only its own rows.
 */
export type RunKind = "runs" | "feeds";

/** What code needs that makes steps of a transaction of its caller's. */
interface StepsContext {
  readonly database: Queries & Pick<Database, "dialect">;
  readonly clock: Clock;
  /** Number of the store in the `store` table. */
  readonly store: number;
}

/** The context that every part of a journal gets. */
export interface JournalContext extends StepsContext {
  readonly database: LeasedDatabase;
  /** Kind of the runs whose open requests are recovered and reconciled. */
  readonly runKind: RunKind;
  /** Markers of a file's requests that may have left. @default in a file beside the database */
  readonly markers?: InFlightMarkers | undefined;
  /** Folder of the markers where the database is a server. @default nothing is proven */
  readonly markersFolder?: string | undefined;
  /** Leases of this process; where the database is a file, locks of the system stand for them. */
  readonly leases?: Pick<Leases, "held" | "assertHeld"> | undefined;
}

/**
 * Selects the run's id, or nothing when the run belongs to another store. Every query for rows
 * compares with it, so that no journal reads or moves a row of another store.
 */
export function selectRun(
  { database, store }: Pick<StepsContext, "database" | "store">,
  runId: string,
): SelectQueryBuilder<Schema, "run", { id: string }> {
  return database.build
    .selectFrom("run")
    .select("id")
    .where("id", "=", runId)
    .where("store", "=", store);
}

/** Returns the function that says whether a run belongs to the store, for code that asks often. */
export function prepareHasRun(context: JournalContext): (runId: string) => Steps<boolean> {
  const find = context.database.prepareGet<{ readonly runId: string }, object>((arg) =>
    selectRun(context, arg("runId")),
  );
  // No run is ever deleted, and code asks for the same one again and again.
  let known: string | undefined;
  return function* hasRun(runId) {
    if (runId === known) return true;
    const isOurs = (yield* find({ runId })) !== undefined;
    if (isOurs) known = runId;
    return isOurs;
  };
}

interface MoveEvent extends RowKey {
  readonly from: RowState;
  readonly to: RowState;
  readonly cause: RowOutcome["cause"];
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

type AppendEvent = (event: MoveEvent) => Steps<number>;

/**
 * Appends an event within the caller's transaction. The event of a plan is appended by the database
 * itself, with the row.
 */
function createEventLog(database: Queries): AppendEvent {
  const insert = database.prepareInsert("event", [
    "run_id",
    "row_no",
    "from_state",
    "to_state",
    "cause",
    "evidence_json",
    "at_ms",
  ]);
  return ({ runId, row, from, to, cause, evidence, atMs }) =>
    insert([
      {
        run_id: runId,
        row_no: row,
        from_state: from,
        to_state: to,
        cause,
        evidence_json: toJson(evidence),
        at_ms: atMs,
      },
    ]);
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

/** A row, and the state that the caller takes it to be in. */
type Transition = Parameters<Ledger["recordOutcome"]>[0];

export interface Transitions {
  /** Moves a row and appends the event; throws when the row is in another state. */
  move(key: Transition, outcome: RowOutcome): Steps<void>;
  /**
   * Does the same, and ends or moves the row's open request, where it has one; `endedAtMs` is `null`
   * where it continues. Returns `false` when the row is in another state, or was begun again.
   */
  tryEnd(key: Transition, outcome: RowOutcome, endedAtMs: number | null): Steps<boolean>;
}

export function createTransitions(context: StepsContext): Transitions {
  const { database, clock } = context;
  const appendEvent = createEventLog(database);
  const moveRow = prepareMove(context);
  const moveOp = prepareOpMove(context);
  /** Returns the steps that append the event; `undefined` where the row was not moved. */
  const tryMove = function* tryMove(
    key: Transition,
    outcome: RowOutcome,
  ): Steps<Steps<unknown> | undefined> {
    const { runId, row, from, attempt = null } = key;
    const { to, cause, productId = null, note, issues, changes, evidence = {} } = outcome;
    if (!STATE_TABLE.isLegal(from, to)) {
      throw new Error(`row ${row} of ${runId} may not go from ${from} to ${to}`);
    }
    const atMs = clock.now();
    const moved = yield* moveRow({
      runId,
      row,
      from,
      attempt,
      to,
      productId,
      atMs,
      begins: to === "sending" ? 1 : 0,
      isNoted: note === undefined ? 0 : 1,
      note: note ?? null,
      issues: orNull(issues),
      changes: orNull(changes),
    });
    if (moved !== 1) return undefined;
    return appendEvent({ runId, row, from, to, cause, evidence, atMs });
  };
  return {
    *move(key, outcome) {
      const event = yield* tryMove(key, outcome);
      if (event === undefined) throw new RowMovedError(key, key.from);
      yield* event;
    },
    *tryEnd(key, outcome, settledAtMs) {
      const event = yield* tryMove(key, outcome);
      if (event === undefined) return false;
      const { runId, row } = key;
      const { productId = null } = outcome;
      const end = moveOp({ runId, row, to: toOpState(outcome), productId, settledAtMs });
      yield* together([event, end]);
      return true;
    },
  };
}

/** A request that was carried out is done, though the rest of its row waits. */
function toOpState({ to, cause, keepsCode = false }: RowOutcome): RowState {
  if (cause === "stock-sent") return "done";
  return keepsCode ? "held" : to;
}

const orNull = (list: readonly unknown[] | undefined): string | null =>
  list === undefined ? null : toJsonList(list);

interface MoveColumns extends RowKey {
  readonly from: RowState;
  readonly to: RowState;
  /** `null` stands for any attempt. */
  readonly attempt: number | null;
  /** 1 adds one attempt. */
  readonly begins: 0 | 1;
  /** `null` keeps the row's own value, as it does for `issues` and `changes`. */
  readonly productId: ProductId | null;
  readonly issues: string | null;
  readonly changes: string | null;
  readonly isNoted: 0 | 1;
  readonly note: string | null;
  readonly atMs: number;
}

function prepareMove(context: StepsContext): (move: MoveColumns) => Steps<number> {
  const { asInteger } = dialectFunctions(context.database.dialect);
  return context.database.prepare<MoveColumns>((arg) =>
    context.database.build
      .updateTable("run_row")
      .set({
        state: arg("to"),
        updated_at_ms: arg("atMs"),
        attempts: sql`attempts + ${arg("begins")}`,
        product_id: sql`coalesce(${arg("productId")}, product_id)`,
        issues_json: sql`coalesce(${arg("issues")}, issues_json)`,
        changes_json: sql`coalesce(${arg("changes")}, changes_json)`,
        note: sql`CASE WHEN ${asInteger(arg("isNoted"))} = 1 THEN ${arg("note")} ELSE note END`,
      })
      .where("run_id", "=", selectRun(context, arg("runId")))
      .where("row_no", "=", arg("row"))
      .where("state", "=", arg("from"))
      .where("attempts", "=", sql<number>`coalesce(${arg("attempt")}, attempts)`),
  );
}

interface OpMove extends RowKey {
  readonly to: RowState;
  /** `null` keeps the request's own value. */
  readonly productId: ProductId | null;
  readonly settledAtMs: number | null;
}

function prepareOpMove({ database }: StepsContext): (move: OpMove) => Steps<number> {
  return database.prepare<OpMove>((arg) =>
    database.build
      .updateTable("op")
      .set({
        state: arg("to"),
        settled_at_ms: arg("settledAtMs"),
        product_id: sql`coalesce(${arg("productId")}, product_id)`,
      })
      .where("run_id", "=", arg("runId"))
      .where("row_no", "=", arg("row"))
      // A request that is `ready` is over, because nothing of it left. Its row may be held because
      // another row has taken the code, and must not take it back. One that is `done` stays so when
      // the rest of its row moves on.
      .where("state", "not in", ["ready", "done"]),
  );
}
