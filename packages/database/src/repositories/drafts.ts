/** Drafts of one store: uploaded files whose cells are corrected before they are planned. */

import { type Selectable, sql } from "kysely";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Database, Steps } from "../sql/database.ts";
import { dialectFunctions, fromJson, readInBatches, toJson } from "../sql/queries.ts";
import type { DraftSchema } from "../sql/schema.ts";
import { createDraftBasisTables, type DraftBasis, type DraftBasisTables } from "./draft-basis.ts";
import {
  createDraftEdits,
  createDraftRowTables,
  type DraftChange,
  type DraftEdits,
  type DraftRecord,
  type DraftRowCounts,
  type DraftRowFilter,
  type DraftRowTables,
  type NewDraft,
  type StoredDraftState,
} from "./draft-rows.ts";
import { parsePeriod } from "./periods.ts";
import { createRuleTables, type RuleTables } from "./rules.ts";

/** Finds rows of drafts by their codes, names, issues and texts, as steps. */
interface DraftQueries {
  /** Numbers of the rows of a filter, in the order of the sheet; rows that are no products are left out. */
  order(draft: string, filter: DraftRowFilter): Steps<Uint32Array>;
  counts(draft: string): Steps<DraftRowCounts>;
  /** Numbers of the products of drafts, and of those with an error, by draft; none for no rows. */
  sizes(drafts: readonly string[]): Steps<ReadonlyMap<string, DraftSize>>;
  /** Rows with a product code, in the order of the sheet. */
  rowsWithCode(draft: string, codeKey: string, limit: number): Steps<readonly number[]>;
  /** Rows whose codes look alike, in the order of the sheet. */
  rowsAlike(draft: string, alikeKey: string, limit: number): Steps<readonly number[]>;
  /** Codes that stand in several rows. */
  repeatedCodes(draft: string): Steps<readonly string[]>;
  /** Keys of codes that differ and look alike. */
  alikeKeys(draft: string): Steps<readonly string[]>;
  /** The shortest code with a leading zero and digits only, first in the sheet. */
  shortestZeroLed(
    draft: string,
  ): Steps<{ readonly row: number; readonly codeKey: string } | undefined>;
  /** Keys of the open names with their rows, in the order of the sheet. */
  openNames(
    draft: string,
  ): Steps<readonly { readonly key: string; readonly rows: number; readonly first: number }[]>;
  rowsWithName(draft: string, nameKey: string): Steps<readonly number[]>;
  /** The first rows of each open name, by its key, in the order of the sheet. */
  rowsOfNames(draft: string, limit: number): Steps<ReadonlyMap<string, readonly number[]>>;
}

interface DraftSize {
  readonly rows: number;
  readonly errors: number;
}

/** Creates the queries. */
function createDraftQueries(database: Database): DraftQueries {
  return {
    ...createOrder(database),
    ...createCodeQueries(database),
    ...createNameQueries(database),
  };
}

const STATUS = { errors: "error", warnings: "warn", excluded: "excluded" } as const;

function createOrder(database: Database): Pick<DraftQueries, "order" | "counts" | "sizes"> {
  const { build } = database;
  const { toJsonArray, contains } = dialectFunctions(database.dialect);
  return {
    *order(draft, { show, code, folded }) {
      let query = build
        .selectFrom("draft_row")
        // One text, because an object for each row takes longer than finding it.
        .select(toJsonArray(sql.ref<number>("row_no")).as("rows"))
        .where("draft", "=", draft);
      query =
        show === undefined || show === "edited"
          ? query.where("status", "<>", "left")
          : query.where("status", "=", STATUS[show]);
      if (show === "edited") {
        const edited = build.selectFrom("draft_row").select("row_no").where("draft", "=", draft);
        query = query.where("row_no", "in", edited.where("is_edited", "=", 1));
      }
      if (code !== undefined) {
        const found = build.selectFrom("draft_issue").select("row_no");
        query = query.where(
          "row_no",
          "in",
          found.where("draft", "=", draft).where("code", "=", code),
        );
      }
      if (folded !== undefined && folded !== "") {
        query = query.where(contains(sql.ref<string>("folded"), folded));
      }
      const found = yield* database.get(query);
      return Uint32Array.from(fromJson<number[]>(found?.rows ?? "[]"));
    },
    counts: (draft) => readCounts(database, draft),
    sizes: (drafts) => readSizes(database, drafts),
  };
}

