/**
 * The ledger: which product codes are taken, which requests may be under way, and how each ended. It
 * outlives the runs, because a product cannot be deleted.
 */

import {
  FEED_COMMAND,
  type Ledger,
  type RowKey,
  RowMovedError,
  type RowRecord,
} from "@catalog/runs";
import { sql } from "kysely";

import { DatabaseError } from "../errors.ts";
import type { LeasedDatabase } from "../locks/leases.ts";
import { eachStep, inSavepoints, isFileDatabase, type Steps } from "../sql/database.ts";
import { fromJson, toLiteral } from "../sql/queries.ts";
import { PRODUCT_KINDS } from "./actions.ts";
import { createFileBeginnings, createLeasedBeginnings, createStart } from "./begin-sending.ts";
import {
  createInFlightMarkers,
  createSenderMarkers,
  type InFlightMarkers,
  markersPath,
  NO_MARKERS,
  NO_SENDERS,
  type SenderMarkers,
} from "./markers.ts";
import { selectRecords, type ToRecord } from "./read-rows.ts";
import {
  createTransitions,
  type JournalContext,
  selectRun,
  type Transitions,
} from "./transitions.ts";

type RowMove = Parameters<Ledger["recordOutcomes"]>[0][number];
type RowOutcome = RowMove["outcome"];
type CopySuspicion = Awaited<ReturnType<Ledger["readCopySuspicion"]>>;

/** Resolves once the outcome is written; rejects with the error that prevented it. */
type RecordOutcome = (outcome: RowMove) => Promise<void>;

interface WaitingOutcome {
  readonly outcome: RowMove;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How one outcome is written within a transaction. */
interface OutcomeWrites {
  readonly write: (outcome: RowMove) => Steps<void>;
  /** Uses the outcome of a request whose sender has lost its lease; returns whether it could. */
  readonly useLate: (outcome: RowMove) => Steps<boolean>;
}

/**
 * Creates the writer of outcomes. Those that become known in the same turn of the event loop share one
 * commit; each promise settles when its own outcome is written.
 */
function createOutcomes(
  database: LeasedDatabase,
  { write, useLate }: OutcomeWrites,
): RecordOutcome {
  let waiting: readonly WaitingOutcome[] = [];

  const writeGroup = function* writeGroup(group: readonly WaitingOutcome[]) {
    const written = yield* inSavepoints(database, group, ({ outcome }) => write(outcome));
    // A row that is not as it was sent may be that of an older copy.
    if (written.some(({ status }) => status === "rejected")) yield* database.assertCurrent();
    return written;
  };
  const writeAll = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    try {
      // A power cut that loses an outcome leaves its row `sending`, which is looked up; the next
      // start of a request, or the end of the run, syncs the outcome.
      const written = await database.transactionUnsynced(() => writeGroup(group));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = written[index];
        if (result?.status === "fulfilled") resolve();
        else reject(result?.reason);
      }
    } catch (error) {
      const isLost = error instanceof DatabaseError && error.code === "E_LEASE_LOST";
      const late = isLost ? await settleLate(database, group, useLate) : [];
      for (const [index, { resolve, reject }] of group.entries()) {
        if (late[index] === true) resolve();
        else reject(error);
      }
    }
  };

  return (outcome) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // `setImmediate` runs after all answers that have already come in.
    if (waiting.length === 0) setImmediate(() => void writeAll());
    waiting = [...waiting, { outcome, resolve, reject }];
    return promise;
  };
}

/** Says of each outcome whether it could be used although the lease is lost. */
async function settleLate(
  { unleased }: LeasedDatabase,
  group: readonly WaitingOutcome[],
  useLate: OutcomeWrites["useLate"],
): Promise<readonly boolean[]> {
  try {
    const used = await unleased.transactionUnsynced(() =>
      inSavepoints(unleased, group, ({ outcome }) => useLate(outcome)),
    );
    return used.map((result) => result.status === "fulfilled" && result.value);
  } catch {
    // The first error is reported: the new owner looks the rows up.
    return [];
  }
}

type LedgerMethods = Pick<
  Ledger,
  | "claimsFirst"
  | "claim"
  | "beginSending"
  | "mayLeave"
  | "recordOutcome"
  | "recordOutcomes"
  | "recover"
  | "readAmbiguous"
  | "readHeldAdds"
  | "readHeldActions"
>;

