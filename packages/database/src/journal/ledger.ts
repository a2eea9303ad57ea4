/**
 * The ledger: which product codes are taken, which requests may be under way, and how each ended.
 * It outlives the runs, because a product cannot be deleted.
 */

import {
  type Claim,
  FEED_COMMAND,
  type Ledger,
  type RowKey,
  type RowRecord,
  type RowOutcome,
} from "@catalog/runs";
import { sql } from "kysely";

import { toLiteral } from "../sqlite/literals.ts";
import { inSavepoints } from "../sqlite/savepoints.ts";
import { createStart } from "./begin-sending.ts";
import { type JournalContext, selectRun } from "./context.ts";
import { createInFlightMarkers, type InFlightMarkers } from "./in-flight-markers.ts";
import { createOutcomes, type PendingOutcome } from "./outcomes.ts";
import { selectRecords, type ToRecord } from "./row-records.ts";
import { createTransitions, type Transitions } from "./transitions.ts";

type LedgerMethods = Pick<
  Ledger,
  "claim" | "beginSending" | "recordOutcome" | "recover" | "readAmbiguous" | "readHeldAdds"
>;

export function createLedger(context: JournalContext, toRecord: ToRecord): LedgerMethods {
  const { database } = context;
  const moves = createTransitions(context);
  const readRecords = createReadRecords(context, toRecord);
  const markers = createInFlightMarkers({ databasePath: database.path, store: context.store });
  return {
    ...createBeginnings(context, moves, markers),
    recordOutcome: createRecordOutcome(context, moves),
    async recover() {
      const recovered = database.transaction(() => recover(context, moves, markers));
      database.transaction(() => {
        if (readOpRows(context, "sending", "all").length === 0) markers.clear();
      });
      return recovered;
    },
    async readAmbiguous(limit) {
      return readRecords(readOpRows(context, "ambiguous").slice(0, limit));
    },
    async readHeldAdds(limit) {
      return readRecords(readHeldAdds(context, limit));
    },
  };
}

function createBeginnings(
  context: JournalContext,
  moves: Transitions,
  markers: InFlightMarkers,
): Pick<Ledger, "claim" | "beginSending"> {
  const { database } = context;
  const begin = createStart(context, moves);
  const noteSent = createSentNote(context);
  const isSending = prepareIsSending(context);
  const assertSending = (claim: Claim): void => {
    if (isSending(claim)) return;
    throw new Error(`row ${claim.row} of ${claim.runId} was recovered by another process`);
  };
  return {
    async claim(rows) {
      const claimed = database.transaction(() => {
        // Checked here, so that space freed for outcomes is never used for a new request.
        database.assertDiskSpace();
        return inSavepoints(database, rows, begin);
      });
      return rows.map(({ runId, row }, index) => {
        const result = claimed[index];
        // `beginSending` tells why a row could not be claimed.
        if (result?.status !== "fulfilled" || result.value === "taken") return undefined;
        return { runId, row, attempt: result.value };
      });
    },
    beginSending({ attempt: claimed, ...key }, evidence) {
      const beginAlone = (): number | "taken" =>
        database.transaction(() => {
          database.assertDiskSpace();
          return begin({ ...key, evidence });
        });
      const attempt = claimed ?? beginAlone();
      if (attempt === "taken") return attempt;
      markers.write(key);
      // Another process that recovered the row before the marker was written may send it, so we
      // must not.
      database.transaction(() => assertSending({ ...key, attempt }));
      noteSent();
      return "begun";
    },
  };
}

/**
 * A copy made between two notes is not detected, which is accepted: it would have to be made within
 * this time, in milliseconds.
 */
const NOTE_EVERY_MS = 1_000;

function createSentNote({ database, clock }: JournalContext): () => void {
  let notedMs = -Infinity;
  return () => {
    const ageMs = clock.now() - notedMs;
    // A clock that was put back must not delay the note.
    if (ageMs >= 0 && ageMs < NOTE_EVERY_MS) return;
    notedMs = clock.now();
    database.noteSent();
  };
}

function createRecordOutcome(
  { database, clock }: JournalContext,
  moves: Transitions,
): Ledger["recordOutcome"] {
  const write = ({ key, outcome }: PendingOutcome): void => {
    moves.move(key, outcome);
    moves.endOperation(key, outcome, clock.now());
  };
  const recordOutcome = createOutcomes(database, write);
  return async (key, outcome) => {
    if (outcome.to === "sending") {
      throw new Error(`row ${key.row} of ${key.runId} can only begin to be sent`);
    }
    // A person's decision cannot be found again from the store, so its commit is synced.
    if (key.from === "sending") await recordOutcome({ key, outcome });
    else database.transaction(() => write({ key, outcome }));
  };
}

