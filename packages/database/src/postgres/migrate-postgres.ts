/** Makes and checks the tables of a PostgreSQL database. */

import { systemClock } from "@catalog/clock";
import type { Client } from "pg";

import { DatabaseError } from "../errors.ts";
import { type Migration, MIGRATIONS, statementsAfter } from "../migrations/migrations.ts";
import { migrateQueue } from "./boss-queue.ts";
import { administer, commitAll } from "./pool.ts";
import { findPlace, recordPlace } from "./restore-detection.ts";
import { LOCK_CLASS } from "./transact.ts";

/** Oldest server that the tests run on, as `server_version_num` has it. */
const MIN_SERVER = 150_000;

/** Locks of stores have positive numbers. */
const MIGRATION_LOCK = 0;

type Queryable = Pick<Client, "query">;

/** What {@link migratePostgres} has found and made. */
export interface Migrated {
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
  await client.query(statementsAfter(from, "postgres", migrations));
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