export function createLedger(context: JournalContext, toRecord: ToRecord): LedgerMethods {
  const { database } = context;
  const moves = createTransitions(context);
  const readRecords = createReadRecords(context, toRecord);
  const begin = createStart(context, moves);
  const markers = openMarkers(context);
  const senders = openSenders(context);
  const beginnings = isFileDatabase(database)
    ? createFileBeginnings({ ...context, database, markers }, begin)
    : createLeasedBeginnings(context, { begin, senders });
  return {
    ...beginnings,
    ...createRecordOutcome(context, moves),
    async recover() {
      const recovered = await database.transaction(() =>
        recover(context, moves, { markers, senders }),
      );
      await database.transaction(function* clear() {
        if ((yield* readOpRows(context, "sending", "all")).length === 0) markers.clear();
      });
      senders.removeDead();
      return recovered;
    },
    readAmbiguous: (limit) => database.execute(readRecords(readFirstAmbiguous(context, limit))),
    readHeldAdds: (limit) => database.execute(readRecords(readHeld(context, "adds", limit))),
    readHeldActions: (limit) => database.execute(readRecords(readHeld(context, "actions", limit))),
  };
}

function openMarkers({ database, store, markers }: JournalContext): InFlightMarkers {
  if (!isFileDatabase(database)) return NO_MARKERS;
  return markers ?? createInFlightMarkers(markersPath({ databasePath: database.path, store }));
}

function createRecordOutcome(
  context: JournalContext,
  moves: Transitions,
): Pick<Ledger, "recordOutcome" | "recordOutcomes"> {
  const { database, clock } = context;
  const write = function* write({ key, outcome }: RowMove): Steps<void> {
    if (yield* moves.tryEnd(key, outcome, clock.now())) return;
    throw new RowMovedError(key, key.from);
  };
  const useLate = (late: RowMove): Steps<boolean> => useLateAnswer(moves, late, clock.now());
  const recordOutcome = createOutcomes(database, { write, useLate });
  return {
    async recordOutcome(key, outcome) {
      assertNotBegun({ key, outcome });
      // A person's decision cannot be found again from the store, so its commit is synced.
      if (key.from === "sending") await recordOutcome({ key, outcome });
      else await database.transaction(() => write({ key, outcome }));
    },
    async recordOutcomes(rows) {
      for (const row of rows) assertNotBegun(row);
      await database.transaction(() => eachStep(rows, write));
    },
  };
}

function assertNotBegun({ key, outcome }: RowMove): void {
  if (outcome.to !== "sending") return;
  throw new Error(`row ${key.row} of ${key.runId} can only begin to be sent`);
}

/**
 * Uses an answer that came after another machine had taken over: it still settles the row, as long
 * as nobody has begun it again. Returns whether it did.
 */
function* useLateAnswer(
  moves: Transitions,
  { key: { attempt, ...key }, outcome }: RowMove,
  nowMs: number,
): Steps<boolean> {
  // Only an answer that the row was carried out says more than what a lookup will find.
  const isStock = outcome.cause === "stock-sent";
  if (!(outcome.to === "done" || isStock) || attempt === undefined) return false;
  // The new owner has recovered the row, or is about to.
  if (yield* moves.tryEnd({ ...key, attempt }, outcome, nowMs)) return true;
  const late = isStock ? outcome : ({ ...outcome, cause: "late-answer" } as const);
  return yield* moves.tryEnd({ ...key, attempt, from: "ambiguous" }, late, nowMs);
}

function* recover(
  context: JournalContext,
  moves: Transitions,
  { markers, senders }: Markers,
): Steps<number> {
  const found = yield* readOpRows(context, "sending");
  // A marker is written after its row was synced, so a marker without its row means an older copy.
  const isOld = yield* lacksMarked(context, markers.readMarked());
  if (isOld) yield* markForRecheck(context);
  const isUnsent = isOld ? () => false : markers.readUnsent();
  for (const key of found) {
    const isProven = isUnsent(key) || senders.isUnsent(yield* readSender(context, key), key);
    const outcome = isProven ? UNSENT : UNKNOWN;
    if (!(yield* moves.tryEnd({ ...key, from: "sending" }, outcome, null))) {
      throw new Error(`row ${key.row} of ${key.runId} is not sending`);
    }
  }
  return found.length;
}

interface Markers {
  readonly markers: InFlightMarkers;
  readonly senders: SenderMarkers;
}

/** Markers of a store where the database is a server; those of syncs are apart, as their leases are. */
const openSenders = ({ database, markersFolder, store, runKind }: JournalContext): SenderMarkers =>
  isFileDatabase(database) || markersFolder === undefined
    ? NO_SENDERS
    : createSenderMarkers({ folder: markersFolder, prefix: `${store}-${runKind}` });

