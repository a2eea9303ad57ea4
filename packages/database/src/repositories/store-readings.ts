/**
 * Readings of the store's products. Each is compared with the one before and with what our runs have
 * sent meanwhile, in the transaction that stores it, so that what others changed is known.
 */

import {
  addUnshown,
  findShownChanges,
  type ListedProductRow,
  type Payload,
  type PriceUnit,
} from "@catalog/runs";
import { type RawBuilder, sql } from "kysely";

import { readEndedRequests } from "../journal/ended-requests.ts";
import type { Database, Steps } from "../sql/database.ts";
import { fromJson, prepareLookup, readInBatches, toJson } from "../sql/queries.ts";
import type { ProductId, Schema } from "../sql/schema.ts";

type UnshownFields = ReturnType<typeof addUnshown>;
type ShownChange = ReturnType<typeof findShownChanges>["others"][number];

/** A product as the marketplace lists it. */
export type StoredListing = Pick<ListedProductRow, "status" | "product">;

/** What a product is found, filtered and sorted by; the caller derives it from the listing. */
interface ProductIndex {
  readonly brand: string | null;
  readonly category: string | null;
  /** Folded texts in which a text is looked for. */
  readonly folded: string;
  /** Texts that compare sign by sign as code, title, brand and category are sorted. */
  readonly sort: Readonly<Record<"code" | "title" | "brand" | "category", string>>;
  /** Price and what the buyer pays, in minor units, under each unit that the listing may have. */
  readonly amounts: Readonly<Record<"minor" | "major", ProductAmounts>>;
  /** In percent of the price; `null` for none. */
  readonly discount: number | null;
  readonly images: number;
}

interface ProductAmounts {
  readonly price: number | null;
  readonly paid: number | null;
}

/** A product that was read just now. */
export interface ReadProduct extends StoredListing {
  readonly index: ProductIndex;
  /** When it was read. */
  readonly atMs: number;
}

/** What is known of the list as a whole. */
export interface StoreProductState {
  readonly total: number;
  /** Grows with each change of what the list shows. */
  readonly version: number;
  /** When the last whole reading began; `null` before the first one. */
  readonly readAtMs: number | null;
  /** The reading that has begun and not ended, also where its process is gone; `null` for none. */
  readonly begun: { readonly atMs: number; readonly met: number } | null;
}

interface SaveOptions {
  /** The whole reading that has met them. @default they were read by their ids */
  readonly reading?: number | undefined;
  readonly priceUnit: PriceUnit;
}

/** Writes the list of one store. */
export interface StoreReadings {
  readState(): Promise<StoreProductState>;
  /** Begins to read the whole store; returns the number of the reading. */
  beginReading(): Promise<number>;
  /** Stores products that were read, and what others have changed in them. */
  save(products: readonly ReadProduct[], options: SaveOptions): Promise<void>;
  /** Returns the products that the reading has not met. */
  readUnmet(reading: number): Promise<readonly ProductId[]>;
  /**
   * Ends a whole reading: forgets the products that it has not met, and changes that are older than
   * `keptMs`. Does nothing where another reading has begun since.
   */
  endReading(reading: number, keptMs: number): Promise<void>;
  /** Forgets products that the store no longer has. */
  forget(productIds: readonly ProductId[]): Promise<void>;
  /** Notes which products our runs have changed since the last time; returns their requests. */
  noteSent(priceUnit: PriceUnit): Promise<number>;
}

export interface StoreContext {
  readonly database: Database;
  readonly store: number;
  readonly now: () => number;
}

type Row = Schema["store_product"];

const COLUMNS = [
  "product_id",
  "code",
  "status",
  "brand",
  "category",
  "folded",
  "code_sort",
  "title_sort",
  "brand_sort",
  "category_sort",
  "price_if_minor",
  "price_if_major",
  "paid_if_minor",
  "paid_if_major",
  "discount",
  "stock",
  "images",
  "reading",
  "read_at_ms",
  "ours_at_ms",
  "others_at_ms",
  "unshown_json",
] as const satisfies readonly (keyof Row)[];

