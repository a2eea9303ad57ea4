/**
 * What feeds know of the store's products: the listing at the last refresh, with the fields that
 * any run has sent since. A feed is compared with it, so that a store that only we change need not
 * be read again. No plan clears it.
 */

import type { Journal, Payload } from "@catalog/runs";
import { sql } from "kysely";
import { z } from "zod";

import { type EndedRequest, readEndedRequests } from "../journal/ended-requests.ts";
import {
  createLeasedDatabase,
  type LeasedDatabase,
  type RepositoryOptions,
} from "../locks/leases.ts";
import { eachStep, type Steps } from "../sql/database.ts";
import { fromJson, readInBatches, toJson, parseNote } from "../sql/queries.ts";
import type { ProductId, Schema } from "../sql/schema.ts";
import type { NoteRepository } from "./memory.ts";

/** A product as a listing showed it. */
export interface ShownProduct {
  readonly productId: ProductId;
  readonly codeKey: string;
  readonly status: string;
  /** Listed values, as far as feeds need them. */
  readonly shown: Awaited<ReturnType<Journal["readSeenById"]>>[number]["product"];
  /** Sent fields that stay valid because the listing does not show them. */
  readonly sent: SentFields;
}

/** Fields as sent, prices in minor units. */
type SentFields = NonNullable<ReturnType<Awaited<ReturnType<Journal["readLastSent"]>>["get"]>>;

/** A product that a feed has named, and whether it still does. */
export interface NamedProduct {
  readonly productId: ProductId;
  /** Accepted versions of the feed in a row that did not name it; 0 while it is named. */
  readonly absences: number;
  /** When the first of them was accepted; `null` while it is named. */
  readonly absentSinceMs: number | null;
  /** Its stock was seen to be 0 since then; another stock is the word of another writer. */
  readonly isEmptied: boolean;
}

/** What changes once a version of a feed has been accepted, in one commit. */
interface AcceptedFeed {
  /** Key of the feed. */
  readonly feed: string;
  /** What is known of the feed from now on; the reader validates it. */
  readonly record: unknown;
  /** Products whose entries are new or have changed. */
  readonly named?: readonly NamedProduct[];
  /** Products that the store no longer has. */
  readonly forgotten?: readonly ProductId[];
}

/** The state of one store. One process at a time writes to it. */
export interface FeedState extends Pick<NoteRepository, "readNote" | "saveNotes"> {
  /** Applies what any run has sent since the last time. Returns the number of changes. */
  applySentChanges(): Promise<number>;
  /** Starts to refresh the whole store; returns the number of the refresh. */
  beginRefresh(): Promise<number>;
  saveShown(refresh: number, products: readonly ShownProduct[]): Promise<void>;
  /** Returns the products that this refresh has not met. */
  readUnrefreshed(refresh: number): Promise<readonly ProductId[]>;
  forget(productIds: readonly ProductId[]): Promise<void>;
  readByCode(codeKeys: readonly string[]): Promise<readonly ShownProduct[]>;
  readById(productIds: readonly ProductId[]): Promise<readonly ShownProduct[]>;
  /** Reads what is known of a feed since it was accepted last. */
  readFeed: NoteRepository["readNote"];
  /** Keys of the feeds that were ever accepted. */
  listFeeds(): Promise<readonly string[]>;
  /** Reads every product that the feed has named, in pages. */
  readNamed(feed: string): AsyncIterable<readonly NamedProduct[]>;
  /** Returns which of the products the last accepted version of a feed named. */
  findNamed(feed: string, productIds: readonly ProductId[]): Promise<readonly ProductId[]>;
  saveAccepted(accepted: AcceptedFeed): Promise<void>;
  /** Replaces what is known under one key by what is known under another one. */
  copyFeed(from: string, to: string): Promise<void>;
  /** Forgets what is known under a key. */
  removeFeed(feed: string): Promise<void>;
}

interface FeedContext {
  readonly database: LeasedDatabase;
  readonly store: number;
}

/** The last event that was applied, and the number of the last refresh. */
const progressSchema = z.object({ seq: z.number(), sweep: z.number() }).readonly();
type Progress = z.infer<typeof progressSchema>;

const PROGRESS = "progress";

/** Ended requests that are applied at a time. */
const BATCH_ROWS = 500;

/** Products that a feed has named, read at a time. */
const PAGE_ROWS = 5_000;

/** Begin of the keys of notes that hold the records of feeds. */
const FEED_NOTE = "note feed ";

const NAMED_KEY = ["store", "feed", "product_id"] as const;

