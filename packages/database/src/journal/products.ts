/**
 * Products of the store: those that we added or changed, as the ledger has them over all runs, and all of
 * them as they were listed last.
 */

import {
  type Ledger,
  type Payload,
  type RowKey,
  type RowRecord,
  type RowState,
  STATE_TABLE,
  type Journal,
} from "@catalog/runs";
import { type RawBuilder, type Selectable, sql } from "kysely";

import { eachStep, type Steps } from "../sql/database.ts";
import { dialectFunctions, fromJson, prepareLookup, toJson, toLiteral } from "../sql/queries.ts";
import type { ProductId, Schema } from "../sql/schema.ts";
import { type RecordColumns, selectRecords, type ToRecord } from "./read-rows.ts";
import { type JournalContext, selectRun } from "./transitions.ts";

type ListedProductRow = Awaited<ReturnType<Journal["readSeenById"]>>[number];

type SentMethods = Pick<
  Ledger,
  | "readSuspectAdds"
  | "readKnownCodes"
  | "freeCode"
  | "readLastSent"
  | "readLatestAdded"
  | "readPriceEvidence"
  | "readAddedTitles"
>;

export function createSentProducts(context: JournalContext, toRecord: ToRecord): SentMethods {
  const { database } = context;
  const readKnownCodes = prepareKnownCodes(context);
  const readLastSent = prepareLastSent(context);
  return {
    readSuspectAdds: (runId, limit) =>
      database.execute(readRecords(readSuspectAdds(context, runId, limit), toRecord)),
    readKnownCodes: (codeKeys) => database.execute(readKnownCodes(codeKeys)),
    async freeCode(key) {
      await database.transaction(() => freeCode(context, key));
    },
    readLastSent: (productIds) => database.execute(readLastSent(productIds)),
    readLatestAdded: () => database.execute(readLatestAdded(context)),
    readPriceEvidence: (limit) => database.execute(readPriceEvidence(context, limit)),
    readAddedTitles: (limit) => database.execute(readAddedTitles(context, limit)),
  };
}

function* readRecords(
  found: Steps<readonly RecordColumns[]>,
  toRecord: ToRecord,
): Steps<readonly RowRecord[]> {
  return yield* eachStep(yield* found, toRecord);
}

function readSuspectAdds(
  context: JournalContext,
  runId: string,
  limit: number,
): Steps<readonly RecordColumns[]> {
  const { build } = context.database;
  const suspect = build
    .selectFrom("event")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("to_state", "=", "ambiguous");
  const done = selectRecords(context.database)
    .where("run_row.run_id", "=", selectRun(context, runId))
    .where("run_row.state", "=", "done")
    .where("run_row.action", "=", "add")
    .where("run_row.row_no", "in", suspect)
    .orderBy("run_row.row_no")
    .limit(limit);
  return context.database.all(done);
}

/**
 * Orders requests by the event that ended them, because a clock may be put back or stand still: the
 * last one of their row, unless its stock was sent and the rest has moved on since. The request
 * keeps its number once the events are archived.
 */
export const ENDED_ORDER: RawBuilder<number> = sql<number>`coalesce(op.ended_seq, (
  SELECT coalesce(max(CASE WHEN to_state = 'done' OR cause = 'stock-sent' THEN seq END), max(seq))
  FROM event WHERE event.run_id = op.run_id AND event.row_no = op.row_no
))`;

interface FoundCode {
  readonly code_key: string | null;
  readonly state: RowState;
  readonly run_id: string;
  readonly row_no: number;
  readonly product_id: ProductId | null;
  readonly row_state: RowState;
}

function prepareKnownCodes({
  database,
  store,
}: JournalContext): (
  codeKeys: readonly string[],
) => Steps<Awaited<ReturnType<Journal["readKnownCodes"]>>> {
  const read = prepareLookup<string, FoundCode>(database, (list) =>
    database.build
      .selectFrom("op")
      .innerJoin("run_row", (join) =>
        join.onRef("run_row.run_id", "=", "op.run_id").onRef("run_row.row_no", "=", "op.row_no"),
      )
      .select([
        "op.code_key",
        "op.state",
        "op.run_id",
        "op.row_no",
        "op.product_id",
        "run_row.state as row_state",
      ])
      .where("op.store", "=", store)
      .where("op.code_key", "in", list)
      .where("op.kind", "=", toLiteral("add"))
      .where("op.state", "in", STATE_TABLE.takingCode.map(toLiteral)),
  );
  return function* readKnownCodes(codeKeys) {
    const found = yield* read(codeKeys);
    return found.map(({ code_key, state, run_id, row_no, product_id, row_state }) => ({
      codeKey: code_key ?? "",
      state,
      runId: run_id,
      row: row_no,
      productId: product_id,
      isRefused: state === "held" && OVER.has(row_state),
    }));
  };
}

