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
  type Settlement,
} from "@catalog/runs";
import { sql } from "kysely";

import { toLiteral } from "../sqlite/literals.ts";
import { partByPart } from "../sqlite/savepoints.ts";
import { createBegin } from "./begin-sending.ts";
import { type JournalRoom, selectRun } from "./context.ts";
import { createSendMarks, type SendMarks } from "./in-flight-markers.ts";
import { createOutcomes, type Outcome } from "./outcomes.ts";
import { selectRecords, toRecord } from "./row-table.ts";
import { createMoves, type Moves } from "./transitions.ts";

type LedgerMethods = Pick<
  Ledger,
  "claim" | "beginSending" | "settle" | "recover" | "readAmbiguous" | "readHeldAdds"
>;

export function createLedger(room: JournalRoom): LedgerMethods {
  const { database } = room;
  const moves = createMoves(room);
  const marks = createSendMarks({ databasePath: database.path, store: room.store });
  return {
    ...createBeginnings(room, moves, marks),
    settle: createSettle(room, moves),
    async recover() {
      const recovered = database.transaction(() => recover(room, moves, marks));
      database.transaction(() => {
        if (readOpRows(room, "sending", "all").length === 0) marks.clear();
      });
      return recovered;
    },
    async readAmbiguous(limit) {
      return withRecords(room, readOpRows(room, "ambiguous").slice(0, limit));
    },
    async readHeldAdds(limit) {
      return withRecords(room, readHeldAdds(room, limit));
    },
  };
}

function createBeginnings(
  room: JournalRoom,
  moves: Moves,
  marks: SendMarks,
): Pick<Ledger, "claim" | "beginSending"> {
  const { database } = room;
  const begin = createBegin(room, moves);
  const noteSent = createSentNote(room);
  const isSending = prepareIsSending(room);
  const assertSending = (claim: Claim): void => {
    if (isSending(claim)) return;
    throw new Error(`row ${claim.row} of ${claim.runId} was recovered by another process`);
  };
  return {
    async claim(rows) {
      const claimed = database.transaction(() => {
        // Checked here, so that space freed for outcomes is never used for a new request.
        database.assertRoom();
        return partByPart(database, rows, begin);
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
          database.assertRoom();
          return begin({ ...key, evidence });
        });
      const attempt = claimed ?? beginAlone();
      if (attempt === "taken") return attempt;
      marks.write(key);
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

function createSentNote({ database, clock }: JournalRoom): () => void {
  let notedMs = -Infinity;
  return () => {
    const ageMs = clock.now() - notedMs;
    // A clock that was put back must not delay the note.
    if (ageMs >= 0 && ageMs < NOTE_EVERY_MS) return;
    notedMs = clock.now();
    database.noteSent();
  };
}

function createSettle({ database, clock }: JournalRoom, moves: Moves): Ledger["settle"] {
  const write = ({ key, settlement }: Outcome): void => {
    moves.move(key, settlement);
    moves.settleOp(key, settlement, clock.now());
  };
  const settleOutcome = createOutcomes(database, write);
  return async (key, settlement) => {
    if (settlement.to === "sending") {
      throw new Error(`row ${key.row} of ${key.runId} can only begin to be sent`);
    }
    // A person's decision cannot be found again from the store, so its commit is synced.
    if (key.from === "sending") await settleOutcome({ key, settlement });
    else database.transaction(() => write({ key, settlement }));
  };
}

function recover(room: JournalRoom, moves: Moves, marks: SendMarks): number {
  const found = readOpRows(room, "sending");
  // A marker is written after its row was synced, so a marker without its row means an older copy.
  const isOld = marks.readMarked().some((key) => !hasOp(room, key));
  if (isOld) markForRecheck(room);
  const isUnsent = isOld ? () => false : marks.readUnsent();
  for (const key of found) {
    const settlement = isUnsent(key) ? UNSENT : UNKNOWN;
    moves.move({ ...key, from: "sending" }, settlement);
    moves.settleOp(key, settlement, null);
  }
  return found.length;
}

/** Outcome of a row that is found `sending`: its process died before the answer was recorded. */
const UNKNOWN: Settlement = { to: "ambiguous", cause: "recovery" };
const UNSENT: Settlement = {
  to: "ready",
  cause: "recovery-unsent",
  evidence: { rule: "the process died before the mark that comes before the first byte" },
};

/** Says whether this attempt of the row is the one being sent. */
function prepareIsSending(room: JournalRoom): (claim: Claim) => boolean {
  const { database } = room;
  const find = database.prepareGet<Claim, object>((arg) =>
    database.build
      .selectFrom("run_row")
      .select("row_no")
      .where("run_id", "=", selectRun(room, arg("runId")))
      .where("row_no", "=", arg("row"))
      .where("state", "=", "sending")
      .where("attempts", "=", arg("attempt")),
  );
  return (claim) => find(claim) !== undefined;
}

function readOpRows(
  { database, store, lane }: JournalRoom,
  state: "sending" | "ambiguous",
  of: "lane" | "all" = "lane",
): RowKey[] {
  const isFeed = lane === "feeds" ? ("=" as const) : ("<>" as const);
  return database
    .all(
      database.build
        .selectFrom("op")
        .innerJoin("run", "run.id", "op.run_id")
        .select(["run_id", "row_no"])
        .where("op.store", "=", store)
        .$if(of === "lane", (query) => query.where("run.command", isFeed, FEED_COMMAND))
        // Both states are literals, so that SQLite uses the partial index of open requests.
        .where("op.state", "in", [toLiteral("sending"), toLiteral("ambiguous")])
        .where("op.state", "=", state)
        .orderBy("begun_at_ms")
        .orderBy("run_id")
        .orderBy("row_no"),
    )
    .map(({ run_id, row_no }) => ({ runId: run_id, row: row_no }));
}

function hasOp({ database }: JournalRoom, { runId, row }: RowKey): boolean {
  const op = database.build.selectFrom("op").select("row_no");
  return database.get(op.where("run_id", "=", runId).where("row_no", "=", row)) !== undefined;
}

/**
 * Marks runs whose ready rows another copy may have sent; the store must be read before they are
 * sent.
 */
function markForRecheck({ database, store }: JournalRoom): void {
  const { build } = database;
  const next = sql<number>`(SELECT coalesce(max(seq), 0) + 1 FROM event)`;
  database.run(build.updateTable("run").set({ must_recheck: next }).where("store", "=", store));
  database.run(build.updateTable("copy").set({ doubted_seq: next }));
}

function readHeldAdds({ database, store }: JournalRoom, limit: number): RowKey[] {
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

function withRecords(
  room: JournalRoom,
  keys: readonly RowKey[],
): (RowKey & { readonly record: RowRecord })[] {
  return keys.map(({ runId, row }) => ({ runId, row, record: readRecord(room, { runId, row }) }));
}

function readRecord(room: JournalRoom, { runId, row }: RowKey): RowRecord {
  const found = room.database.get(
    selectRecords(room.database)
      .where("run_row.run_id", "=", selectRun(room, runId))
      .where("run_row.row_no", "=", row),
  );
  if (found === undefined) throw new Error(`this store has no row ${row} of a run ${runId}`);
  return toRecord(found);
}