/** Creates the feed state of a store; the state of other stores is not visible. */
export function createFeedState(options: RepositoryOptions): FeedState {
  const database = createLeasedDatabase(options);
  const context = { database, store: database.storeKey(options.store) };
  const { build } = database;
  const saveNamed = database.prepareInsert(
    "feed_named",
    [...NAMED_KEY, "absences", "absent_since_ms", "is_emptied"],
    { replaceBy: NAMED_KEY },
  );
  const forgetNamed = database.prepareDelete("feed_named", NAMED_KEY);
  return {
    applySentChanges: () => absorb(context),
    beginRefresh: () => database.transaction(() => beginRefresh(context)),
    async saveShown(refresh, products) {
      await database.transaction(() =>
        eachStep(products, (product) => saveProduct(context, product, refresh)),
      );
    },
    async readUnrefreshed(refresh) {
      const unmet = build
        .selectFrom("feed_product")
        .select("product_id")
        .where("store", "=", context.store)
        .where("sweep", "<>", refresh)
        .where("sweep", "<>", ADDED);
      return (await database.execute(database.all(unmet))).map(({ product_id }) => product_id);
    },
    async forget(productIds) {
      const stored = build.deleteFrom("feed_product").where("store", "=", context.store);
      await database.transaction(() =>
        eachStep(productIds, (id) => database.run(stored.where("product_id", "=", id))),
      );
    },
    async readByCode(codeKeys) {
      const read = readInBatches(codeKeys, (batch) =>
        database.all(selectRows(context).where("code_key", "in", batch)),
      );
      return (await database.execute(read)).map(toProduct);
    },
    readById: async (productIds) =>
      (await database.execute(readById(context, productIds))).map(toProduct),
    readFeed: async (feed, schema) =>
      parseNote(await database.execute(readNote(context, `${FEED_NOTE}${feed}`)), schema),
    readNote: async (key, schema) =>
      parseNote(await database.execute(readNote(context, `note ${key}`)), schema),
    async saveNotes(notes) {
      const entries = Object.entries(notes).map(([key, note]) => [`note ${key}`, note]);
      await database.transaction(() => saveNotes(context, Object.fromEntries(entries)));
    },
    async listFeeds() {
      const keys = build
        .selectFrom("feed_note")
        .select("key")
        .where("store", "=", context.store)
        .where("key", "like", `${FEED_NOTE}%`)
        .orderBy("key");
      const found = await database.execute(database.all(keys));
      return found.map(({ key }) => key.slice(FEED_NOTE.length));
    },
    readNamed: (feed) => readNamed(context, feed),
    async findNamed(feed, productIds) {
      const named = selectNamed(context, feed).where("absences", "=", 0);
      const read = readInBatches(productIds, (batch) =>
        database.all(named.where("product_id", "in", batch)),
      );
      return (await database.execute(read)).map(({ product_id }) => product_id);
    },
    async saveAccepted({ feed, record, named = [], forgotten = [] }) {
      const { store } = context;
      await database.transaction(function* accept() {
        yield* saveNotes(context, { [`${FEED_NOTE}${feed}`]: record });
        yield* saveNamed(named.map((one) => ({ store, feed, ...toColumns(one) })));
        yield* eachStep(forgotten, (id) => forgetNamed({ store, feed, product_id: id }));
      });
    },
    copyFeed: (from, to) => database.transaction(() => copyFeed(context, from, to)),
    removeFeed: (feed) => database.transaction(() => removeFeed(context, feed)),
  };
}

function* removeFeed({ database, store }: FeedContext, feed: string): Steps<void> {
  const { build } = database;
  const named = build.deleteFrom("feed_named").where("store", "=", store);
  yield* database.run(named.where("feed", "=", feed));
  const notes = build.deleteFrom("feed_note").where("store", "=", store);
  yield* database.run(notes.where("key", "=", `${FEED_NOTE}${feed}`));
}

function* copyFeed(context: FeedContext, from: string, to: string): Steps<void> {
  const { database, store } = context;
  const { build } = database;
  yield* removeFeed(context, to);
  const named = build
    .selectFrom("feed_named")
    .select([sql.val(store).as("store"), sql.val(to).as("feed")])
    .select(["product_id", "absences", "absent_since_ms", "is_emptied"])
    .where("store", "=", store)
    .where("feed", "=", from);
  yield* database.run(
    build
      .insertInto("feed_named")
      .columns([...NAMED_KEY, "absences", "absent_since_ms", "is_emptied"])
      .expression(named),
  );
  const record = yield* readNote(context, `${FEED_NOTE}${from}`);
  if (record !== undefined) {
    yield* saveNotes(context, { [`${FEED_NOTE}${to}`]: fromJson(record) });
  }
}

const selectNamed = ({ database, store }: FeedContext, feed: string) =>
  database.build
    .selectFrom("feed_named")
    .select(["product_id", "absences", "absent_since_ms", "is_emptied"])
    .where("store", "=", store)
    .where("feed", "=", feed);

