/** Drafts of one store: uploaded files whose cells are corrected before they are planned. */

import type { Selectable } from "kysely";

import type { Database } from "../../sql/database.ts";
import type { DraftSchema } from "../../sql/draft-schema.ts";
import { fromJson, toJson } from "../../sql/json.ts";
import type { Steps } from "../../sql/steps.ts";
import { readStoreKey } from "../../store-key.ts";
import type { RepositoryOptions } from "../rules.ts";
import { createDraftEdits, type DraftEdits } from "./draft-edits.ts";
import { createDraftQueries, type DraftQueries } from "./draft-queries.ts";
import type { DraftChange, DraftRecord, NewDraft, StoredDraftState } from "./draft-records.ts";
import { createDraftRowTables, type DraftRowTables } from "./draft-row-tables.ts";

/** What a transaction does with drafts, as steps; a step that is not yielded does nothing. */
export interface DraftTables extends DraftRowTables, DraftQueries, DraftEdits {
  /** Changes a draft without a new version. */
  update(id: string, change: DraftChange): Steps<void>;
}

/** Methods whose steps are executed by themselves; each of their statements is a commit. */
type Executed<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (
    ...args: infer Args
  ) => Steps<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/** The drafts of one store. */
export interface DraftRepository extends Executed<DraftTables> {
  create(draft: NewDraft): Promise<void>;
  read(id: string): Promise<DraftRecord | undefined>;
  /** Returns the drafts, the latest first. */
  list(): Promise<readonly DraftRecord[]>;
  /** Deletes a draft with its rows; returns whether there was one. */
  remove(id: string): Promise<boolean>;
  /**
   * Runs `work` in one transaction with a new version of the draft. Returns `undefined`, and runs
   * nothing, where the draft has another version than `version`. `work` may be called again.
   */
  change<Result>(
    id: string,
    version: number,
    work: (tables: DraftTables) => Steps<Result>,
  ): Promise<Result | undefined>;
  /** Commits all of `work` or nothing, without waiting for the disk: a check can be made again. */
  transact<Result>(work: (tables: DraftTables) => Steps<Result>): Promise<Result>;
}

/** Creates the draft repository of a store; drafts of other stores are not visible. */
export function createDraftRepository(options: RepositoryOptions): DraftRepository {
  const { database, clock } = options;
  const { build } = database;
  const store = readStoreKey(database, options.store);
  const drafts = build.selectFrom("draft").selectAll().where("store", "=", store);
  const tables: DraftTables = {
    ...createDraftRowTables(database),
    ...createDraftQueries(database),
    ...createDraftEdits(database),
    *update(id, change) {
      const columns = { ...toChanged(change), updated_at_ms: clock.now() };
      const update = build.updateTable("draft").set(columns).where("store", "=", store);
      yield* database.run(update.where("id", "=", id));
    },
  };
  return {
    ...executeTables(database, tables),
    async create(draft) {
      const query = build.insertInto("draft").values(toColumns(draft, store, clock.now()));
      await database.execute(database.run(query));
    },
    async read(id) {
      const found = await database.execute(database.get(drafts.where("id", "=", id)));
      return found === undefined ? undefined : toRecord(found);
    },
    async list() {
      const query = drafts.orderBy("updated_at_ms", "desc").orderBy("id", "desc");
      return (await database.execute(database.all(query))).map(toRecord);
    },
    remove: (id) =>
      database.transaction(function* remove() {
        if ((yield* database.get(drafts.where("id", "=", id))) === undefined) return false;
        yield* tables.removeRows(id);
        return (yield* database.run(build.deleteFrom("draft").where("id", "=", id))) > 0;
      }),
    change: (id, version, work) =>
      database.transaction(function* change() {
        const update = build
          .updateTable("draft")
          .set({ version: version + 1, updated_at_ms: clock.now() })
          .where("store", "=", store)
          .where("id", "=", id)
          .where("version", "=", version);
        return (yield* database.run(update)) === 0 ? undefined : yield* work(tables);
      }),
    transact: (work) => database.transactionUnsynced(() => work(tables)),
  };
}

