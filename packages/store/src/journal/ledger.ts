/**
 * The ledger: which product codes are taken, which requests may be under way, and how each ended.
 * It outlives its runs, because a product cannot be taken back.
 */

import {
  type Attempted,
  type Beginning,
  type Begun,
  CODE_TAKING_STATES,
  FEED_COMMAND,
  isLegalMove,
  type Journal,
  type RowKey,
  type RowRecord,
  type RowState,
  type Settlement,
} from "@catalog/runs";

import { toJson } from "../database/json.ts";
import { toLiteral } from "../database/literals.ts";
import { StoreError } from "../errors.ts";
import { createSendMarks, type SendMarks } from "../send-marks.ts";
import { createEventLog } from "./events.ts";
import { type JournalRoom, selectRun } from "./room.ts";
import { selectRecords, toRecord } from "./row-table.ts";

type LedgerMethods = Pick<
  Journal,
  "beginTogether" | "beginSending" | "settle" | "recover" | "readAmbiguous" | "readHeldAdds"
>;

export function createLedger(room: JournalRoom): LedgerMethods {
  const { database, clock } = room;
  const moves = createMoves(room);
  const marks = createSendMarks({ databasePath: database.path, store: room.store });

  return {
    async beginTogether(rows) {
      return database.transaction(() => {
        // In here, so that room made for outcomes is never used for something new.
        database.assertRoom();
        return rows.map((row) => beginAhead(room, moves, row));
      });
    },
    beginSending({ attempt: begun, ...key }, evidence) {
      const attempt = begun ?? beginAlone(room, moves, { ...key, evidence });
      if (attempt === "taken") return attempt;
      marks.write(key);
      // Whoever recovered the row in between did not see the mark, and may send it: we must not.
      database.transaction(() => assertSending(room, { ...key, attempt }));
      return "begun";
    },
    async settle({ from, attempt, ...key }, settlement) {
      if (settlement.to === "sending") {
        throw new Error(`row ${key.row} of ${key.runId} can only begin to be sent`);
      }
      const write = (): void => {
        moves.move({ ...key, from, attempt }, settlement);
        moves.settleOp(key, settlement, clock.now());
      };
      // An outcome that a power cut takes back leaves its row sending, which is looked up; the next
      // begin, or the end of the run, syncs it. What a person decides has no such witness.
      if (from === "sending") database.transactionUnsynced(write);
      else database.transaction(write);
    },
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

function recover(room: JournalRoom, moves: Moves, marks: SendMarks): number {
  const found = readOpRows(room, "sending");
  // A mark is written after its row was synced: without the row, this is an older copy.
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

/** What becomes of a row that is found `sending`: its process died, and so did the answer. */
const UNKNOWN: Settlement = { to: "ambiguous", cause: "recovery" };
const UNSENT: Settlement = {
  to: "ready",
  cause: "recovery-unsent",
  evidence: { rule: "the process died before the mark that comes before the first byte" },
};

type Moving = Attempted & { readonly from: RowState };

interface Moves {
  /** Moves a row and appends the event; throws when the row is in another state. */
  move(key: Moving, settlement: Settlement): void;
  /** Moves the row's request along, if the row has one that is not over. */
  settleOp(key: RowKey, settlement: Settlement, settledAtMs: number | null): void;
}

function createMoves(room: JournalRoom): Moves {
  const { database, clock } = room;
  const { build } = database;
  const appendEvent = createEventLog(database);
  return {
    move({ runId, row, from, attempt }, settlement) {
      const { to, cause, productId, note, issues, evidence = {} } = settlement;
      if (!isLegalMove(from, to)) {
        throw new Error(`row ${row} of ${runId} may not go from ${from} to ${to}`);
      }
      const atMs = clock.now();
      let update = build
        .updateTable("run_row")
        .set({ state: to, updated_at_ms: atMs })
        .where("run_id", "=", selectRun(room, runId))
        .where("row_no", "=", row)
        .where("state", "=", from);
      if (attempt !== undefined) update = update.where("attempts", "=", attempt);
      if (productId !== undefined) update = update.set({ product_id: productId });
      if (note !== undefined) update = update.set({ note });
      if (issues !== undefined) update = update.set({ issues_json: toJson(issues) });
      if (to === "sending") update = update.set((set) => ({ attempts: set("attempts", "+", 1) }));
      if (database.run(update) !== 1) throw new Error(`row ${row} of ${runId} is not ${from}`);
      appendEvent({ runId, row, from, to, cause, evidence, atMs });
    },
    settleOp({ runId, row }, { to, productId }, settledAtMs) {
      let update = build
        .updateTable("op")
        .set({ state: to, settled_at_ms: settledAtMs })
        .where("run_id", "=", runId)
        .where("row_no", "=", row)
        // An op that is `ready` is over: nothing of it left. Its row may be held because another
        // has the code by now, and must not take it back.
        .where("state", "<>", "ready");
      if (productId !== undefined) update = update.set({ product_id: productId });
      database.run(update);
    },
  };
}

/** One row of several: one that cannot begin is left as it was, and so are the others. */
function beginAhead(room: JournalRoom, moves: Moves, row: Beginning): Begun | undefined {
  const { runId, row: rowNo } = row;
  try {
    const attempt = room.database.part(() => begin(room, moves, row));
    return attempt === "taken" ? undefined : { runId, row: rowNo, attempt };
  } catch (error) {
    // Of the row itself, whoever tries to send it is told.
    if (error instanceof StoreError) throw error;
    return undefined;
  }
}

function beginAlone(room: JournalRoom, moves: Moves, row: Beginning): number | "taken" {
  return room.database.transaction(() => {
    room.database.assertRoom();
    return begin(room, moves, row);
  });
}

/** Says which attempt of the row it is. */
function begin(room: JournalRoom, moves: Moves, { evidence, ...key }: Beginning): number | "taken" {
  const { database, clock, store } = room;
  const record = readRecord(room, key);
  const { action, payload, codeKey } = record;
  if (action === null || payload === null) throw new Error(`row ${key.row} has nothing to send`);
  if (action === "add" && codeKey === null) throw new Error(`row ${key.row} has no product code`);
  if (isTaken(room, key, record)) return "taken";

  moves.move({ ...key, from: "ready" }, { to: "sending", cause: "begin", evidence });
  const op = {
    run_id: key.runId,
    row_no: key.row,
    store,
    kind: action,
    state: "sending",
    code_key: codeKey,
    product_id: record.productId,
    price: payload.price ?? null,
    payload_json: toJson(payload),
    begun_at_ms: clock.now(),
    settled_at_ms: null,
  } as const;
  database.run(
    database.build
      .insertInto("op")
      .values(op)
      .onConflict((conflict) => conflict.columns(["run_id", "row_no"]).doUpdateSet(op)),
  );
  return record.attempts + 1;
}

function assertSending(room: JournalRoom, { attempt, ...key }: Begun): void {
  const found = room.database.get(
    room.database.build
      .selectFrom("run_row")
      .select(["state", "attempts"])
      .where("run_id", "=", selectRun(room, key.runId))
      .where("row_no", "=", key.row),
  );
  if (found?.state !== "sending" || found.attempts !== attempt) {
    throw new Error(`row ${key.row} of ${key.runId} was recovered by another process`);
  }
}

/**
 * Asks what the unique indexes would refuse, in the transaction that then writes; they hold even
 * where this question is wrong.
 */
function isTaken(
  { database, store }: JournalRoom,
  { runId, row }: RowKey,
  { action, codeKey, productId }: RowRecord,
): boolean {
  const others = database.build
    .selectFrom("op")
    .select("row_no")
    .where("store", "=", store)
    .where((where) => where.or([where("run_id", "<>", runId), where("row_no", "<>", row)]));
  const rival =
    action === "add"
      ? others
          .where("code_key", "=", codeKey)
          .where("kind", "=", toLiteral("add"))
          .where("state", "in", CODE_TAKING_STATES.map(toLiteral))
      : others
          .where("product_id", "=", productId)
          .where("kind", "=", toLiteral("update"))
          .where("state", "in", [toLiteral("sending"), toLiteral("ambiguous")]);
  return database.get(rival.limit(1)) !== undefined;
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
        // Both, so that SQLite knows the index of the open ones.
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

/** Rows that this file calls ready may have been sent; the store must be read before they go. */
function markForRecheck({ database, store }: JournalRoom): void {
  database.run(
    database.build.updateTable("run").set({ must_recheck: 1 }).where("store", "=", store),
  );
}

function readHeldAdds({ database, store }: JournalRoom, limit: number): RowKey[] {
  return database
    .all(
      database.build
        .selectFrom("op")
        .select(["run_id", "row_no"])
        .where("store", "=", store)
        .where("kind", "=", toLiteral("add"))
        .where("state", "=", toLiteral("held"))
        .orderBy("begun_at_ms")
        .orderBy("row_no")
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