const KEY = ["store", "number"] as const;

/** Ended requests that are counted in at a time. */
const BATCH = 500;

export function createStoreReadings(context: StoreContext): StoreReadings {
  const { database, now } = context;
  const save = prepareSave(context);
  return {
    readState: () => database.snapshot(() => readWholeState(context)),
    beginReading: () =>
      database.transaction(function* begin() {
        const { reading } = yield* openState(context);
        yield* writeState(context, { reading: reading + 1, begun_at_ms: now() });
        return reading + 1;
      }),
    save: (read, given) => database.transactionUnsynced(() => save(read, given)),
    async readUnmet(reading) {
      const unmet = selectUnmet(context, reading);
      return (await database.execute(database.all(unmet))).map(({ product_id: id }) => id);
    },
    async endReading(reading, keptMs) {
      await database.transaction(() => endReading(context, reading, keptMs));
    },
    forget: (productIds) => database.transaction(() => forget(context, productIds)),
    async noteSent(priceUnit) {
      let count = 0;
      for (;;) {
        const taken = await database.transactionUnsynced(() => noteSome(context, priceUnit));
        count += taken;
        if (taken < BATCH) return count;
      }
    },
  };
}

const selectUnmet = ({ database, store }: StoreContext, reading: number) =>
  database.build
    .selectFrom("store_product")
    .select("product_id")
    .where("store", "=", store)
    .where("reading", "<", reading);

function* endReading(context: StoreContext, reading: number, keptMs: number): Steps<void> {
  const { database, store, now } = context;
  const state = yield* openState(context);
  if (state.reading !== reading) return;
  const unmet = yield* database.all(selectUnmet(context, reading));
  yield* forget(
    context,
    unmet.map(({ product_id: id }) => id),
  );
  const changes = database.build.deleteFrom("store_change").where("store", "=", store);
  yield* database.run(changes.where("at_ms", "<", now() - keptMs));
  yield* writeState(context, { begun_at_ms: null, read_at_ms: state.begun_at_ms });
}

function* forget(context: StoreContext, productIds: readonly ProductId[]): Steps<void> {
  const { database, store } = context;
  const { build } = database;
  const products = build.selectFrom("store_product").select("number").where(ofStore(context));
  const found = yield* readInBatches(productIds, (batch) =>
    database.all(products.where("product_id", "in", batch)),
  );
  for (const { number } of found) {
    for (const table of ["store_product", "store_product_json"] as const) {
      const stored = build.deleteFrom(table).where("store", "=", store);
      yield* database.run(stored.where("number", "=", number));
    }
  }
  if (found.length > 0) yield* writeState(context, {});
}

type State = Schema["store_reading"];

const readState = ({ database, store }: StoreContext): Steps<State | undefined> =>
  database.get(database.build.selectFrom("store_reading").selectAll().where("store", "=", store));

/** The state; what our runs sent before the first reading is not looked at again. */
function* openState(context: StoreContext): Steps<State> {
  const known = yield* readState(context);
  if (known !== undefined) return known;
  const { database, store } = context;
  const last = yield* database.get(
    database.build.selectFrom("event").select(sql<number | null>`max(seq)`.as("seq")),
  );
  const state: State = {
    store,
    version: 0,
    reading: 0,
    last_number: 0,
    seq: last?.seq ?? 0,
    begun_at_ms: null,
    read_at_ms: null,
  };
  yield* database.upsert("store_reading", ["store"], state);
  return state;
}

/** Writes what is new of the state, and says that the list shows something else. */
function* writeState({ database, store }: StoreContext, change: Partial<State>): Steps<void> {
  const update = database.build
    .updateTable("store_reading")
    .set({ ...change, version: sql<number>`version + 1` })
    .where("store", "=", store);
  yield* database.run(update);
}

