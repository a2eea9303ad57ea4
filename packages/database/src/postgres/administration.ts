/**
 * The work of an administrator on a server: makes and checks the tables, copies a file into them, and
 * notes that a backup was restored.
 */

import { writeFileSync } from "node:fs";

import { systemClock } from "@catalog/clock";
import { type RawBuilder, sql } from "kysely";
import type { Client, PoolClient } from "pg";

import { DatabaseError } from "../errors.ts";
import { jobKindSchema } from "../repositories/jobs.ts";
import type {
  Database,
  FileDatabase,
  Queries,
  Separation,
  SqlValue,
  Steps,
} from "../sql/database.ts";
import { type Migration, MIGRATIONS, statementsAfter, TRIGGERS } from "../sql/migrations.ts";
import { createQueries, fromJson, toInput } from "../sql/queries.ts";
import { forceSecurity, SHARED_TABLES, toScopeStatement } from "../sql/row-security.ts";
import { moveAway } from "../sqlite/file.ts";
import { type DatabaseSizes, NO_BYTES, TABLES } from "../sqlite/maintenance.ts";
import { describeAuditBreak, findAuditBreak } from "../team/audit-records.ts";
import { addJobs, migrateQueue, type StoreJob } from "./boss-queue.ts";
import {
  administer,
  commitAll,
  createPostgresBuilder,
  createRunOn,
  describeAddress,
  toStored,
} from "./pool.ts";
import { findPlace, markRestored, recordPlace } from "./restored-server.ts";
import { LOCK_CLASS } from "./transact.ts";

/** Oldest server that the tests run on, as `server_version_num` has it. */
const MIN_SERVER = 150_000;

/** Locks of stores have positive numbers. */
const MIGRATION_LOCK = 0;

type Queryable = Pick<Client, "query">;

