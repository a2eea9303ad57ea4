/**
 * What feeds know of the store's products: the listing at the last refresh, with the fields that
 * any run has sent since. A feed is compared with it, so that a store that only we change need not
 * be read again. No plan clears it.
 */

import { type Clock } from "@catalog/clock";
import { type Journal, type Payload, type SeenProduct } from "@catalog/runs";
import { z } from "zod";

import { readInBatches } from "../sqlite/batches.ts";
import { fromJson, toJson } from "../sqlite/json.ts";
import { type ProductId, type Schema } from "../sqlite/schema.ts";
import { type Database } from "../sqlite/sqlite.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";
import { type NoteBook, parseNote } from "./note-repository.ts";

/** The database, the clock and the store of the state. */
export interface FeedMemoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
}

/** A product as a listing showed it. */
export interface ShownProduct {
  readonly productId: ProductId;
  readonly codeKey: string;
  readonly status: string;
  /** Listed values, as far as feeds need them. */
  readonly shown: SeenProduct["product"];
  /** Sent fields that stay valid because the listing does not show them. */
  readonly sent: SentFields;
}

/** Fields as sent, prices in minor units. */
export type SentFields = NonNullable<
  ReturnType<Awaited<ReturnType<Journal["readLastSent"]>>["get"]>
>;

/** A listed product, with the fields that were sent and answered after it was listed. */
export type FeedProduct = ShownProduct;

/** The state of one store. One process at a time writes to it. */
export interface FeedMemory extends NoteBook {
  /** Applies what any run has sent since the last time. Returns the number of changes. */
  absorb(): number;
  /** Starts to refresh the whole store; returns the number of the refresh. */
  beginSweep(): number;
  saveShown(sweep: number, products: readonly ShownProduct[]): void;
  /** Returns the products that this refresh has not met. */
  readUnswept(sweep: number): readonly ProductId[];
  forget(productIds: readonly ProductId[]): void;
  readByCode(codeKeys: readonly string[]): readonly FeedProduct[];
  readById(productIds: readonly ProductId[]): readonly FeedProduct[];
}

interface Room {
  readonly database: Database;
  readonly store: number;
}

/** The last event that was applied, and the number of the last refresh. */
const progressSchema = z.object({ seq: z.number(), sweep: z.number() }).readonly();
type Progress = z.infer<typeof progressSchema>;

const PROGRESS = "progress";

/** Ended requests that are applied at a time. */
const BATCH_ROWS = 500;

/** Creates the feed state of a store; the state of other stores is not visible. */
export function createFeedMemory(options: FeedMemoryOptions): FeedMemory {
  const { database } = options;
  const room = { database, store: readStoreKey(database, options.store) };
  return {
    absorb: () => absorb(room),
    beginSweep() {
      const { seq, sweep } = readProgress(room);
      saveNotes(room, { [PROGRESS]: { seq, sweep: sweep + 1 } });
      return sweep + 1;
    },
    saveShown(sweep, products) {
      database.transaction(() => {
        for (const product of products) saveProduct(room, product, sweep);
      });
    },
    readUnswept: (sweep) => readUnswept(room, sweep),
    forget(productIds) {
      database.transaction(() => {
        for (const id of productIds) forget(room, id);
      });
    },
    readByCode: (codeKeys) => readByCode(room, codeKeys).map(toProduct),
    readById: (productIds) => readById(room, productIds).map(toProduct),
    readNote: (key, schema) => parseNote(readNote(room, `note ${key}`), schema),
    saveNotes(notes) {
      const entries = Object.entries(notes).map(([key, note]) => [`note ${key}`, note]);
      database.transaction(() => saveNotes(room, Object.fromEntries(entries)));
    },
  };
}

type Row = Schema["feed_product"];

function absorb(room: Room): number {
  let count = 0;
  for (;;) {
    const taken = room.database.transaction(() => absorbSome(room));
    count += taken;
    if (taken < BATCH_ROWS) return count;
  }
}

function absorbSome(room: Room): number {
  const { seq, sweep } = readProgress(room);
  const ended = readEnded(room, seq);
  for (const one of ended) takeIn(room, one);
  const last = ended.at(-1);
  if (last !== undefined) saveNotes(room, { [PROGRESS]: { seq: last.seq, sweep } });
  return ended.length;
}