function* readWholeState(context: StoreContext): Steps<StoreProductState> {
  const state = yield* readState(context);
  const total = yield* countMet(context, 0);
  if (state === undefined) return { total, version: 0, readAtMs: null, begun: null };
  const { version, reading, begun_at_ms: atMs, read_at_ms: readAtMs } = state;
  const begun = atMs === null ? null : { atMs, met: yield* countMet(context, reading) };
  return { total, version, readAtMs, begun };
}

function* countMet({ database, store }: StoreContext, reading: number): Steps<number> {
  const found = yield* database.get(
    database.build
      .selectFrom("store_product")
      .select(sql<number>`count(*)`.as("products"))
      .where("store", "=", store)
      .where("reading", ">=", reading),
  );
  return found?.products ?? 0;
}

function* noteSome(context: StoreContext, priceUnit: PriceUnit): Steps<number> {
  const { database, store } = context;
  const state = yield* readState(context);
  if (state === undefined) return 0;
  const ended = yield* readEndedRequests(context, { after: state.seq, limit: BATCH });
  const last = ended.at(-1);
  if (last === undefined) return 0;
  const ids = ended.map(({ product_id: id }) => id).filter((id) => id !== null);
  const known = new Map((yield* readWith(context, ids)).map((row) => [row.product_id, row]));
  const changed = new Set<JoinedRow>();
  for (const { product_id: id, payload_json, at_ms: atMs } of ended) {
    const row = id === null ? undefined : known.get(id);
    if (row === undefined) continue;
    const by = { product: fromJson<ListedProductRow["product"]>(row.product_json), priceUnit };
    const sent = { body: fromJson<Payload>(payload_json), atMs };
    row.unshown_json = fromUnshown(addUnshown(toUnshown(row.unshown_json), sent, by));
    row.ours_at_ms = Math.max(row.ours_at_ms ?? 0, atMs);
    changed.add(row);
  }
  for (const { number, unshown_json, ours_at_ms } of changed) {
    const update = database.build.updateTable("store_product").set({ unshown_json, ours_at_ms });
    yield* database.run(update.where("store", "=", store).where("number", "=", number));
  }
  const update = database.build.updateTable("store_reading").set({ seq: last.seq });
  yield* database.run(update.where("store", "=", store));
  if (changed.size > 0) yield* writeState(context, {});
  return ended.length;
}

export const toUnshown = (json: string | null): UnshownFields =>
  json === null ? {} : fromJson(json);

const fromUnshown = (unshown: UnshownFields): string | null =>
  Object.keys(unshown).length === 0 ? null : toJson(unshown);

export interface JoinedRow extends Row {
  readonly product_json: string;
}

const selectWith = ({ database }: Pick<StoreContext, "database">) =>
  database.build
    .selectFrom("store_product")
    .innerJoin("store_product_json", (join) =>
      join
        .onRef("store_product_json.store", "=", "store_product.store")
        .onRef("store_product_json.number", "=", "store_product.number"),
    )
    .selectAll("store_product")
    .select("store_product_json.product_json");

/**
 * Keeps SQLite from the index that begins with the store: without statistics it takes a store for
 * small, and would read all of its products rather than look up a list of ids.
 */
const ofStore = ({ store }: Pick<StoreContext, "store">): RawBuilder<boolean> =>
  sql<boolean>`+store_product.store = ${store}`;

export const readWith = (
  context: StoreContext,
  productIds: readonly ProductId[],
): Steps<JoinedRow[]> =>
  readInBatches(productIds, (batch) =>
    context.database.all(
      selectWith(context).where("store_product.product_id", "in", batch).where(ofStore(context)),
    ),
  );

export const readWithNumbers = (
  context: StoreContext,
  numbers: readonly number[],
): Steps<JoinedRow[]> =>
  readInBatches(numbers, (batch) =>
    context.database.all(
      selectWith(context)
        .where("store_product.store", "=", context.store)
        .where("store_product.number", "in", batch),
    ),
  );

type Save = (products: readonly ReadProduct[], options: SaveOptions) => Steps<void>;