function recover(context: JournalContext, moves: Transitions, markers: InFlightMarkers): number {
  const found = readOpRows(context, "sending");
  // A marker is written after its row was synced, so a marker without its row means an older copy.
  const isOld = markers.readMarked().some((key) => !hasOp(context, key));
  if (isOld) markForRecheck(context);
  const isUnsent = isOld ? () => false : markers.readUnsent();
  for (const key of found) {
    const outcome = isUnsent(key) ? UNSENT : UNKNOWN;
    moves.move({ ...key, from: "sending" }, outcome);
    moves.endOperation(key, outcome, null);
  }
  return found.length;
}

/** Outcome of a row that is found `sending`: its process died before the answer was recorded. */
const UNKNOWN: RowOutcome = { to: "ambiguous", cause: "recovery" };
const UNSENT: RowOutcome = {
  to: "ready",
  cause: "recovery-unsent",
  evidence: { rule: "the process died before the mark that comes before the first byte" },
};

/** Says whether this attempt of the row is the one being sent. */
function prepareIsSending(context: JournalContext): (claim: Claim) => boolean {
  const { database } = context;
  const find = database.prepareGet<Claim, object>((arg) =>
    database.build
      .selectFrom("run_row")
      .select("row_no")
      .where("run_id", "=", selectRun(context, arg("runId")))
      .where("row_no", "=", arg("row"))
      .where("state", "=", "sending")
      .where("attempts", "=", arg("attempt")),
  );
  return (claim) => find(claim) !== undefined;
}

function readOpRows(
  { database, store, runKind }: JournalContext,
  state: "sending" | "ambiguous",
  of: "kind" | "all" = "kind",
): RowKey[] {
  const isFeed = runKind === "feeds" ? ("=" as const) : ("<>" as const);
  return database
    .all(
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
    )
    .map(({ run_id, row_no }) => ({ runId: run_id, row: row_no }));
}

/** Requests of archived runs were written down, too, though some are deleted since. */
function hasOp({ database }: JournalContext, { runId, row }: RowKey): boolean {
  const { build } = database;
  const op = build.selectFrom("op").select("row_no").where("run_id", "=", runId);
  const archived = build.selectFrom("run_archive").select("run_id").where("run_id", "=", runId);
  return (
    database.get(op.where("row_no", "=", row)) !== undefined || database.get(archived) !== undefined
  );
}

/**
 * Marks runs whose ready rows another copy may have sent; the store must be read before they are
 * sent.
 */
function markForRecheck({ database, store }: JournalContext): void {
  const { build } = database;
  const next = sql<number>`(SELECT coalesce(max(seq), 0) + 1 FROM event)`;
  database.run(build.updateTable("run").set({ must_recheck: next }).where("store", "=", store));
  database.run(build.updateTable("copy").set({ doubted_seq: next }));
}

function readHeldAdds({ database, store }: JournalContext, limit: number): RowKey[] {
  return database
    .all(
      database.build
        .selectFrom("op")
        // A refused add may keep its code though its row is over.
        .innerJoin("run_row", (join) =>
          join.onRef("run_row.run_id", "=", "op.run_id").onRef("run_row.row_no", "=", "op.row_no"),
        )
        .select(["op.run_id", "op.row_no"])
        .where("op.store", "=", store)
        .where("op.kind", "=", toLiteral("add"))
        .where("op.state", "=", toLiteral("held"))
        .where("run_row.state", "=", toLiteral("held"))
        .orderBy("op.begun_at_ms")
        .orderBy("op.row_no")
        .limit(limit),
    )
    .map(({ run_id, row_no }) => ({ runId: run_id, row: row_no }));
}

type KeyedRecord = RowKey & { readonly record: RowRecord };

function createReadRecords(
  context: JournalContext,
  toRecord: ToRecord,
): (keys: readonly RowKey[]) => readonly KeyedRecord[] {
  const readRecord = ({ runId, row }: RowKey): KeyedRecord => {
    const found = context.database.get(
      selectRecords(context.database)
        .where("run_row.run_id", "=", selectRun(context, runId))
        .where("run_row.row_no", "=", row),
    );
    if (found === undefined) throw new Error(`this store has no row ${row} of a run ${runId}`);
    return { runId, row, record: toRecord(found) };
  };
  return (keys) => keys.map(readRecord);
}
