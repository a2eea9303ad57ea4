/**
 * Staged items of exports, kept until the file is written: items and the position in the listing
 * are saved together, so that an export that dies resumes without a gap or a duplicate.
 */

import type { Clock } from "@catalog/clock";
import { sql } from "kysely";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Database, Steps } from "../sql/database.ts";
import { fromJson, readInBatches, toJson } from "../sql/queries.ts";

/** One item that was read, such as a product. */
interface StagedItem {
  /** A later item of the same id replaces the earlier one. */
  readonly id: string;
  /**
   * Sort key: items are written in its order, and items with the same key in the order in which
   * they were first read.
   */
  readonly rank: number;
  readonly item: unknown;
}

/** What one listing of an export has given so far. */
interface ListingCheckpoint {
  /** Items that this listing was the first to show. */
  readonly found: number;
}

/** Progress of an export: its listings by name, and the parts that it has finished. */
export interface ExportCheckpoint {
  readonly lanes: Readonly<Record<string, ListingCheckpoint>>;
  /** Parts that were read completely, where the export has parts. */
  readonly parts: number;
}

/** What a finished export leaves for the next one. */
interface ExportMark {
  readonly begunAtMs: number;
  /** Time of the newest item, where items have one. */
  readonly newestMs: number | null;
  /** Number of sub-items of each item, such as comments of a product, or a fingerprint of it. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The names under which an export is kept. */
export interface ExportNames {
  /** Exports of one key read the same items, so one can resume another. */
  readonly key: string;
  /** Exports of one scope are about the same items, all of them or only the new ones. */
  readonly scope: string;
}

/** The exports of one store. */
export interface ExportStaging {
  /**
   * Resumes the unfinished export of this key, or starts one. An export that was started `maxAgeMs`
   * ago or earlier is deleted. What finished exports of the scope have written is kept.
   */
  open(names: ExportNames, maxAgeMs: number): Promise<ExportJob>;
  /** Returns what the last finished export of the scope left; `undefined` where there was none. */
  readMark(scope: string): Promise<ExportMark | undefined>;
}

/** An export in progress. */
interface ExportJob {
  readonly begunAtMs: number;
  /** Returns the last saved checkpoint; `undefined` when the export has just started. */
  readCheckpoint(): Promise<ExportCheckpoint | undefined>;
  /**
   * Saves both or neither; `checkpoint` is called with the number of items that were staged before,
   * and again where the transaction is made again. Returns how many items were new.
   */
  save(
    items: readonly StagedItem[],
    checkpoint: (known: number) => ExportCheckpoint,
  ): Promise<number>;
  /** Returns the number of items. */
  count(): Promise<number>;
  /** Returns the number of items that no finished export of the scope has written. */
  countNotYetWritten(): Promise<number>;
  /** Returns which of these items a finished export of the scope has written. */
  readSeen(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Yields the items in order; with `isNotYetWritten`, without those that a finished export has written.
   */
  items<Item>(filter: { readonly isNotYetWritten: boolean }): AsyncIterable<Item>;
  /** Remembers the items and the mark, and deletes everything else. */
  finish(mark: ExportMark): Promise<void>;
  /** Deletes all that was read. */
  discard(): Promise<void>;
}

/** Creates the staging area of a store; exports of other stores are not visible. */
export function createExportStaging({
  database,
  clock,
  ...rest
}: RepositoryOptions): ExportStaging {
  const store = database.storeKey(rest.store);
  const { build } = database;
  return {
    open: (names, maxAgeMs) => openJob({ database, clock, store, ...names }, maxAgeMs),
    async readMark(scope) {
      const query = build
        .selectFrom("export_mark")
        .select("mark_json")
        .where("store", "=", store)
        .where("key", "=", scope);
      const found = await database.execute(database.get(query));
      return found === undefined ? undefined : fromJson<ExportMark>(found.mark_json);
    },
  };
}

interface JobContext extends ExportNames {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: number;
}

async function openJob(context: JobContext, maxAgeMs: number): Promise<ExportJob> {
  const { id, begun_at_ms } = await context.database.transaction(() => beginJob(context, maxAgeMs));
  return createJob({ ...context, job: id }, begun_at_ms);
}

/** Resumes the job of the key, or inserts a new one. */
function* beginJob(
  { database, clock, store, key }: JobContext,
  maxAgeMs: number,
): Steps<{ readonly id: number; readonly begun_at_ms: number }> {
  const { build } = database;
  const now = clock.now();
  yield* database.run(
    build
      .deleteFrom("export_job")
      .where("store", "=", store)
      .where("key", "=", key)
      .where("begun_at_ms", "<=", now - maxAgeMs),
  );
  const times = { begun_at_ms: now, updated_at_ms: now };
  yield* database.run(
    build
      .insertInto("export_job")
      .values({ store, key, checkpoint_json: null, ...times })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const found = yield* database.get(
    build
      .selectFrom("export_job")
      .select(["id", "begun_at_ms"])
      .where("store", "=", store)
      .where("key", "=", key),
  );
  if (found === undefined) throw new Error("an export that was just begun cannot be read");
  return found;
}

interface OpenJob extends JobContext {
  readonly job: number;
}

function createJob(open: OpenJob, begunAtMs: number): ExportJob {
  const { database, job } = open;
  const { build } = database;
  const put = prepareItem(open);
  const counted = build
    .selectFrom("export_item")
    .select((each) => each.fn.countAll<number>().as("items"))
    .where("job", "=", job);

  return {
    begunAtMs,
    async readCheckpoint() {
      const query = build.selectFrom("export_job").select("checkpoint_json").where("id", "=", job);
      const found = await database.execute(database.get(query));
      const json = found?.checkpoint_json ?? null;
      return json === null ? undefined : fromJson<ExportCheckpoint>(json);
    },
    // Unsynced: a power cut may lose the last pages together with the checkpoint after them.
    save: (items, checkpoint) =>
      database.transactionUnsynced(() => saveItems(open, put, items, checkpoint)),
    async count() {
      return (await database.execute(database.get(counted)))?.items ?? 0;
    },
    async countNotYetWritten() {
      const query = counted.where(isNotYetWritten(open));
      return (await database.execute(database.get(query)))?.items ?? 0;
    },
    readSeen: (ids) => database.execute(readSeen(open, ids)),
    items: (filter) => readItems(open, filter.isNotYetWritten),
    finish: (mark) => database.transaction(() => finish(open, mark)),
    async discard() {
      await database.execute(database.run(build.deleteFrom("export_job").where("id", "=", job)));
    },
  };
}

function* saveItems(
  { database, clock, job }: OpenJob,
  put: PutItem,
  items: readonly StagedItem[],
  checkpoint: (known: number) => ExportCheckpoint,
): Steps<number> {
  let known = 0;
  for (const item of items) if (yield* put(item)) known += 1;
  const changed = yield* database.run(
    database.build
      .updateTable("export_job")
      .set({ checkpoint_json: toJson(checkpoint(known)), updated_at_ms: clock.now() })
      .where("id", "=", job),
  );
  if (changed !== 1) throw new Error("the export was finished by another process");
  return items.length - known;
}

/**
 * Inserts an item and says whether it was there already; an existing item keeps its position within
 * its sort key.
 */
type PutItem = (item: StagedItem) => Steps<boolean>;

function prepareItem({ database, job }: OpenJob): PutItem {
  const columns = ["job", "item_id", "rank", "item_json"] as const;
  const add = database.prepareInsert("export_item", columns, "keep");
  const change = database.prepareUpdate("export_item", ["job", "item_id"], ["rank", "item_json"]);
  return function* put({ id, rank, item }) {
    const stored = { job, item_id: id, rank, item_json: toJson(item) };
    // Nearly all items are new, so the insert is tried first.
    if ((yield* add([stored])) === 1) return false;
    yield* change(stored);
    return true;
  };
}

const isNotYetWritten = ({ store, scope }: OpenJob) =>
  sql<boolean>`NOT EXISTS (
    SELECT 1 FROM export_seen AS seen
    WHERE seen.store = ${store} AND seen.key = ${scope} AND seen.item_id = export_item.item_id
  )`;

function* readSeen(
  { database, store, scope }: OpenJob,
  ids: readonly string[],
): Steps<ReadonlySet<string>> {
  const found = yield* readInBatches(ids, (batch) =>
    database.all(
      database.build
        .selectFrom("export_seen")
        .select("item_id")
        .where("store", "=", store)
        .where("key", "=", scope)
        .where("item_id", "in", batch),
    ),
  );
  return new Set(found.map(({ item_id }) => item_id));
}

/** Items read at a time: few, so that memory use stays low whatever they contain. */
const BATCH_ITEMS = 50;

async function* readItems<Item>(
  open: OpenJob,
  onlyNotYetWritten: boolean,
): AsyncGenerator<Item, void, undefined> {
  const { database, job } = open;
  let after = { rank: -Number.MAX_VALUE, seq: 0 };
  for (;;) {
    const { rank, seq } = after;
    const query = database.build
      .selectFrom("export_item")
      .select(["rank", "seq", "item_json"])
      .where("job", "=", job)
      .where(sql<boolean>`(rank, seq) > (${rank}, ${seq})`)
      .orderBy("rank")
      .orderBy("seq")
      .limit(BATCH_ITEMS);
    const wanted = onlyNotYetWritten ? query.where(isNotYetWritten(open)) : query;
    const rows = await database.execute(database.all(wanted));
    for (const row of rows) yield fromJson<Item>(row.item_json);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

function* finish({ database, clock, store, scope, job }: OpenJob, mark: ExportMark): Steps<void> {
  const { build } = database;
  yield* database.run(
    build
      .insertInto("export_seen")
      .columns(["store", "key", "item_id"])
      .expression(
        build
          .selectFrom("export_item")
          .select([sql<number>`${store}`.as("store"), sql<string>`${scope}`.as("key"), "item_id"])
          .where("job", "=", job),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const columns = { store, key: scope, mark_json: toJson(mark), saved_at_ms: clock.now() };
  yield* database.upsert("export_mark", ["store", "key"], columns);
  yield* database.run(build.deleteFrom("export_job").where("id", "=", job));
}