const PRODUCTS = ["ok", "warn", "error"];

function* readSizes(
  database: Database,
  drafts: readonly string[],
): Steps<ReadonlyMap<string, DraftSize>> {
  const query = database.build
    .selectFrom("draft_row")
    .select(["draft", "status", sql<number>`count(*)`.as("rows")])
    .where("status", "in", PRODUCTS)
    .groupBy(["draft", "status"]);
  const found = yield* readInBatches(drafts, (batch) =>
    database.all(query.where("draft", "in", batch)),
  );
  const sizes = new Map<string, DraftSize>();
  for (const { draft, status, rows } of found) {
    const size = sizes.get(draft) ?? { rows: 0, errors: 0 };
    const errors = size.errors + (status === "error" ? rows : 0);
    sizes.set(draft, { rows: size.rows + rows, errors });
  }
  return sizes;
}

function* readCounts(database: Database, draft: string): Steps<DraftRowCounts> {
  const { build } = database;
  const rowCount = sql<number>`count(*)`;
  const statuses = yield* database.all(
    build
      .selectFrom("draft_row")
      .select(["status", rowCount.as("rows")])
      .where("draft", "=", draft)
      .groupBy("status"),
  );
  const of = (status: string): number => statuses.find((each) => each.status === status)?.rows ?? 0;
  const edited = yield* database.get(
    build
      .selectFrom("draft_row")
      .select(rowCount.as("rows"))
      .where("draft", "=", draft)
      .where("is_edited", "=", 1),
  );
  const kinds = yield* database.all(
    build
      .selectFrom("draft_issue")
      .select(["code", "severity", rowCount.as("rows")])
      .where("draft", "=", draft)
      .groupBy(["code", "severity"])
      .orderBy("rows", "desc")
      .orderBy("code"),
  );
  const names = yield* database.get(
    build
      .selectFrom("draft_name")
      .select(sql<number>`count(DISTINCT name_key)`.as("rows"))
      .where("draft", "=", draft),
  );
  return {
    ok: of("ok"),
    warn: of("warn"),
    error: of("error"),
    excluded: of("excluded"),
    edited: edited?.rows ?? 0,
    kinds: kinds.map(({ code, severity, rows }) => ({
      code,
      severity: severity === "error" ? "error" : "warning",
      rows,
    })),
    openNames: names?.rows ?? 0,
  };
}

type CodeQueries = Pick<
  DraftQueries,
  "rowsWithCode" | "rowsAlike" | "repeatedCodes" | "alikeKeys" | "shortestZeroLed"
>;

function createCodeQueries(database: Database): CodeQueries {
  const { build } = database;
  const rowsBy = (
    column: "code_key" | "alike_key",
  ): ((draft: string, key: string, limit: number) => Steps<readonly number[]>) => {
    const read = database.prepareAll<
      { draft: string; key: string; limit: number },
      { row_no: number }
    >((arg) =>
      build
        .selectFrom("draft_row")
        .select("row_no")
        .where("draft", "=", arg("draft"))
        .where(column, "=", arg("key"))
        // Sorted below: a sorted query would read all rows in their order instead of the index.
        .limit(arg("limit")),
    );
    return function* readRows(draft, key, limit) {
      const found = yield* read({ draft, key, limit });
      return found.map(({ row_no: row }) => row).toSorted((a, b) => a - b);
    };
  };
  const rowsOf = (draft: string) => build.selectFrom("draft_row").where("draft", "=", draft);
  return {
    rowsWithCode: rowsBy("code_key"),
    rowsAlike: rowsBy("alike_key"),
    *repeatedCodes(draft) {
      const found = yield* database.all(
        rowsOf(draft)
          .select(sql<string>`code_key`.as("key"))
          .where("code_key", "is not", null)
          .groupBy("code_key")
          .having(sql<boolean>`count(*) > 1`),
      );
      return found.map(({ key }) => key);
    },
    *alikeKeys(draft) {
      const found = yield* database.all(
        rowsOf(draft)
          .select(sql<string>`alike_key`.as("key"))
          .where("alike_key", "is not", null)
          .groupBy("alike_key")
          .having(sql<boolean>`min(code_key) <> max(code_key)`),
      );
      return found.map(({ key }) => key);
    },
    shortestZeroLed: (draft) => readShortestZeroLed(database, draft),
  };
}