/** Final states of a row whose request keeps its code while its outcome is unproven. */
const OVER: ReadonlySet<RowState> = new Set(["rejected", "cancelled"]);

function freeCode({ database, store }: JournalContext, { runId, row }: RowKey): Steps<number> {
  const { build } = database;
  const isOver = build
    .selectFrom("run_row")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("row_no", "=", row)
    .where("state", "in", [...OVER]);
  return database.run(
    build
      .updateTable("op")
      .set({ state: "rejected" })
      .where("store", "=", store)
      .where("run_id", "=", runId)
      .where("row_no", "=", row)
      .where("state", "=", "held")
      .where((where) => where.exists(isOver)),
  );
}

type LastSent = NonNullable<ReturnType<Awaited<ReturnType<Ledger["readLastSent"]>>["get"]>>;

interface SentBody {
  readonly product_id: ProductId | null;
  readonly payload_json: string;
}

/** Merges answered adds and updates in the order in which they ended. */
function prepareLastSent({
  database,
  store,
}: JournalContext): (productIds: readonly ProductId[]) => Steps<Map<ProductId, LastSent>> {
  const read = prepareLookup<ProductId, SentBody>(database, (list) =>
    database.build
      .selectFrom("op")
      .select(["product_id", "payload_json"])
      .where("store", "=", store)
      .where("product_id", "in", list)
      .where("state", "=", toLiteral("done"))
      .orderBy(ENDED_ORDER),
  );
  return function* readLastSent(productIds) {
    const sent = new Map<ProductId, LastSent>();
    for (const { product_id, payload_json } of yield* read(productIds)) {
      if (product_id === null) continue;
      sent.set(product_id, { ...sent.get(product_id), ...fromJson<Payload>(payload_json) });
    }
    return sent;
  };
}

function* readLatestAdded({
  database,
  store,
}: JournalContext): Steps<Awaited<ReturnType<Ledger["readLatestAdded"]>>> {
  const found = yield* database.get(
    database.build
      .selectFrom("op")
      .innerJoin("run_row", (join) =>
        join.onRef("run_row.run_id", "=", "op.run_id").onRef("run_row.row_no", "=", "op.row_no"),
      )
      .select(["run_row.code", "op.product_id"])
      .where("op.store", "=", store)
      .where("op.kind", "=", "add")
      .where("op.state", "=", "done")
      .where("op.product_id", "is not", null)
      .where("run_row.code", "is not", null)
      .orderBy(ENDED_ORDER, "desc")
      .limit(1),
  );
  if (found === undefined) return undefined;
  const { code, product_id: productId } = found;
  return code === null || productId === null ? undefined : { code, productId };
}

/**
 * Reads the price last sent for each product with the listed price. An older sent price is no
 * evidence, because the listing cannot show it any more.
 */
function* readPriceEvidence(
  { database, store }: JournalContext,
  limit: number,
): Steps<{ sent: number; seen: number }[]> {
  const pairs = yield* database.all(
    database.build
      .with("priced", (build) =>
        build
          .selectFrom("op")
          .select(["product_id", "price", ENDED_ORDER.as("settled")])
          .select(
            sql<number>`row_number() OVER (PARTITION BY product_id ORDER BY ${ENDED_ORDER} DESC)`.as(
              "age",
            ),
          )
          .where("store", "=", store)
          .where("state", "=", "done")
          .where("price", "is not", null),
      )
      .selectFrom("priced")
      .innerJoin("seen_product", "seen_product.product_id", "priced.product_id")
      .select(["priced.price as sent", "seen_product.price as seen"])
      .where("seen_product.store", "=", store)
      .where("seen_product.price", "is not", null)
      .where("priced.age", "=", 1)
      .orderBy("priced.settled", "desc")
      .limit(limit),
  );
  return pairs.flatMap(({ sent, seen }) =>
    sent === null || seen === null ? [] : [{ sent, seen }],
  );
}

type TitledProduct = Awaited<ReturnType<Journal["readAddedTitles"]>>[number];

/** The newest requests are found first, so that only their bodies are read. */
function* readAddedTitles(
  { database, store }: JournalContext,
  limit: number,
): Steps<readonly TitledProduct[]> {
  const { jsonText } = dialectFunctions(database.dialect);
  const body = sql.ref<string>("op.payload_json");
  const found = yield* database.all(
    database.build
      .with("newest", (build) =>
        build
          .selectFrom("op")
          .select(["run_id", "row_no", "begun_at_ms"])
          .where("store", "=", store)
          .where("kind", "=", "add")
          .where("state", "=", "done")
          .orderBy("begun_at_ms", "desc")
          .orderBy("run_id", "desc")
          .orderBy("row_no", "desc")
          .limit(limit),
      )
      .selectFrom("newest")
      .innerJoin("op", (join) =>
        join.onRef("op.run_id", "=", "newest.run_id").onRef("op.row_no", "=", "newest.row_no"),
      )
      .select([
        jsonText(body, "title").as("title"),
        jsonText(body, "category_id").as("category"),
        jsonText(body, "brand_id").as("brand"),
        jsonText(body, "brand_model").as("model"),
      ])
      .orderBy("newest.begun_at_ms", "desc")
      .orderBy("newest.run_id", "desc")
      .orderBy("newest.row_no", "desc"),
  );
  return found.map(({ title, category, brand, model }) => ({
    title: title ?? "",
    categoryId: category,
    categoryName: null,
    brandId: brand,
    model,
  }));
}

