/** Copies everything of a file into an empty PostgreSQL database, all or nothing. */

import { writeFileSync } from "node:fs";

import { systemClock } from "@catalog/clock";
import { sql } from "kysely";
import type { PoolClient } from "pg";

import { DatabaseError } from "../errors.ts";
import { jobKindSchema } from "../repositories/jobs.ts";
import type { FileDatabase } from "../sql/database.ts";
import { fromJson } from "../sql/json.ts";
import { toInput } from "../sql/prepared.ts";
import type { SqlValue } from "../sql/steps.ts";
import { moveAway } from "../sqlite/put-away.ts";
import { addJobs, type StoreJob } from "./boss-queue.ts";
import { assertMigrated } from "./migrate-postgres.ts";
import { administer, commitAll, describeAddress } from "./pool.ts";
import { findPlace, recordPlace } from "./restore-detection.ts";
import { toStored } from "./value-types.ts";

/** How many rows were copied, by table. */
export type CopiedRows = Readonly<Record<string, number>>;

/** Tables whose rows the migrations write, or that only a file needs. */
const LEFT_OUT: ReadonlySet<string> = new Set(["generation", "guarded_move", "job", "legal_move"]);

/** Tables that others refer to come first. */
const FIRST = ["store", "run", "run_archive", "run_row", "export_job", "draft"] as const;

/** Far below the maximum number of parameters of a statement. */
const MAX_PARAMETERS = 20_000;
const MAX_ROWS = 500;

/**
 * Copies all rows in one transaction. Rejects with `DatabaseError`: `E_DATABASE_VERSION` where the
 * tables are missing or of another version, `E_DATABASE_NOT_EMPTY` where the database has a store.
 */
export async function copyToPostgres(file: FileDatabase, url: string): Promise<CopiedRows> {
  const command = "catalog db copy";
  return await administer({ url, command }, async (client, address) => {
    await assertMigrated(client, address);
    const place = await findPlace(client);
    return await commitAll(client, async () => {
      const copied = await copyTables(file, client, address);
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
  const { rowCount } = await client.query("SELECT id FROM store LIMIT 1");
  if (rowCount !== 0) throw new DatabaseError("E_DATABASE_NOT_EMPTY", address);
  await client.query("DELETE FROM copy");
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

/** Numbers that the database assigns go on after the highest one. */
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
