/**
 * The ledger: which product codes are taken, which requests may be under way, and how each ended.
 * It outlives its runs, because a product cannot be taken back.
 */

import {
  CODE_TAKING_STATES,
  type Journal,
  type Payload,
  type RowKey,
  type RowState,
  type Settlement,
} from "@catalog/runs";

import { fromJson, toJson } from "./json.ts";
import { type JournalRoom, toRecord } from "./row-table.ts";
import { type ProductId } from "./schema.ts";

type LedgerMethods = Pick<
  Journal,
  | "beginSending"
  | "settle"
  | "recover"
  | "readAmbiguous"
  | "readKnownCodes"
  | "readLastSent"
  | "readLatestAdded"
>;

export function createLedger(room: JournalRoom): LedgerMethods {
  const { database, clock } = room;
  const moves = createMoves(room);

  return {
    beginSending: (key) => database.transaction(() => beginSending(room, moves, key)),
    async settle({ from, ...key }, settlement) {
      database.transaction(() => {
        moves.move(key, from, settlement);
        moves.settleOp(key, settlement, clock.now());
      });
    },
    async recover() {
      return database.transaction(() => {
        const found = readOpRows(room, "sending");
        for (const key of found) {
          const settlement = { to: "ambiguous", cause: "recovery" } as const;
          moves.move(key, "sending", settlement);
          moves.settleOp(key, settlement, null);
        }
        return found.length;
      });
    },
    async readAmbiguous(limit) {
      const keys = readOpRows(room, "ambiguous").slice(0, limit);
      return keys.map(({ runId, row }) => ({
        runId,
        row,
        record: readRecord(room, { runId, row }),
      }));
    },
    async readKnownCodes(codeKeys) {
      return readKnownCodes(room, codeKeys);
    },
    async readLastSent(productIds) {
      return readLastSent(room, productIds);
    },
    async readLatestAdded() {
      return readLatestAdded(room);
    },
  };
}

interface Moves {
  /** Moves a row and appends the event; throws when the row is in another state. */
  move(key: RowKey, from: RowState, settlement: Settlement): void;
  settleOp(key: RowKey, settlement: Settlement, settledAtMs: number | null): void;
}

function createMoves({ database, clock }: JournalRoom): Moves {
  const { build } = database;
  return {
    move({ runId, row }, from, settlement) {
      const { to, cause, productId, note, issues, evidence = {} } = settlement;
      const now = clock.now();
      let update = build
        .updateTable("run_row")
        .set({ state: to, updated_at_ms: now })
        .where("run_id", "=", runId)
        .where("row_no", "=", row)
        .where("state", "=", from);
      if (productId !== undefined) update = update.set({ product_id: productId });
      if (note !== undefined) update = update.set({ note });
      if (issues !== undefined) update = update.set({ issues_json: toJson(issues) });
      if (to === "sending") update = update.set((set) => ({ attempts: set("attempts", "+", 1) }));
      if (database.run(update) !== 1) throw new Error(`row ${row} of ${runId} is not ${from}`);
      database.run(
        build.insertInto("event").values({
          run_id: runId,
          row_no: row,
          from_state: from,
          to_state: to,
          cause,
          evidence_json: toJson(evidence),
          at_ms: now,
        }),
      );
    },
    settleOp({ runId, row }, { to, productId }, settledAtMs) {
      let update = build
        .updateTable("op")
        .set({ state: to, settled_at_ms: settledAtMs })
        .where("run_id", "=", runId)
        .where("row_no", "=", row);
      if (productId !== undefined) update = update.set({ product_id: productId });
      database.run(update);
    },
  };
}