async function* readNamed(
  context: FeedContext,
  feed: string,
): AsyncGenerator<readonly NamedProduct[]> {
  const { database } = context;
  let after = "";
  for (;;) {
    const page = selectNamed(context, feed)
      .where(sql<string>`product_id`, ">", after)
      .orderBy("product_id")
      .limit(PAGE_ROWS);
    const found = await database.execute(database.all(page));
    if (found.length > 0) yield found.map(fromColumns);
    if (found.length < PAGE_ROWS) return;
    after = found.at(-1)?.product_id ?? after;
  }
}

type NamedColumns = Omit<Schema["feed_named"], "store" | "feed">;

const toColumns = ({
  productId,
  absences,
  absentSinceMs,
  isEmptied,
}: NamedProduct): NamedColumns => ({
  product_id: productId,
  absences,
  absent_since_ms: absentSinceMs,
  is_emptied: Number(isEmptied),
});

const fromColumns = (columns: NamedColumns): NamedProduct => ({
  productId: columns.product_id,
  absences: columns.absences,
  absentSinceMs: columns.absent_since_ms,
  isEmptied: columns.is_emptied === 1,
});

type Row = Schema["feed_product"];

function* beginRefresh(context: FeedContext): Steps<number> {
  const { seq, sweep: refresh } = yield* readProgress(context);
  yield* saveNotes(context, { [PROGRESS]: { seq, sweep: refresh + 1 } });
  return refresh + 1;
}

async function absorb(context: FeedContext): Promise<number> {
  let count = 0;
  for (;;) {
    const taken = await context.database.transaction(() => applySomeSentChanges(context));
    count += taken;
    if (taken < BATCH_ROWS) return count;
  }
}

function* applySomeSentChanges(context: FeedContext): Steps<number> {
  const { seq, sweep: refresh } = yield* readProgress(context);
  const ended = yield* readEndedRequests(context, { after: seq, limit: BATCH_ROWS });
  for (const one of ended) yield* applySentChange(context, one);
  const last = ended.at(-1);
  if (last !== undefined) {
    yield* saveNotes(context, { [PROGRESS]: { seq: last.seq, sweep: refresh } });
  }
  return ended.length;
}

function* applySentChange(
  context: FeedContext,
  { kind, product_id: productId, code_key, payload_json }: EndedRequest,
): Steps<void> {
  if (productId === null) return;
  const payload = { ...fromJson<Payload>(payload_json) };
  const [known] = yield* readById(context, [productId]);
  if (known === undefined && kind === "update") return;
  const before =
    known === undefined
      ? { productId, codeKey: code_key ?? "", status: "added", shown: { id: productId }, sent: {} }
      : toProduct(known);
  const sent = { ...before.sent, ...pick(payload) };
  yield* saveProduct(context, { ...before, sent }, known?.sweep ?? ADDED);
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

function saveProduct(
  { database, store }: FeedContext,
  product: ShownProduct,
  refresh: number,
): Steps<number> {
  const columns = {
    store,
    product_id: product.productId,
    code_key: product.codeKey,
    status: product.status,
    shown_json: toJson(product.shown),
    sent_json: toJson(product.sent),
    sweep: refresh,
  };
  return database.upsert("feed_product", ["store", "product_id"], columns);
}

const selectRows = ({ database, store }: FeedContext) =>
  database.build.selectFrom("feed_product").selectAll().where("store", "=", store);

const readById = (context: FeedContext, productIds: readonly ProductId[]): Steps<Row[]> =>
  readInBatches(productIds, (batch) =>
    context.database.all(selectRows(context).where("product_id", "in", batch)),
  );

function toProduct(row: Row): ShownProduct {
  const { product_id: productId, code_key: codeKey, status, shown_json, sent_json } = row;
  return { productId, codeKey, status, shown: fromJson(shown_json), sent: fromJson(sent_json) };
}

function* readProgress(context: FeedContext): Steps<Progress> {
  return parseNote(yield* readNote(context, PROGRESS), progressSchema) ?? { seq: 0, sweep: 0 };
}

function* readNote({ database, store }: FeedContext, key: string): Steps<string | undefined> {
  const found = yield* database.get(
    database.build
      .selectFrom("feed_note")
      .select("note_json")
      .where("store", "=", store)
      .where("key", "=", key),
  );
  return found?.note_json;
}

function* saveNotes(
  { database, store }: FeedContext,
  notes: Readonly<Record<string, unknown>>,
): Steps<void> {
  for (const [key, note] of Object.entries(notes)) {
    const columns = { store, key, note_json: toJson(note) };
    yield* database.upsert("feed_note", ["store", "key"], columns);
  }
}
