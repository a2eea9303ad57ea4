/** Codes in use in a store by the key that look-alikes share, and how the store rewrites codes. */

import { type CodeRegistry, FEED_COMMAND, type FilterProofs, STATE_TABLE } from "@catalog/runs";

import {
  createLeasedDatabase,
  type LeasedDatabase,
  type RepositoryOptions,
} from "../locks/leases.ts";
import { eachStep, type Steps } from "../sql/database.ts";
import { fromJson, readInBatches, toJsonList, toLiteral } from "../sql/queries.ts";

type TakenCode = Awaited<ReturnType<CodeRegistry["readLookAlikes"]>>[number];

/** A repository, and the key of look-alike codes. */
interface CodeRegistryOptions extends RepositoryOptions {
  /** Codes with the same key look alike. */
  readonly suspectKey: (code: string) => string;
}

/** The context that each part of the registry gets. */
interface CodeContext extends Omit<CodeRegistryOptions, "store"> {
  readonly database: LeasedDatabase;
  readonly store: number;
}

/** Creates the registry of one store. */
export function createCodeRegistry(options: CodeRegistryOptions): CodeRegistry {
  const database = createLeasedDatabase(options);
  const context = { ...options, database, store: database.storeKey(options.store) };
  const fill = createFill(context);
  const waitingFor = createWaiting(context);
  return {
    async readLookAlikes(runId, suspectKeys) {
      if (suspectKeys.length === 0) return [];
      await fill();
      return await context.database.execute(readAlike(runId, suspectKeys));
    },
    readPairs: (limit) => context.database.execute(readPairs(context, limit)),
    ...createNormalization(context),
  };

  function* readAlike(
    runId: string | null,
    suspectKeys: readonly string[],
  ): Steps<readonly TakenCode[]> {
    const waiting: WaitingCodes = runId === null ? new Map() : yield* waitingFor(runId);
    const sent = yield* readSent(context, suspectKeys);
    const own = new Set(sent.filter(({ id }) => id === runId).map(({ code }) => code));
    const seen = yield* readSeen(context, suspectKeys);
    return [
      ...seen.filter(({ code }) => !own.has(code)),
      ...sent.filter(({ id }) => id !== runId),
      ...[...new Set(suspectKeys)].flatMap((key) => waiting.get(key) ?? []),
    ];
  }
}

function* readSeen(
  { database, store }: CodeContext,
  suspectKeys: readonly string[],
): Steps<readonly TakenCode[]> {
  const found = yield* readInBatches(suspectKeys, (batch) =>
    database.all(
      database.build
        .selectFrom("seen_product")
        .select(["product_id", "suspect_key", "code_key", "product_json"])
        .where("store", "=", store)
        .where("suspect_key", "in", batch),
    ),
  );
  return found.map(({ product_id: id, suspect_key, code_key: code, product_json }) => ({
    code,
    suspectKey: suspect_key ?? "",
    where: "store",
    id,
    title: readTitle(product_json),
  }));
}

function* readSent(
  { database, store }: CodeContext,
  suspectKeys: readonly string[],
): Steps<readonly TakenCode[]> {
  const found = yield* readInBatches(suspectKeys, (batch) =>
    database.all(
      database.build
        .selectFrom("op")
        .select(["run_id", "suspect_key", "code_key", "payload_json"])
        .where("store", "=", store)
        .where("suspect_key", "in", batch)
        .where("kind", "=", toLiteral("add"))
        .where("state", "in", STATE_TABLE.takingCode.map(toLiteral)),
    ),
  );
  return found.map(({ run_id: id, suspect_key, code_key, payload_json }) => ({
    code: code_key ?? "",
    suspectKey: suspect_key ?? "",
    where: "sent",
    id,
    title: readTitle(payload_json),
  }));
}

const readTitle = (json: string): string | undefined =>
  fromJson<{ readonly title?: string | null }>(json).title ?? undefined;

type WaitingCodes = ReadonlyMap<string, readonly TakenCode[]>;

/**
 * Reads waiting codes by key once for each planned run, because no other run starts to send
 * meanwhile.
 */
function createWaiting(context: CodeContext): (runId: string) => Steps<WaitingCodes> {
  let known: { readonly runId: string; readonly waiting: WaitingCodes } | undefined;
  return function* waitingFor(runId) {
    if (known?.runId === runId) return known.waiting;
    const found = yield* readWaiting(context, runId);
    const waiting = Map.groupBy(found, ({ suspectKey }) => suspectKey);
    known = { runId, waiting };
    return waiting;
  };
}

/** Adds of other runs that have started to send and are not finished. */
function* readWaiting(
  { database, store, suspectKey }: CodeContext,
  runId: string,
): Steps<readonly TakenCode[]> {
  const rows = yield* database.all(
    database.build
      .selectFrom("run_row")
      .innerJoin("run", "run.id", "run_row.run_id")
      .select(["run_row.run_id", "run_row.code_key"])
      .where("run.store", "=", store)
      .where("run.id", "<>", runId)
      .where("run.command", "<>", FEED_COMMAND)
      .where("run.state", "in", ["running", "stopped"])
      .where("run_row.state", "=", "ready")
      .where("run_row.action", "=", "add")
      .where("run_row.code_key", "is not", null),
  );
  return rows.map(({ run_id: id, code_key }) => {
    const code = code_key ?? "";
    return { code, suspectKey: suspectKey(code), where: "waiting", id };
  });
}