/** The process that began the request of the row, as its claim names it. */
function* readSender({ database }: JournalContext, { runId, row }: RowKey): Steps<unknown> {
  if (isFileDatabase(database)) return undefined;
  const begun = yield* database.get(
    database.build
      .selectFrom("event")
      .select("evidence_json")
      .where("run_id", "=", runId)
      .where("row_no", "=", row)
      .where("to_state", "=", "sending")
      .orderBy("seq", "desc")
      .limit(1),
  );
  return begun && fromJson<{ readonly sender?: unknown }>(begun.evidence_json).sender;
}

function* lacksMarked(context: JournalContext, marked: readonly RowKey[]): Steps<boolean> {
  for (const key of marked) if (!(yield* hasOp(context, key))) return true;
  return false;
}

/** Outcome of a row that is found `sending`: its process died before the answer was recorded. */
const UNKNOWN: RowOutcome = { to: "ambiguous", cause: "recovery" };
const UNSENT: RowOutcome = {
  to: "ready",
  cause: "recovery-unsent",
  evidence: { rule: "the process died before the mark that comes before the first byte" },
};

function* readFirstAmbiguous(context: JournalContext, limit: number): Steps<readonly RowKey[]> {
  return (yield* readOpRows(context, "ambiguous")).slice(0, limit);
}

function* readOpRows(
  { database, store, runKind }: JournalContext,
  state: "sending" | "ambiguous",
  of: "kind" | "all" = "kind",
): Steps<RowKey[]> {
  const isFeed = runKind === "feeds" ? ("=" as const) : ("<>" as const);
  const found = yield* database.all(
    database.build
      .selectFrom("op")
      .innerJoin("run", "run.id", "op.run_id")
      .select(["run_id", "row_no"])
      .where("op.store", "=", store)
      .$if(of === "kind", (query) => query.where("run.command", isFeed, FEED_COMMAND))
      // Both states are literals, so that SQLite uses the partial index of open requests.
      .where("op.state", "in", [toLiteral("sending"), toLiteral("ambiguous")])
      .where("op.state", "=", state)
      .orderBy("begun_at_ms")
      .orderBy("run_id")
      .orderBy("row_no"),
  );
  return found.map(({ run_id, row_no }) => ({ runId: run_id, row: row_no }));
}

/** Requests of archived runs were written down, too, though some are deleted since. */
function* hasOp({ database }: JournalContext, { runId, row }: RowKey): Steps<boolean> {
  const { build } = database;
  const op = build.selectFrom("op").select("row_no").where("run_id", "=", runId);
  const archived = build.selectFrom("run_archive").select("run_id").where("run_id", "=", runId);
  return (
    (yield* database.get(op.where("row_no", "=", row))) !== undefined ||
    (yield* database.get(archived)) !== undefined
  );
}

/**
 * Marks runs whose ready rows another copy may have sent; the store must be read before they are
 * sent.
 */
function* markForRecheck({ database, store }: JournalContext): Steps<void> {
  const { build } = database;
  const next = sql<number>`(SELECT coalesce(max(seq), 0) + 1 FROM event)`;
  yield* database.run(
    build.updateTable("run").set({ must_recheck: next }).where("store", "=", store),
  );
  yield* database.run(build.updateTable("copy").set({ doubted_seq: next }));
}

function* readHeld(
  { database, store }: JournalContext,
  kind: "adds" | "actions",
  limit: number,
): Steps<readonly RowKey[]> {
  const found = yield* database.all(
    database.build
      .selectFrom("op")
      // A refused add may keep its code though its row is over.
      .innerJoin("run_row", (join) =>
        join.onRef("run_row.run_id", "=", "op.run_id").onRef("run_row.row_no", "=", "op.row_no"),
      )
      .select(["op.run_id", "op.row_no"])
      .where("op.store", "=", store)
      // Literals, so that SQLite uses the partial indexes of held requests.
      .$if(kind === "adds", (query) => query.where("op.kind", "=", toLiteral("add")))
      .$if(kind === "actions", (query) => query.where("op.kind", "not in", PRODUCT_KINDS))
      .where("op.state", "=", toLiteral("held"))
      .where("run_row.state", "=", toLiteral("held"))
      .orderBy("op.begun_at_ms")
      .orderBy("op.row_no")
      .limit(limit),
  );
  return found.map(({ run_id, row_no }) => ({ runId: run_id, row: row_no }));
}

type KeyedRecord = RowKey & { readonly record: RowRecord };