function executeTables(
  { execute }: Pick<Database, "execute">,
  tables: DraftTables,
): Executed<DraftTables> {
  return {
    appendRows: (...args) => execute(tables.appendRows(...args)),
    readRows: (...args) => execute(tables.readRows(...args)),
    readRowsAt: (...args) => execute(tables.readRowsAt(...args)),
    saveChanges: (...args) => execute(tables.saveChanges(...args)),
    saveKeys: (...args) => execute(tables.saveKeys(...args)),
    saveFindings: (...args) => execute(tables.saveFindings(...args)),
    clearFindings: (...args) => execute(tables.clearFindings(...args)),
    removeRows: (...args) => execute(tables.removeRows(...args)),
    order: (...args) => execute(tables.order(...args)),
    counts: (...args) => execute(tables.counts(...args)),
    rowsWithCode: (...args) => execute(tables.rowsWithCode(...args)),
    rowsAlike: (...args) => execute(tables.rowsAlike(...args)),
    repeatedCodes: (...args) => execute(tables.repeatedCodes(...args)),
    alikeKeys: (...args) => execute(tables.alikeKeys(...args)),
    shortestZeroLed: (...args) => execute(tables.shortestZeroLed(...args)),
    openNames: (...args) => execute(tables.openNames(...args)),
    rowsWithName: (...args) => execute(tables.rowsWithName(...args)),
    logEdits: (...args) => execute(tables.logEdits(...args)),
    readBatch: (...args) => execute(tables.readBatch(...args)),
    lastBatch: (...args) => execute(tables.lastBatch(...args)),
    dropBatchesAfter: (...args) => execute(tables.dropBatchesAfter(...args)),
    update: (...args) => execute(tables.update(...args)),
  };
}

type Columns = Selectable<DraftSchema["draft"]>;

const toColumns = (draft: NewDraft, store: number, now: number): Columns => ({
  id: draft.id,
  store,
  name: draft.name,
  path: draft.path,
  sha256: draft.sha256,
  bytes: draft.bytes,
  state: "reading",
  version: 1,
  done_batch: 0,
  reading_json: "{}",
  columns_json: toJson({ columns: {}, constants: {} }),
  source_json: null,
  check_json: null,
  created_by: draft.createdBy,
  created_at_ms: now,
  updated_at_ms: now,
  run_id: null,
  run_version: null,
});

function toChanged(change: DraftChange): Partial<Columns> {
  const { state, doneBatch, reading, columns, run } = change;
  return {
    ...(state !== undefined && { state }),
    ...(doneBatch !== undefined && { done_batch: doneBatch }),
    ...(reading !== undefined && { reading_json: toJson(reading) }),
    ...(columns !== undefined && { columns_json: toJson(columns) }),
    ...("source" in change && { source_json: toNullable(change.source) }),
    ...("check" in change && { check_json: toNullable(change.check) }),
    ...(run !== undefined && toRunColumns(run)),
  };
}

const toRunColumns = (
  run: NonNullable<DraftRecord["run"]> | null,
): Pick<Columns, "run_id" | "run_version"> => ({
  run_id: run?.id ?? null,
  run_version: run?.version ?? null,
});

const toNullable = (value: unknown): string | null => (value === null ? null : toJson(value));

const fromNullable = (json: string | null): unknown =>
  json === null ? null : fromJson<unknown>(json);

const toRecord = (found: Columns): DraftRecord => ({
  id: found.id,
  name: found.name,
  path: found.path,
  sha256: found.sha256,
  bytes: found.bytes,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this file
  state: found.state as StoredDraftState,
  version: found.version,
  doneBatch: found.done_batch,
  reading: fromJson(found.reading_json),
  columns: fromJson(found.columns_json),
  source: fromNullable(found.source_json),
  check: fromNullable(found.check_json),
  createdBy: found.created_by,
  createdAtMs: found.created_at_ms,
  updatedAtMs: found.updated_at_ms,
  run:
    found.run_id === null || found.run_version === null
      ? null
      : { id: found.run_id, version: found.run_version },
});