function beginSending(room: JournalRoom, moves: Moves, key: RowKey): "begun" | "taken" {
  const { database, clock, store } = room;
  const record = readRecord(room, key);
  const { action, payload } = record;
  if (action === null || payload === null) throw new Error(`row ${key.row} has nothing to send`);
  if (isTaken(room, key, record)) return "taken";

  moves.move(key, "ready", { to: "sending", cause: "begin" });
  const op = {
    run_id: key.runId,
    row_no: key.row,
    store,
    kind: action,
    state: "sending",
    code_key: record.codeKey,
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
  return "begun";
}

/** Asks what the unique indexes would refuse; they hold even where this question is wrong. */
function isTaken(
  { database, store }: JournalRoom,
  { runId, row }: RowKey,
  { action, codeKey, productId }: ReturnType<typeof toRecord>,
): boolean {
  const others = database.build
    .selectFrom("op")
    .select("row_no")
    .where("store", "=", store)
    .where((where) => where.or([where("run_id", "<>", runId), where("row_no", "<>", row)]));
  const rival =
    action === "add"
      ? others
          .where("kind", "=", "add")
          .where("code_key", "=", codeKey)
          .where("state", "in", CODE_TAKING_STATES)
      : others
          .where("kind", "=", "update")
          .where("product_id", "=", productId)
          .where("state", "in", ["sending", "ambiguous"]);
  return database.get(rival.limit(1)) !== undefined;
}

function readOpRows({ database, store }: JournalRoom, state: RowState): RowKey[] {
  return database
    .all(
      database.build
        .selectFrom("op")
        .select(["run_id", "row_no"])
        .where("store", "=", store)
        .where("state", "=", state)
        .orderBy("begun_at_ms")
        .orderBy("row_no"),
    )
    .map(({ run_id, row_no }) => ({ runId: run_id, row: row_no }));
}

function readRecord(
  { database }: JournalRoom,
  { runId, row }: RowKey,
): ReturnType<typeof toRecord> {
  const found = database.get(
    database.build
      .selectFrom("run_row")
      .selectAll()
      .where("run_id", "=", runId)
      .where("row_no", "=", row),
  );
  if (found === undefined) throw new Error(`run ${runId} has no row ${row}`);
  return toRecord(found);
}

function readKnownCodes(
  { database, store }: JournalRoom,
  codeKeys: readonly string[],
): Awaited<ReturnType<Journal["readKnownCodes"]>> {
  if (codeKeys.length === 0) return [];
  const ops = database.all(
    database.build
      .selectFrom("op")
      .select(["code_key", "state", "run_id", "row_no", "product_id"])
      .where("store", "=", store)
      .where("kind", "=", "add")
      .where("code_key", "in", codeKeys)
      .where("state", "in", CODE_TAKING_STATES),
  );
  return ops.map(({ code_key, state, run_id, row_no, product_id }) => ({
    codeKey: code_key ?? "",
    state,
    runId: run_id,
    row: row_no,
    productId: product_id,
  }));
}

type LastSent = NonNullable<ReturnType<Awaited<ReturnType<Journal["readLastSent"]>>["get"]>>;

/** Adds and updates that were answered, laid over one another in the order in which they ended. */
function readLastSent(
  { database, store }: JournalRoom,
  productIds: readonly ProductId[],
): Awaited<ReturnType<Journal["readLastSent"]>> {
  const sent = new Map<ProductId, LastSent>();
  if (productIds.length === 0) return sent;
  const ops = database.all(
    database.build
      .selectFrom("op")
      .select(["product_id", "payload_json"])
      .where("store", "=", store)
      .where("product_id", "in", productIds)
      .where("state", "=", "done")
      .orderBy("settled_at_ms"),
  );
  for (const { product_id, payload_json } of ops) {
    if (product_id === null) continue;
    sent.set(product_id, { ...sent.get(product_id), ...fromJson<Payload>(payload_json) });
  }
  return sent;
}

function readLatestAdded({
  database,
  store,
}: JournalRoom): Awaited<ReturnType<Journal["readLatestAdded"]>> {
  const found = database.get(
    database.build
      .selectFrom("op")
      .innerJoin("run_row", (join) =>
        join.onRef("run_row.run_id", "=", "op.run_id").onRef("run_row.row_no", "=", "op.row_no"),
      )
      .select(["run_row.code", "op.product_id"])
      .where("op.store", "=", store)
      .where("op.kind", "=", "add")
      .where("op.state", "=", "done")
      .orderBy("op.settled_at_ms", "desc")
      .limit(1),
  );
  if (found === undefined) return undefined;
  const { code, product_id: productId } = found;
  return code === null || productId === null ? undefined : { code, productId };
}