function createReadRecords(
  context: JournalContext,
  toRecord: ToRecord,
): (keys: Steps<readonly RowKey[]>) => Steps<readonly KeyedRecord[]> {
  const readRecord = function* readRecord({ runId, row }: RowKey): Steps<KeyedRecord> {
    const found = yield* context.database.get(
      selectRecords(context.database)
        .where("run_row.run_id", "=", selectRun(context, runId))
        .where("run_row.row_no", "=", row),
    );
    if (found === undefined) throw new Error(`this store has no row ${row} of a run ${runId}`);
    return { runId, row, record: yield* toRecord(found) };
  };
  return function* readRecords(keys) {
    return yield* eachStep(yield* keys, readRecord);
  };
}

type CopySuspicionMethods = Pick<
  Ledger,
  "mustRecheck" | "readCopySuspicion" | "readWaitingElsewhere" | "acceptCopy"
>;

export function createCopySuspicion(context: JournalContext): CopySuspicionMethods {
  const { database } = context;
  const { build } = database;
  return {
    async mustRecheck(runId) {
      const marked = selectRun(context, runId).select("must_recheck");
      return ((await database.execute(database.get(marked)))?.must_recheck ?? 0) > 0;
    },
    readCopySuspicion: (runId) => database.execute(readCopySuspicion(context, runId)),
    readWaitingElsewhere: (runId) => database.execute(readWaitingElsewhere(context, runId)),
    async acceptCopy() {
      await database.transaction(() =>
        database.run(build.updateTable("copy").set({ doubted_seq: 0 })),
      );
    },
  };
}

function* readCopySuspicion(context: JournalContext, runId: string): Steps<CopySuspicion> {
  const { database } = context;
  const run = yield* database.get(selectRun(context, runId).select("must_recheck"));
  const copy = yield* database.get(database.build.selectFrom("copy").select("doubted_seq"));
  // A run that was planned after an older copy was put in place was planned from that copy.
  const restoredSeq = run?.must_recheck || copy?.doubted_seq || null;
  return { restoredSeq, lastBegun: yield* readLastBegun(context, runId) };
}

function* readWaitingElsewhere(
  context: JournalContext,
  runId: string,
): Steps<Awaited<ReturnType<Ledger["readWaitingElsewhere"]>>> {
  const others = yield* readUnfinished(context, runId);
  const found = yield* eachStep(others, function* readOne(other) {
    const lastBegun = yield* readLastBegun(context, other);
    if (lastBegun === null) return [];
    return (yield* readShared(context, runId, other)).map((row) => ({ row, lastBegun }));
  });
  return found.flat();
}

/** Other runs of the store that have adds waiting. */
function* readUnfinished(
  { database, store }: JournalContext,
  runId: string,
): Steps<readonly string[]> {
  const found = yield* database.all(
    database.build
      .selectFrom("run")
      .select("id")
      .where("store", "=", store)
      .where("id", "<>", runId)
      // No row of an archived run waits.
      .where("archive_at_ms", "is not", null)
      .where((where) =>
        where.exists(
          where
            .selectFrom("run_row")
            .select("row_no")
            .whereRef("run_row.run_id", "=", "run.id")
            .where("run_row.state", "in", WAITING)
            .where("run_row.action", "=", "add"),
        ),
      ),
  );
  return found.map(({ id }) => id);
}

const WAITING = ["ready", "held"] as const;

/** Ready adds of the run whose code waits in the other run and was never sent there. */
function* readShared(
  { database }: JournalContext,
  runId: string,
  other: string,
): Steps<readonly number[]> {
  const found = yield* database.all(
    database.build
      .selectFrom("run_row as mine")
      .innerJoin("run_row as theirs", "theirs.code_key", "mine.code_key")
      .select("mine.row_no")
      .distinct()
      .where("mine.run_id", "=", runId)
      .where("mine.state", "=", "ready")
      .where("mine.action", "=", "add")
      .where("theirs.run_id", "=", other)
      // Literals, so that SQLite uses the partial index of adds that wait.
      .where("theirs.state", "in", WAITING.map(toLiteral))
      .where("theirs.action", "=", toLiteral("add"))
      .orderBy("mine.row_no"),
  );
  return found.map(({ row_no }) => row_no);
}

function* readLastBegun(context: JournalContext, runId: string): Steps<CopySuspicion["lastBegun"]> {
  const last = yield* context.database.get(
    context.database.build
      .selectFrom("event")
      .select(["at_ms", "evidence_json"])
      .where("run_id", "=", selectRun(context, runId))
      .where("to_state", "=", "sending")
      .orderBy("seq", "desc")
      .limit(1),
  );
  if (last === undefined) return null;
  const { serverMs } = fromJson<{ readonly serverMs?: unknown }>(last.evidence_json);
  return { atMs: last.at_ms, serverMs: typeof serverMs === "number" ? serverMs : null };
}