function* readShortestZeroLed(
  { build, get }: Pick<Database, "build" | "get">,
  draft: string,
): ReturnType<DraftQueries["shortestZeroLed"]> {
  const found = yield* get(
    build
      .selectFrom("draft_row")
      .where("draft", "=", draft)
      .select(["row_no", sql<string>`code_key`.as("key")])
      .where("code_key", ">=", "0")
      .where("code_key", "<", "1")
      .where(sql<boolean>`length(code_key) > 1 AND ltrim(code_key, '0123456789') = ''`)
      .orderBy(sql`length(code_key)`)
      .orderBy("row_no")
      .limit(1),
  );
  return found && { row: found.row_no, codeKey: found.key };
}

function createNameQueries(
  database: Database,
): Pick<DraftQueries, "openNames" | "rowsWithName" | "rowsOfNames"> {
  const names = (draft: string) =>
    database.build.selectFrom("draft_name").where("draft", "=", draft);
  return {
    openNames: (draft) =>
      database.all(
        names(draft)
          .select([
            "name_key as key",
            sql<number>`count(*)`.as("rows"),
            sql<number>`min(row_no)`.as("first"),
          ])
          .groupBy("name_key")
          .orderBy("first")
          .orderBy("key"),
      ),
    *rowsWithName(draft, key) {
      const found = yield* database.all(
        names(draft).select("row_no").where("name_key", "=", key).orderBy("row_no"),
      );
      return found.map(({ row_no: row }) => row);
    },
    *rowsOfNames(draft, limit) {
      const ranked = names(draft).select([
        "name_key",
        "row_no",
        sql<number>`row_number() OVER (PARTITION BY name_key ORDER BY row_no)`.as("place"),
      ]);
      const found = yield* database.all(
        database.build
          .selectFrom(ranked.as("ranked"))
          .select(["name_key", "row_no"])
          .where("place", "<=", limit)
          .orderBy("name_key")
          .orderBy("row_no"),
      );
      const rows = new Map<string, number[]>();
      for (const { name_key: key, row_no: row } of found) {
        const known = rows.get(key);
        if (known === undefined) rows.set(key, [row]);
        else known.push(row);
      }
      return rows;
    },
  };
}