interface Ended {
  readonly seq: number;
  readonly kind: "add" | "update";
  readonly product_id: ProductId | null;
  readonly code_key: string | null;
  readonly payload_json: string;
}

function readEnded({ database, store }: Room, after: number): Ended[] {
  return database.all(
    database.build
      .selectFrom("event")
      .innerJoin("op", (join) =>
        join.onRef("op.run_id", "=", "event.run_id").onRef("op.row_no", "=", "event.row_no"),
      )
      .select(["event.seq", "op.kind", "op.product_id", "op.code_key", "op.payload_json"])
      .where("event.seq", ">", after)
      .where("event.to_state", "=", "done")
      .where("op.store", "=", store)
      .orderBy("event.seq")
      .limit(BATCH_ROWS),
  );
}

function takeIn(room: Room, { kind, product_id: productId, code_key, payload_json }: Ended): void {
  if (productId === null) return;
  const payload = { ...fromJson<Payload>(payload_json) };
  const [known] = readById(room, [productId]);
  if (known === undefined && kind === "update") return;
  const before =
    known === undefined
      ? { productId, codeKey: code_key ?? "", status: "added", shown: { id: productId }, sent: {} }
      : toProduct(known);
  const sent = { ...before.sent, ...pick(payload) };
  saveProduct(room, { ...before, sent }, known?.sweep ?? ADDED);
}

/** Marks a product that we added and no listing has shown yet; a refresh does not miss it. */
const ADDED = -1;

/** The fields that a feed sets. */
const FIELDS = [
  "price",
  "currency",
  "stock_count",
  "has_discount",
  "discount_type",
  "discount_value",
] as const satisfies readonly (keyof Payload)[];

function pick(payload: Payload): SentFields {
  const found = FIELDS.map((field) => [field, payload[field]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function saveProduct({ database, store }: Room, product: ShownProduct, sweep: number): void {
  const columns = {
    store,
    product_id: product.productId,
    code_key: product.codeKey,
    status: product.status,
    shown_json: toJson(product.shown),
    sent_json: toJson(product.sent),
    sweep,
  };
  database.run(
    database.build
      .insertInto("feed_product")
      .values(columns)
      .onConflict((conflict) => conflict.columns(["store", "product_id"]).doUpdateSet(columns)),
  );
}

function readUnswept({ database, store }: Room, sweep: number): ProductId[] {
  return database
    .all(
      database.build
        .selectFrom("feed_product")
        .select("product_id")
        .where("store", "=", store)
        .where("sweep", "<>", sweep)
        .where("sweep", "<>", ADDED),
    )
    .map(({ product_id }) => product_id);
}

function forget({ database, store }: Room, productId: ProductId): void {
  database.run(
    database.build
      .deleteFrom("feed_product")
      .where("store", "=", store)
      .where("product_id", "=", productId),
  );
}

function readByCode({ database, store }: Room, codeKeys: readonly string[]): Row[] {
  const rows = database.build.selectFrom("feed_product").selectAll().where("store", "=", store);
  return readInBatches(codeKeys, (batch) => database.all(rows.where("code_key", "in", batch)));
}

function readById({ database, store }: Room, productIds: readonly ProductId[]): Row[] {
  const rows = database.build.selectFrom("feed_product").selectAll().where("store", "=", store);
  return readInBatches(productIds, (batch) => database.all(rows.where("product_id", "in", batch)));
}

function toProduct(row: Row): FeedProduct {
  const { product_id: productId, code_key: codeKey, status, shown_json, sent_json } = row;
  return { productId, codeKey, status, shown: fromJson(shown_json), sent: fromJson(sent_json) };
}

function readProgress(room: Room): Progress {
  return parseNote(readNote(room, PROGRESS), progressSchema) ?? { seq: 0, sweep: 0 };
}

function readNote({ database, store }: Room, key: string): string | undefined {
  const found = database.get(
    database.build
      .selectFrom("feed_note")
      .select("note_json")
      .where("store", "=", store)
      .where("key", "=", key),
  );
  return found?.note_json;
}

function saveNotes({ database, store }: Room, notes: Readonly<Record<string, unknown>>): void {
  for (const [key, note] of Object.entries(notes)) {
    const columns = { store, key, note_json: toJson(note) };
    database.run(
      database.build
        .insertInto("feed_note")
        .values(columns)
        .onConflict((conflict) => conflict.columns(["store", "key"]).doUpdateSet(columns)),
    );
  }
}