function prepareSave(context: StoreContext): Save {
  const addNew = prepareAddNew(context);
  const saveKnown = prepareSaveKnown(context);
  const readOpen = prepareRequests(context, ["sending", "ambiguous"]);
  return function* save(products, options) {
    // A product that is listed twice in a batch has moved; the later page counts.
    const latest = [...new Map(products.map((read) => [read.product.id, read])).values()];
    const { last_number: first, begun_at_ms: begunAtMs } = yield* openState(context);
    while ((yield* noteSome(context, options.priceUnit)) === BATCH);
    const ids = latest.map(({ product }) => product.id);
    const known = new Map((yield* readWith(context, ids)).map((row) => [row.product_id, row]));
    const open = Map.groupBy(yield* readOpen([...known.keys()]), ({ product_id: id }) => id);
    const fresh = latest.filter(({ product }) => !known.has(product.id));
    yield* addNew(fresh, options, first + 1);
    let isChanged = fresh.length > 0;
    for (const read of latest) {
      const row = known.get(read.product.id);
      if (row === undefined) continue;
      const given = { ...options, begunAtMs, open: open.get(read.product.id) ?? [] };
      if (yield* saveKnown(read, row, given)) isChanged = true;
    }
    if (isChanged) yield* writeState(context, { last_number: first + fresh.length });
  };
}

interface SentRequest {
  readonly product_id: ProductId | null;
  readonly payload_json: string;
  readonly begun_at_ms: number;
  readonly settled_at_ms: number | null;
}

/** Reads the requests in these states, in the order in which they began. */
const prepareRequests = (
  { database, store }: StoreContext,
  states: readonly ("sending" | "ambiguous" | "done")[],
): ((ids: readonly ProductId[]) => Steps<readonly SentRequest[]>) =>
  prepareLookup<ProductId, SentRequest>(database, (list) =>
    database.build
      .selectFrom("op")
      .select(["product_id", "payload_json", "begun_at_ms", "settled_at_ms"])
      .where("product_id", "in", list)
      .where("store", "=", store)
      .where(
        "state",
        "in",
        states.map((state) => sql.lit(state)),
      )
      .orderBy("begun_at_ms"),
  );

/** A reading that shows what we sent so shortly before may still show what was there before. */
const LATELY_MS = 60 * 60_000;

type AddNew = (
  products: readonly ReadProduct[],
  options: SaveOptions,
  firstNumber: number,
) => Steps<void>;

/** Adds products that the list does not have yet; nothing can be said of what others did before. */
function prepareAddNew(context: StoreContext): AddNew {
  const { database, store } = context;
  const insert = database.prepareInsert("store_product", [...KEY, ...COLUMNS]);
  const insertJson = database.prepareInsert("store_product_json", [...KEY, "product_json"]);
  const readDone = prepareRequests(context, ["done"]);
  return function* addNew(products, { reading = 0, priceUnit }, firstNumber) {
    const done = yield* readDone(products.map(({ product }) => product.id));
    const sent = Map.groupBy(done, ({ product_id: id }) => id);
    const rows = products.map((read, at): Row => {
      const requests = (sent.get(read.product.id) ?? []).map((request) => ({
        body: fromJson<Payload>(request.payload_json),
        atMs: request.settled_at_ms ?? request.begun_at_ms,
      }));
      const unshown = requests
        .filter(({ atMs }) => atMs >= read.atMs - LATELY_MS)
        .reduce<UnshownFields>(
          (known, request) => addUnshown(known, request, { product: read.product, priceUnit }),
          {},
        );
      return {
        ...toColumns(read),
        store,
        number: firstNumber + at,
        reading,
        ours_at_ms: requests.length === 0 ? null : Math.max(...requests.map(({ atMs }) => atMs)),
        others_at_ms: null,
        unshown_json: fromUnshown(unshown),
      };
    });
    yield* insert(rows);
    yield* insertJson(
      products.map(({ product }, at) => ({
        store,
        number: firstNumber + at,
        product_json: toJson(product),
      })),
    );
  };
}

