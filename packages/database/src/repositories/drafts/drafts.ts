/** Drafts of one store: uploaded files whose cells are corrected before they are planned. */

import type { Selectable } from "kysely";

import type { DraftSchema } from "../../sqlite/draft-schema.ts";
import { fromJson, toJson } from "../../sqlite/json.ts";
import { readStoreKey } from "../../store-key.ts";
import type { RepositoryOptions } from "../rules.ts";
import { createDraftEdits, type DraftEdits } from "./draft-edits.ts";
import { createDraftQueries, type DraftQueries } from "./draft-queries.ts";
import type { DraftChange, DraftRecord, NewDraft, StoredDraftState } from "./draft-records.ts";
import { createDraftRowTables, type DraftRowTables } from "./draft-row-tables.ts";

/** The drafts of one store. */
export interface DraftRepository extends DraftRowTables, DraftQueries, DraftEdits {
  create(draft: NewDraft): void;
  read(id: string): DraftRecord | undefined;
  /** Returns the drafts, the latest first. */
  list(): readonly DraftRecord[];
  /** Deletes a draft with its rows; returns whether there was one. */
  remove(id: string): boolean;
  /** Changes a draft without a new version. */
  update(id: string, change: DraftChange): void;
  /**
   * Runs `work` in one transaction with a new version of the draft. Returns `undefined`, and runs
   * nothing, where the draft has another version than `version`.
   */
  change<Result>(id: string, version: number, work: () => Result): Result | undefined;
  /** Commits all of `work` or nothing, without waiting for the disk: a check can be made again. */
  transact<Result>(work: () => Result): Result;
}

/** Creates the draft repository of a store; drafts of other stores are not visible. */
export function createDraftRepository(options: RepositoryOptions): DraftRepository {
  const { database, clock } = options;
  const { build } = database;
  const store = readStoreKey(database, options.store);
  const drafts = build.selectFrom("draft").selectAll().where("store", "=", store);
  const rows = createDraftRowTables(database);
  return {
    ...rows,
    ...createDraftQueries(database),
    ...createDraftEdits(database),
    create(draft) {
      database.run(build.insertInto("draft").values(toColumns(draft, store, clock.now())));
    },
    read(id) {
      const found = database.get(drafts.where("id", "=", id));
      return found === undefined ? undefined : toRecord(found);
    },
    list: () =>
      database.all(drafts.orderBy("updated_at_ms", "desc").orderBy("id", "desc")).map(toRecord),
    remove: (id) =>
      database.transaction(() => {
        if (database.get(drafts.where("id", "=", id)) === undefined) return false;
        rows.removeRows(id);
        return database.run(build.deleteFrom("draft").where("id", "=", id)) > 0;
      }),
    update(id, change) {
      const columns = { ...toChanged(change), updated_at_ms: clock.now() };
      const update = build.updateTable("draft").set(columns).where("store", "=", store);
      database.run(update.where("id", "=", id));
    },
    change: (id, version, work) =>
      database.transaction(() => {
        const update = build
          .updateTable("draft")
          .set({ version: version + 1, updated_at_ms: clock.now() })
          .where("store", "=", store)
          .where("id", "=", id)
          .where("version", "=", version);
        return database.run(update) === 0 ? undefined : work();
      }),
    transact: (work) => database.transactionUnsynced(work),
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