/** What {@link migratePostgres} has found and made. */
interface Migrated {
  /** Version of the tables before; 0 where there were none. */
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the tables, or brings them to this version, all or nothing, and then those of the queue. Of
 * several processes one does.
 * Rejects with `DatabaseError` where the server cannot be used, is too old or has tables of a newer
 * version, or of one before 1.0.
 */
export async function migratePostgres(
  url: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Migrated> {
  const command = "catalog db migrate";
  const migrated = await administer({ url, command }, async (client, address) => {
    await assertServer(client, address);
    const place = await findPlace(client);
    return await commitAll(client, async () => {
      const from = await migrate(client, address, migrations);
      await recordPlace(client, place);
      return { from, to: migrations.length };
    });
  });
  await migrateQueue({ url, command, clock: systemClock });
  return migrated;
}

async function migrate(
  client: Queryable,
  address: string,
  migrations: readonly Migration[],
): Promise<number> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${MIGRATION_LOCK})`);
  const from = await readVersion(client, address);
  if (from > migrations.length) throw newer(address, from);
  if (from === migrations.length) return from;
  if (from === 0) {
    await client.query(
      "CREATE TABLE schema_version (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL)",
    );
    await client.query("INSERT INTO schema_version (id, version) VALUES (1, 0)");
  }
  await client.query(forceSecurity(false));
  await client.query(statementsAfter(from, "postgres", migrations));
  await client.query(forceSecurity(true));
  await client.query(`UPDATE schema_version SET version = ${migrations.length}`);
  return from;
}

/** Rejects where the tables are not those of this version. */
export async function assertMigrated(client: Queryable, address: string): Promise<void> {
  await assertServer(client, address);
  const version = await readVersion(client, address);
  const needed = MIGRATIONS.length;
  if (version > needed) throw newer(address, version);
  if (version < needed) {
    throw new DatabaseError("E_DATABASE_VERSION", {
      tr: `${address}: sürüm ${version}, gereken ${needed}`,
      en: `${address}: version ${version}, needed ${needed}`,
    });
  }
  if (await hasQueue(client)) return;
  throw new DatabaseError("E_DATABASE_VERSION", {
    tr: `${address}: catalog_queue yok`,
    en: `${address}: there is no catalog_queue`,
  });
}

/** A table that only versions before 1.0 have had, which were not released. */
const UNRELEASED_TABLE = "row_cells";

/** Returns 0 where there are no tables. */
async function readVersion(client: Queryable, address: string): Promise<number> {
  const tables = await client.query<{ readonly has: number; readonly is_unreleased: number }>(
    `SELECT to_regclass('schema_version') IS NOT NULL AS has,
       to_regclass('${UNRELEASED_TABLE}') IS NOT NULL AS is_unreleased`,
  );
  if (tables.rows[0]?.is_unreleased === 1) throw new DatabaseError("E_DATABASE_OLDER", address);
  if (tables.rows[0]?.has !== 1) return 0;
  const { rows } = await client.query<{ readonly version: number }>(
    "SELECT version FROM schema_version",
  );
  return rows[0]?.version ?? 0;
}

async function hasQueue(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ readonly has: number }>(
    "SELECT to_regclass('catalog_queue.job') IS NOT NULL AS has",
  );
  return rows[0]?.has === 1;
}

async function assertServer(client: Queryable, address: string): Promise<void> {
  const { rows } = await client.query<{ readonly version: string; readonly shown: string }>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS shown",
  );
  const [found] = rows;
  if (Number(found?.version ?? 0) >= MIN_SERVER) return;
  const shown = found?.shown ?? "?";
  throw new DatabaseError("E_DATABASE_SERVER", {
    tr: `${address}: PostgreSQL ${shown}, en az 15 gerekir`,
    en: `${address}: PostgreSQL ${shown}, at least 15 is needed`,
  });
}

function newer(address: string, version: number): DatabaseError {
  return new DatabaseError("E_DATABASE_SERVER", {
    tr: `${address}: tablolar daha yeni bir sürümün (${version}), bu sürüm ${MIGRATIONS.length} sürümünü bilir`,
    en: `${address}: its tables are of a newer version (${version}), this one knows ${MIGRATIONS.length}`,
  });
}

/** Indexes that keep a product from being added twice, or updated twice at a time. */
const GUARDING_INDEXES = ["one_add_per_code", "one_update_in_flight"] as const;

interface Named {
  readonly name: string;
}

const SOUND_INDEXES: RawBuilder<Named> = sql<Named>`
  SELECT indexrelid::regclass::text AS name FROM pg_index
  WHERE indisunique AND indisvalid AND indisready`;

const ACTIVE_TRIGGERS: RawBuilder<Named> = sql<Named>`
  SELECT tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'`;

interface Setting extends Named {
  readonly value: string;
}

/** Settings without which a commit may be lost although the server has confirmed it. */
const DURABILITY: RawBuilder<Setting> = sql<Setting>`
  SELECT name, setting AS value FROM pg_settings WHERE name IN ('fsync', 'full_page_writes')`;

const OPEN_TABLES: RawBuilder<Named> = sql<Named>`
  SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    AND NOT (relrowsecurity AND relforcerowsecurity)
  ORDER BY relname`;

interface Secured {
  /** Whether the server applies the policies to this role. */
  readonly is_active: number;
}

const IS_SECURED: RawBuilder<Secured> = sql<Secured>`
  SELECT row_security_active('run')::int AS is_active`;

/** Reads whether the role of this connection is held to the policies of the tables. */
export async function readSeparation(database: Database): Promise<Separation> {
  return await database.execute(findSeparation(database));
}

function* findSeparation({ build, get }: Pick<Queries, "build" | "get">): Steps<Separation> {
  const found = yield* get({ compile: () => IS_SECURED.compile(build) });
  return found?.is_active === 1 ? "enforced" : "bypassed";
}

/**
 * Does the same for an address, where no store is opened. Rejects with `DatabaseError` where the server
 * cannot be used or its tables are of another version.
 */
export async function readServerSeparation(url: string): Promise<Separation> {
  const queries = createQueries(createPostgresBuilder());
  return await administer({ url, command: "catalog web" }, async (client, address) => {
    await assertMigrated(client, address);
    return await createRunOn()(client, findSeparation(queries));
  });
}

/** Returns what is missing or switched off; empty where nothing is. */
export async function checkPostgres(database: Database): Promise<readonly string[]> {
  return listFaults(await database.across("team").snapshot(() => readFound(database)));
}

/**
 * Does the same for an address, where no store is opened. Rejects with `DatabaseError` where the
 * server cannot be used or its tables are of another version.
 */
export async function checkServer(url: string): Promise<readonly string[]> {
  const queries = createQueries(createPostgresBuilder());
  return await administer({ url, command: "catalog db check" }, async (client, address) => {
    await assertMigrated(client, address);
    return await commitAll(client, async () => {
      // The chain of the audit is checked, too.
      await client.query(toScopeStatement({ crossing: "team" }));
      return listFaults(await createRunOn()(client, readFound(queries)));
    });
  });
}

/** A server has a statement that empties a table as a whole. */
const SERVER_TRIGGERS: readonly string[] = [...TRIGGERS, "audit_is_not_emptied"];

interface Found {
  readonly indexes: readonly Named[];
  readonly triggers: readonly Named[];
  readonly settings: readonly Setting[];
  /** First entry of the audit that does not follow. */
  readonly auditBreak: number | undefined;
  /** Tables that show a store the rows of others. */
  readonly open: readonly Named[];
}

function listFaults(found: Found): readonly string[] {
  return [
    ...listMissing("index", GUARDING_INDEXES, found.indexes),
    ...listMissing("trigger", SERVER_TRIGGERS, found.triggers),
    ...found.settings
      .filter(({ value }) => value !== "on")
      .map(({ name, value }) => `${name}: ${value}`),
    ...describeAuditBreak(found.auditBreak),
    ...found.open
      .filter(({ name }) => !SHARED_TABLES.has(name))
      .map(({ name }) => `table ${name}: no row-level security`),
  ];
}

function listMissing(
  kind: string,
  needed: readonly string[],
  found: readonly Named[],
): readonly string[] {
  const known = new Set(found.map(({ name }) => name));
  return needed.filter((name) => !known.has(name)).map((name) => `${kind} ${name}: missing`);
}

function* readFound(queries: Pick<Queries, "build" | "all" | "get">): Steps<Found> {
  const { build, all } = queries;
  return {
    indexes: yield* all({ compile: () => SOUND_INDEXES.compile(build) }),
    triggers: yield* all({ compile: () => ACTIVE_TRIGGERS.compile(build) }),
    settings: yield* all({ compile: () => DURABILITY.compile(build) }),
    auditBreak: yield* findAuditBreak(queries),
    open: yield* all({ compile: () => OPEN_TABLES.compile(build) }),
  };
}

interface Sizes {
  readonly table_name: string;
  readonly bytes: number;
}

const READ_SIZES: RawBuilder<Sizes> = sql<Sizes>`
  SELECT relname AS table_name, pg_total_relation_size(relid) AS bytes
  FROM pg_stat_user_tables WHERE schemaname = current_schema()`;

type RowCounts = Pick<DatabaseSizes, "tableRows" | "archivedRows">;

const COUNT_ROWS: RawBuilder<RowCounts> = sql<RowCounts>`
  SELECT (SELECT count(*) FROM run_row) + (
    SELECT coalesce(sum(json_array_length(rows_json::json)), 0) FROM final_piece
  ) AS "tableRows", (
    SELECT coalesce(sum((counted ->> 'rows')::bigint), 0)
    FROM run_archive, json_array_elements(states_json::json) AS counted
    WHERE stage = 'archived'
  ) AS "archivedRows"`;

/** Reads the sizes; the free space of tables is not known, and PostgreSQL uses it again. */
export async function readPostgresSizes(database: Database): Promise<DatabaseSizes> {
  const { tables, counts } = await database.snapshot(() => readTableSizes(database));
  const kinds = { ...NO_BYTES };
  for (const { table_name, bytes } of tables) kinds[TABLES.get(table_name) ?? "other"] += bytes;
  const fileBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return { fileBytes, freeBytes: 0, kinds, ...counts };
}

function* readTableSizes({ build, all, get }: Database): Steps<{
  readonly tables: readonly Sizes[];
  readonly counts: RowCounts;
}> {
  const tables = yield* all({ compile: () => READ_SIZES.compile(build) });
  const counts = yield* get({ compile: () => COUNT_ROWS.compile(build) });
  return { tables, counts: counts ?? { tableRows: 0, archivedRows: 0 } };
}

/** What {@link noteRestored} has marked. */
interface NotedRestore {
  /** Number of runs whose waiting rows are compared with the store before they are sent. */
  readonly runs: number;
}

/**
 * Marks all runs of the database, and stops what is being sent from it. Rejects with `DatabaseError`
 * where the server cannot be used or its tables are of another version.
 */
export async function noteRestored(url: string): Promise<NotedRestore> {
  return await administer({ url, command: "catalog db restored" }, async (client, address) => {
    await assertMigrated(client, address);
    const place = await findPlace(client);
    return {
      runs: await commitAll(client, () =>
        markRestored(client, { place, generation: 0, isCertain: true }),
      ),
    };
  });
}

/** How many rows were copied, by table. */
export type CopiedRows = Readonly<Record<string, number>>;

/** Tables whose rows the migrations write, or that only a file needs. */
const LEFT_OUT: ReadonlySet<string> = new Set(["generation", "guarded_move", "job", "legal_move"]);

/** Tables that others refer to come first. */
const FIRST: readonly string[] = [
  "store",
  "run",
  "run_archive",
  "run_row",
  "export_job",
  "draft",
  "person",
  "team_store",
  "shared_file",
];

/** Far below the maximum number of parameters of a statement. */
const MAX_PARAMETERS = 20_000;
const MAX_ROWS = 500;

/**
 * Copies all rows in one transaction. Rejects with `DatabaseError`: `E_DATABASE_VERSION` where the
 * tables are missing or of another version, `E_DATABASE_NOT_EMPTY` where the database has a store, or
 * people.
 */
export async function copyToPostgres(file: FileDatabase, url: string): Promise<CopiedRows> {
  const command = "catalog db copy";
  return await administer({ url, command }, async (client, address) => {
    await assertMigrated(client, address);
    const place = await findPlace(client);
    return await commitAll(client, async () => {
      await client.query(forceSecurity(false));
      const copied = await copyTables(file, client, address);
      await client.query(forceSecurity(true));
      await recordPlace(client, place);
      await addJobs({ url, command, clock: systemClock }, readOpenJobs(file));
      return copied;
    });
  });
}

async function copyTables(
  file: FileDatabase,
  client: PoolClient,
  address: string,
): Promise<CopiedRows> {
  const { rowCount } = await client.query(
    "SELECT id FROM store UNION ALL SELECT id FROM person UNION ALL SELECT seq FROM audit LIMIT 1",
  );
  if (rowCount !== 0) throw new DatabaseError("E_DATABASE_NOT_EMPTY", address);
  await client.query("DELETE FROM copy; DELETE FROM audit_end");
  const copied: Record<string, number> = {};
  for (const table of listTables(file)) {
    // The events are copied, too, and were checked when they were written.
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    copied[table] = await copyTable(file, client, table);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
  await setSequences(client);
  return copied;
}

const readOpenJobs = (file: FileDatabase): readonly StoreJob[] =>
  readFile(file, "SELECT * FROM job WHERE ended_at_ms IS NULL ORDER BY asked_at_ms").map((row) => ({
    store: Number(row["store"]),
    kind: jobKindSchema.parse(row["kind"]),
    key: String(row["key"]),
    spec: fromJson(String(row["spec_json"])),
  }));

function listTables(file: FileDatabase): readonly string[] {
  const all = readFile(file, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    .map(({ name }) => String(name))
    .filter((name) => !LEFT_OUT.has(name) && !name.startsWith("sqlite_"));
  const rest = all.filter((name) => FIRST.every((first) => first !== name));
  return [...FIRST, ...rest];
}

async function copyTable(file: FileDatabase, client: PoolClient, table: string): Promise<number> {
  const columns = readFile(file, `SELECT name FROM pragma_table_info('${table}') ORDER BY cid`);
  const names = columns.map(({ name }) => String(name));
  const size = Math.min(MAX_ROWS, Math.floor(MAX_PARAMETERS / names.length));
  for (let copied = 0; ;) {
    const rows = readFile(file, `SELECT * FROM "${table}" LIMIT ${size} OFFSET ${copied}`);
    if (rows.length === 0) return copied;
    const values: SqlValue[] = rows.flatMap((row) =>
      names.map((name) => toStored(toInput(row[name]))),
    );
    const places = rows.map((_, at) => {
      const first = at * names.length;
      return `(${names.map((__, column) => `$${first + column + 1}`).join(", ")})`;
    });
    const list = names.map((name) => `"${name}"`).join(", ");
    const insert = `INSERT INTO ${table} (${list}) VALUES ${places.join(", ")}`;
    await client.query(insert, values);
    copied += rows.length;
  }
}

type Row = Readonly<Record<string, unknown>>;

const readFile = (file: FileDatabase, text: string): readonly Row[] =>
  file.executeNow(file.all({ compile: () => sql<Row>`${sql.raw(text)}`.compile(file.build) }));

/** Numbers that the database assigns continue after the highest one. */
async function setSequences(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ readonly t: string; readonly c: string }>(
    `SELECT table_name AS t, column_name AS c FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  for (const { t, c } of rows) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${t}', '${c}'), coalesce(max("${c}"), 0) + 1, false)
       FROM "${t}"`,
    );
  }
}

/** Puts a file that was copied away. The file must be closed. */
export function putAway(path: string, url: string): string {
  const away = moveAway(path, "moved");
  writeFileSync(`${path}.moved`, describeAddress(url), { mode: 0o600 });
  return away;
}