interface SaveKnownOptions extends SaveOptions {
  /** When the whole reading began. */
  readonly begunAtMs: number | null;
  /** Requests for the product that are under way. */
  readonly open: readonly SentRequest[];
}

type SaveKnown = (read: ReadProduct, known: JoinedRow, options: SaveKnownOptions) => Steps<boolean>;

/** Writes a product that the list has; returns whether the list shows something else now. */
function prepareSaveKnown(context: StoreContext): SaveKnown {
  const { database, store } = context;
  const update = database.prepareUpdate("store_product", KEY, COLUMNS);
  const meet = database.prepareUpdate("store_product", KEY, ["reading", "read_at_ms"]);
  const updateJson = database.prepareUpdate("store_product_json", KEY, ["product_json"]);
  const addChanges = prepareAddChanges(context);
  return function* saveKnown(read, known, { reading = 0, begunAtMs, priceUnit, open }) {
    const key = { store, number: known.number };
    const met = { ...key, reading: Math.max(reading, known.reading), read_at_ms: read.atMs };
    // Pages are read ahead, so that one may be older than what a reading by id has shown meanwhile.
    if (reading > known.reading && known.read_at_ms > (begunAtMs ?? Infinity)) {
      yield* meet({ ...met, read_at_ms: known.read_at_ms });
      return false;
    }
    const json = toJson(read.product);
    const isSame = json === known.product_json && read.status === known.status;
    if (isSame && known.unshown_json === null) {
      yield* meet(met);
      return false;
    }
    const before = {
      status: known.status,
      product: fromJson<ListedProductRow["product"]>(known.product_json),
      atMs: known.read_at_ms,
    };
    const { others, unshown } = findShownChanges(before, read, {
      unshown: toUnshown(known.unshown_json),
      open: open.map((request) => fromJson<Payload>(request.payload_json)),
      priceUnit,
    });
    yield* addChanges(read, others);
    yield* update({
      ...toColumns(read),
      ...met,
      ours_at_ms: known.ours_at_ms,
      others_at_ms: others.some((change) => !isSale(change)) ? read.atMs : known.others_at_ms,
      unshown_json: fromUnshown(unshown),
    });
    if (json !== known.product_json) yield* updateJson({ ...key, product_json: json });
    return true;
  };
}

function prepareAddChanges({
  database,
  store,
}: StoreContext): (read: ReadProduct, changes: readonly ShownChange[]) => Steps<number> {
  const insert = database.prepareInsert("store_change", [
    "store",
    "product_id",
    "field",
    "before_json",
    "after_json",
    "since_ms",
    "at_ms",
  ]);
  return ({ product, atMs }, changes) =>
    insert(
      changes.map(({ field, before, after, sinceMs }) => ({
        store,
        product_id: product.id,
        field,
        before_json: toOptionalJson(before),
        after_json: toOptionalJson(after),
        since_ms: sinceMs,
        at_ms: atMs,
      })),
    );
}

/** A stock that falls is most likely sold, which is no reason to look at the product. */
const isSale = ({ field, before, after }: ShownChange): boolean =>
  field === "stock_count" &&
  typeof before === "number" &&
  typeof after === "number" &&
  after < before;

const toOptionalJson = (value: unknown): string | null =>
  value === undefined ? null : toJson(value);

function toColumns({ product, status, index, atMs }: ReadProduct) {
  const { brand, category, folded, sort, amounts, discount, images } = index;
  return {
    product_id: product.id,
    code: product.product_code ?? null,
    status,
    brand,
    category,
    folded,
    code_sort: sort.code,
    title_sort: sort.title,
    brand_sort: sort.brand,
    category_sort: sort.category,
    price_if_minor: amounts.minor.price,
    price_if_major: amounts.major.price,
    paid_if_minor: amounts.minor.paid,
    paid_if_major: amounts.major.paid,
    discount,
    stock: product.stock ?? null,
    images,
    read_at_ms: atMs,
  };
}
