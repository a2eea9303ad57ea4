/** Drafts and their rows as they are stored. */

import type { Localized } from "@catalog/i18n";
import type { CellTrait, CellValue } from "@catalog/runs";
import type { Selectable } from "kysely";

import { type Database, readStoreKey, type Steps } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { DraftSchema } from "../sql/schema.ts";
import { createDraftQueries, type DraftQueries } from "./draft-queries.ts";
import {
  createDraftEdits,
  createDraftRowTables,
  type DraftEdits,
  type DraftRowTables,
} from "./draft-rows.ts";
import type { RepositoryOptions } from "./memory.ts";

/** State of a draft; see the page's own `DraftState`. */
export type StoredDraftState = "reading" | "columns" | "checking" | "ready";

/** What a person says about reading the file; a missing setting is decided by the file. */
export interface DraftReading {
  /** One sheet, several, or `all`. */
  readonly sheet?: string | readonly string[] | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly headerRow?: number | undefined;
  readonly decimal?: "comma" | "point" | undefined;
}

/** What a person says about the columns. */
export interface DraftColumns {
  /** Field by header. */
  readonly columns: Readonly<Record<string, string>>;
  /** Text for all rows by field. */
  readonly constants: Readonly<Record<string, string>>;
  /** Text for new products of this draft alone by field. @default none */
  readonly forNew?: Readonly<Record<string, string>> | undefined;
  /** Decimal sign by header, of columns whose numbers can be read in two ways. @default none */
  readonly decimals?: Readonly<Record<string, "comma" | "point">> | undefined;
  /** Indexes of columns that are not read, of several with one header. @default none */
  readonly leftOut?: readonly number[] | undefined;
  /** Columns that a person added after those of the file, in their order. @default none */
  readonly added?: readonly AddedDraftColumn[] | undefined;
}

/** A column that the file does not have; its cells are edits. */
export interface AddedDraftColumn {
  readonly header: string;
  readonly field: string;
}

/** A draft without its rows. */
export interface DraftRecord {
  readonly id: string;
  /** Name of the file as its person knows it. */
  readonly name: string;
  /** Absolute path of the uploaded file. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly state: StoredDraftState;
  /** Rises with each change. */
  readonly version: number;
  /** The last batch of edits that holds; later ones are undone. */
  readonly doneBatch: number;
  readonly reading: DraftReading;
  readonly columns: DraftColumns;
  /** The sheet whose rows are stored, as the caller keeps it; `null` where none are stored. */
  readonly source: unknown;
  /** What was decided when the rows were checked; `null` where they are not. */
  readonly check: unknown;
  readonly createdBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The latest run that was planned from the draft, and the version of the draft then. */
  readonly run: { readonly id: string; readonly version: number } | null;
}

/** A new draft. */
type NewDraft = Pick<DraftRecord, "id" | "name" | "path" | "sha256" | "bytes" | "createdBy">;

/** Parts of a draft that can be changed. */
export type DraftChange = Partial<
  Pick<DraftRecord, "state" | "doneBatch" | "reading" | "columns" | "source" | "check" | "run">
>;

/**
 * `left`: the row is no product, such as a remark, and is not shown. `excluded`: a person has left
 * it out.
 */
export type DraftRowStatus = "ok" | "warn" | "error" | "excluded" | "left";

/** A row as the file has it. */
export interface DraftFileRow {
  readonly row: number;
  readonly cells: readonly CellValue[];
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
  readonly formats?: Readonly<Record<number, string>> | undefined;
}

/** Texts of a person by column; an empty text empties the cell. */
export type RowEdits = Readonly<Record<number, string>>;

/** Something that is wrong with a row of a draft. */
export interface DraftIssue {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Index of the column; `null` for the whole row. */
  readonly column: number | null;
  readonly message: Localized;
  readonly suggestion: Localized | null;
  /** Values that may stand in the cell instead. */
  readonly fixes: readonly DraftFix[];
}

/** A value that may stand in a cell instead; a word of the program stands in both languages. */
export type DraftFix = string | Localized;

/** What a check has found of a row. */
export interface RowFindings {
  readonly row: number;
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly issues: readonly DraftIssue[];
  /** Keys of the names of the row that are open. */
  readonly names: readonly string[];
}

/** A stored row. */
export interface DraftRow extends DraftFileRow {
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly alikeKey: string | null;
  /** What the row takes from other rows, as the caller keeps it; `null` for nothing. */
  readonly joined: unknown;
  readonly edits: RowEdits;
  readonly issues: readonly DraftIssue[];
}

/** What the rows are grouped by before they are checked. */
export interface RowKeys {
  readonly row: number;
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly alikeKey: string | null;
  readonly joined: unknown;
}

/** A change of a row: texts of cells, or whether it is left out. */
export interface RowChange {
  readonly row: number;
  readonly edits: RowEdits;
  readonly folded: string;
}

/** A line of the log of edits. `column` is -1 where a row was left out or taken in again. */
export interface DraftEdit {
  readonly row: number;
  readonly column: number;
  /** Text of the edit before and after; `null` where the file's own cell holds. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Which rows are listed; all parts hold together. */
export interface DraftRowFilter {
  readonly show?: "errors" | "warnings" | "edited" | "excluded" | undefined;
  /** Code of an issue. */
  readonly code?: string | undefined;
  /** Folded text. */
  readonly folded?: string | undefined;
}

/** Numbers of rows. */
export interface DraftRowCounts {
  readonly ok: number;
  readonly warn: number;
  readonly error: number;
  readonly excluded: number;
  readonly edited: number;
  /** Rows by issue, the most frequent first. */
  readonly kinds: readonly {
    readonly code: string;
    readonly severity: "error" | "warning";
    readonly rows: number;
  }[];
  /** Open names, each counted once. */
  readonly openNames: number;
}

/* Drafts of one store: uploaded files whose cells are corrected before they are planned. */

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