export function createSeenProducts(
  context: JournalContext,
): Pick<
  Journal,
  "clearSeen" | "saveSeen" | "readSeenCodes" | "readSeenByCode" | "readSeenById" | "readSeenTitles"
> {
  const { database, store } = context;
  const { build } = database;
  const save = database.prepareInsert(
    "seen_product",
    ["store", "product_id", "code_key", "suspect_key", "status", "price", "product_json"],
    { replaceBy: ["store", "product_id"] },
  );
  const selectSeen = build
    .selectFrom("seen_product")
    .select(["code_key", "status", "product_json"])
    .where("store", "=", store);
  const byCode = prepareLookup<string, FoundSeen>(database, (list) =>
    selectSeen.where("code_key", "in", list),
  );
  const seenCodes = prepareLookup<string, Pick<SeenColumns, "code_key">>(database, (list) =>
    build
      .selectFrom("seen_product")
      .select("code_key")
      .where("store", "=", store)
      .where("code_key", "in", list),
  );
  const byId = prepareLookup<ProductId, FoundSeen>(database, (list) =>
    selectSeen.where("product_id", "in", list),
  );

  return {
    async clearSeen() {
      await database.transaction(() => clearSeen(context));
    },
    async saveSeen(products) {
      // An empty list writes nothing.
      if (products.length === 0) return;
      await database.transactionUnsynced(() =>
        save(products.map((seen) => toColumns(store, seen))),
      );
    },
    async readSeenCodes(codeKeys) {
      const found = await database.execute(seenCodes(codeKeys));
      return new Set(found.map(({ code_key }) => code_key));
    },
    async readSeenByCode(codeKeys) {
      return (await database.execute(byCode(codeKeys))).map(toSeen);
    },
    async readSeenById(productIds) {
      return (await database.execute(byId(productIds))).map(toSeen);
    },
    readSeenTitles: (limit) => database.execute(readSeenTitles(context, limit)),
  };
}

function* readSeenTitles(
  { database, store }: JournalContext,
  limit: number,
): Steps<readonly TitledProduct[]> {
  const { jsonText } = dialectFunctions(database.dialect);
  const shown = sql.ref<string>("product_json");
  const found = yield* database.all(
    database.build
      .selectFrom("seen_product")
      .select([
        jsonText(shown, "title").as("title"),
        jsonText(shown, "category_name").as("category"),
        jsonText(shown, "brand_id").as("brand"),
      ])
      .where("store", "=", store)
      .orderBy("id")
      .limit(limit),
  );
  return found.map(({ title, category, brand }) => ({
    title: title ?? "",
    categoryId: null,
    categoryName: category,
    brandId: brand,
    model: null,
  }));
}

function* clearSeen(context: JournalContext): Steps<number> {
  const { database, store } = context;
  // Without a condition SQLite empties the table at once instead of row by row. PostgreSQL does not,
  // and another store may begin to write its products between the two statements.
  const isOnly =
    database.dialect === "sqlite" && (yield* database.get(selectOthers(context))) === undefined;
  const all = database.build.deleteFrom("seen_product");
  return yield* database.run(isOnly ? all : all.where("store", "=", store));
}

/** Products of other stores. */
const selectOthers = ({ database, store }: JournalContext) =>
  database.build
    .selectFrom("seen_product")
    .select("store")
    .where((where) => where.or([where("store", "<", store), where("store", ">", store)]))
    .limit(1);

type SeenColumns = Omit<Selectable<Schema["seen_product"]>, "id" | "store">;

const toColumns = (store: number, seen: ListedProductRow) => ({
  store,
  product_id: seen.product.id,
  code_key: seen.codeKey,
  suspect_key: seen.suspectKey ?? null,
  status: seen.status,
  price: seen.product.price ?? null,
  product_json: toJson(seen.product),
});

type FoundSeen = Pick<SeenColumns, "code_key" | "status" | "product_json">;

const toSeen = ({ code_key, status, product_json }: FoundSeen): ListedProductRow => ({
  codeKey: code_key,
  status,
  product: fromJson(product_json),
});