/** Keys written in one transaction. */
const FILL_BATCH = 2_000;

/** Fills in missing keys of adds here, so that sending does not have to. */
function createFill({ database, store, suspectKey }: CodeContext): () => Promise<void> {
  const { build } = database;
  const unkeyed = build
    .selectFrom("op")
    .select(["run_id", "row_no", "code_key"])
    .where("store", "=", store)
    .where("suspect_key", "is", null)
    .where("kind", "=", toLiteral("add"))
    .limit(FILL_BATCH);
  const save = database.prepareUpdate("op", ["run_id", "row_no"], ["suspect_key"]);
  return async () => {
    for (;;) {
      const found = await database.execute(database.all(unkeyed));
      if (found.length === 0) return;
      await database.transactionUnsynced(() =>
        eachStep(found, ({ code_key, ...key }) =>
          save({ ...key, suspect_key: suspectKey(code_key ?? "") }),
        ),
      );
    }
  };
}

/** Reads pairs from the listing cache and from the last listing of a sync. */
function* readPairs(
  context: CodeContext,
  limit: number,
): Steps<readonly { readonly sent: string; readonly shown: string }[]> {
  const found = [
    ...(yield* readSeenPairs(context, "<>", limit)),
    ...(yield* readFeedPairs(context, "<>", limit)),
    ...(yield* readSeenPairs(context, "=", limit)),
    ...(yield* readFeedPairs(context, "=", limit)),
  ];
  return found.slice(0, limit).map(({ sent, shown_json }) => ({
    sent: sent ?? "",
    shown: fromJson<{ readonly product_code?: string | null }>(shown_json).product_code ?? "",
  }));
}

interface FoundPair {
  readonly sent: string | null;
  readonly shown_json: string;
}

/**
 * Selects adds that are done, with the codes of their rows. A store has fewer of them than products,
 * so that they are gone through and not the listing, as SQLite would do of itself.
 */
const selectAdded = ({ database, store }: CodeContext) =>
  database.build
    .selectFrom("op")
    .innerJoin("run_row", (join) =>
      join.onRef("run_row.run_id", "=", "op.run_id").onRef("run_row.row_no", "=", "op.row_no"),
    )
    .select("run_row.code as sent")
    .where("op.store", "=", store)
    .where("op.kind", "=", toLiteral("add"))
    // The condition of the index, without which all requests are visited.
    .where("op.state", "in", STATE_TABLE.takingCode.map(toLiteral))
    .where("op.state", "=", toLiteral("done"));

const readSeenPairs = (
  context: CodeContext,
  compared: "=" | "<>",
  limit: number,
): Steps<FoundPair[]> =>
  context.database.all(
    selectAdded(context)
      // SQLite keeps the order of the tables of a cross join.
      .crossJoin("seen_product")
      .select("seen_product.product_json as shown_json")
      .whereRef("seen_product.product_id", "=", "op.product_id")
      .where("seen_product.store", "=", context.store)
      .whereRef("seen_product.code_key", compared, "op.code_key")
      .limit(limit),
  );

const readFeedPairs = (
  context: CodeContext,
  compared: "=" | "<>",
  limit: number,
): Steps<FoundPair[]> =>
  context.database.all(
    selectAdded(context)
      .crossJoin("feed_product")
      .select("feed_product.shown_json")
      .whereRef("feed_product.product_id", "=", "op.product_id")
      .where("feed_product.store", "=", context.store)
      .whereRef("feed_product.code_key", compared, "op.code_key")
      .limit(limit),
  );

function createNormalization({
  database,
  clock,
  store,
}: CodeContext): Pick<CodeRegistry, "readNormalization" | "saveNormalization"> {
  const { build } = database;
  return {
    async readNormalization() {
      const query = build.selectFrom("code_way").select("way_json").where("store", "=", store);
      const found = await database.execute(database.get(query));
      return found && fromJson(found.way_json);
    },
    async saveNormalization(normalization) {
      const way_json = toJsonList(normalization ?? []);
      await database.transaction(() =>
        database.upsert("code_way", ["store"], { store, way_json, found_at_ms: clock.now() }),
      );
    },
  };
}

/**
 * Creates the repository of one store, because a filter that works in one store may fail in
 * another.
 */
export function createFilterProofs({
  database,
  ...of
}: Pick<RepositoryOptions, "database" | "store">): FilterProofs {
  const { build } = database;
  const store = database.storeKey(of.store);
  return {
    async readProof(filter) {
      const query = build
        .selectFrom("filter_proof")
        .select(["works", "found_at_ms"])
        .where("store", "=", store)
        .where("filter", "=", filter);
      const found = await database.execute(database.get(query));
      return found && { works: found.works === 1, atMs: found.found_at_ms };
    },
    async saveProof(filter, { works, atMs }) {
      const proof = { store, filter, works: works ? 1 : 0, found_at_ms: atMs };
      await database.execute(database.upsert("filter_proof", ["store", "filter"], proof));
    },
  };
}