/** What a transaction does with drafts, as steps; a step that is not yielded does nothing. */
export interface DraftTables
  extends DraftRowTables, DraftQueries, DraftEdits, DraftBasisTables, RuleTables {
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
  /**
   * Begins a draft that is made of products. Until it is finished, no other method shows it, and it
   * is removed if it was begun more than a day ago when the next one is begun. Returns the paths of
   * the files of those that were removed, which the caller deletes.
   */
  begin(draft: Pick<NewDraft, "id" | "path" | "createdBy">): Promise<readonly string[]>;
  finish(id: string, made: FinishedDraft): Promise<void>;
  read(id: string): Promise<DraftRecord | undefined>;
  /** Returns the drafts, the latest first, without their sheets, each of which has a preview. */
  list(): Promise<readonly Omit<DraftRecord, "source">[]>;
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

/** A draft of products whose file is written and whose products are stored. */
interface FinishedDraft extends Pick<NewDraft, "name" | "sha256" | "bytes"> {
  readonly basis: DraftBasis;
}

/** State of a draft that is being made. */
const MAKING = "making";
const MAX_MAKING_MS = 24 * 3_600_000;

/** Creates the draft repository of a store; drafts of other stores are not visible. */
export function createDraftRepository(options: RepositoryOptions): DraftRepository {
  const { database, clock } = options;
  const { build } = database;
  const store = database.storeKey(options.store);
  const ofStore = build.selectFrom("draft").selectAll().where("store", "=", store);
  const drafts = ofStore.where("state", "<>", MAKING);
  const tables: DraftTables = {
    ...createDraftRowTables(database),
    ...createDraftQueries(database),
    ...createDraftEdits(database),
    ...createDraftBasisTables(database),
    ...createRuleTables(options),
    *update(id, change) {
      const columns = { ...toChanged(change), updated_at_ms: clock.now() };
      const update = build.updateTable("draft").set(columns).where("store", "=", store);
      yield* database.run(update.where("id", "=", id));
    },
  };
  function* removeDraft(id: string): Steps<number> {
    yield* tables.removeRows(id);
    yield* database.run(build.deleteFrom("draft_basis").where("draft", "=", id));
    return yield* database.run(build.deleteFrom("draft").where("id", "=", id));
  }
  return {
    ...executeTables(database, tables),
    async create(draft) {
      const query = build.insertInto("draft").values(toColumns(draft, store, clock.now()));
      await database.execute(database.run(query));
    },
    begin: (draft) =>
      database.transaction(function* begin() {
        const now = clock.now();
        const stale = ofStore
          .where("state", "=", MAKING)
          .where("created_at_ms", "<", now - MAX_MAKING_MS);
        const removed = yield* database.all(stale);
        for (const { id } of removed) yield* removeDraft(id);
        const columns = toColumns({ ...draft, name: "", sha256: "", bytes: 0 }, store, now);
        const query = build.insertInto("draft").values({ ...columns, state: MAKING });
        yield* database.run(query);
        return removed.map(({ path }) => path);
      }),
    async finish(id, { name, sha256, bytes, basis }) {
      const made = { name, sha256, bytes, basis_json: toJson(basis), state: "reading" };
      const finish = build.updateTable("draft").set({ ...made, updated_at_ms: clock.now() });
      await database.execute(database.run(finish.where("store", "=", store).where("id", "=", id)));
    },
    async read(id) {
      const found = await database.execute(database.get(drafts.where("id", "=", id)));
      return found === undefined ? undefined : toRecord(found);
    },
    async list() {
      const query = build
        .selectFrom("draft")
        .select(LISTED)
        .where("store", "=", store)
        .where("state", "<>", MAKING)
        .orderBy("updated_at_ms", "desc")
        .orderBy("id", "desc");
      return (await database.execute(database.all(query))).map(toListed);
    },
    remove: (id) =>
      database.transaction(function* remove() {
        if ((yield* database.get(ofStore.where("id", "=", id))) === undefined) return false;
        return (yield* removeDraft(id)) > 0;
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
  const methods = Object.entries(tables).map(([name, method]) => [
    name,
    (...args: readonly unknown[]) => execute(Reflect.apply(method, undefined, args)),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each method with its own arguments
  return Object.fromEntries(methods) as Executed<DraftTables>;
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
  created_by: draft.createdBy?.name ?? null,
  created_by_person: draft.createdBy?.id ?? null,
  created_at_ms: now,
  updated_at_ms: now,
  run_id: null,
  run_version: null,
  basis_json: null,
  period_json: null,
});

function toChanged(change: DraftChange): Partial<Columns> {
  const { sha256, bytes, state, doneBatch, reading, columns, run, basis, period } = change;
  return {
    ...(sha256 !== undefined && { sha256 }),
    ...(bytes !== undefined && { bytes }),
    ...(state !== undefined && { state }),
    ...(doneBatch !== undefined && { done_batch: doneBatch }),
    ...(reading !== undefined && { reading_json: toJson(reading) }),
    ...(columns !== undefined && { columns_json: toJson(columns) }),
    ...("source" in change && { source_json: toNullable(change.source) }),
    ...("check" in change && { check_json: toNullable(change.check) }),
    ...(run !== undefined && toRunColumns(run)),
    ...(basis !== undefined && { basis_json: toNullable(basis) }),
    ...(period !== undefined && { period_json: toNullable(period) }),
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

/** The columns of a draft without its sheet. */
const LISTED = [
  "id",
  "name",
  "path",
  "sha256",
  "bytes",
  "state",
  "version",
  "done_batch",
  "reading_json",
  "columns_json",
  "check_json",
  "created_by",
  "created_by_person",
  "created_at_ms",
  "updated_at_ms",
  "run_id",
  "run_version",
  "basis_json",
  "period_json",
] as const;

const toRecord = (found: Columns): DraftRecord => ({
  ...toListed(found),
  source: fromNullable(found.source_json),
});

const toListed = (found: Pick<Columns, (typeof LISTED)[number]>): Omit<DraftRecord, "source"> => ({
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
  check: fromNullable(found.check_json),
  createdBy:
    found.created_by === null
      ? null
      : { name: found.created_by, id: found.created_by_person ?? undefined },
  createdAtMs: found.created_at_ms,
  updatedAtMs: found.updated_at_ms,
  run:
    found.run_id === null || found.run_version === null
      ? null
      : { id: found.run_id, version: found.run_version },
  basis: found.basis_json === null ? null : fromJson<DraftBasis>(found.basis_json),
  period: found.period_json === null ? null : parsePeriod(found.period_json),
});
