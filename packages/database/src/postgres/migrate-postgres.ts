/** Makes and checks the tables of a PostgreSQL database. */

import type { Client } from "pg";

import { DatabaseError } from "../errors.ts";
import { BASELINE, POSTGRES_MIGRATIONS } from "../migrations/postgres-migrations.ts";
import { administer, commitAll } from "./pool.ts";
import { findPlace, recordPlace } from "./restore-detection.ts";
import { LOCK_CLASS } from "./transact.ts";

/** Version that this program makes and needs. */
export const POSTGRES_VERSION: number = BASELINE + POSTGRES_MIGRATIONS.length - 1;

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
 * Makes the tables, or brings them to this version, all or nothing. Of several processes one does.
 * Rejects with `DatabaseError` where the server cannot be used, is too old or has newer tables.
 */
export async function migratePostgres(url: string): Promise<Migrated> {
  return await administer({ url, command: "catalog db migrate" }, async (client, address) => {
    await assertServer(client, address);
    const place = await findPlace(client);
    return await commitAll(client, async () => {
      const migrated = await migrate(client, address);
      await recordPlace(client, place);
      return migrated;
    });
  });
}

async function migrate(client: Queryable, address: string): Promise<Migrated> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${MIGRATION_LOCK})`);
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_version (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL)",
  );
  const from = await readVersion(client);
  if (from > POSTGRES_VERSION) throw newer(address, from);
  const done = from === 0 ? 0 : from - BASELINE + 1;
  for (const statement of POSTGRES_MIGRATIONS.slice(done).flat()) await client.query(statement);
  await client.query(
    `INSERT INTO schema_version (id, version) VALUES (1, ${POSTGRES_VERSION})
     ON CONFLICT (id) DO UPDATE SET version = excluded.version`,
  );
  return { from, to: POSTGRES_VERSION };
}

/** Rejects where the tables are not those of this version. */
export async function assertMigrated(client: Queryable, address: string): Promise<void> {
  await assertServer(client, address);
  const { rows } = await client.query<{ readonly has_table: number }>(
    "SELECT to_regclass('schema_version') IS NOT NULL AS has_table",
  );
  const version = rows[0]?.has_table === 1 ? await readVersion(client) : 0;
  if (version > POSTGRES_VERSION) throw newer(address, version);
  if (version === POSTGRES_VERSION) return;
  throw new DatabaseError("E_DATABASE_VERSION", {
    tr: `${address}: sürüm ${version}, gereken ${POSTGRES_VERSION}`,
    en: `${address}: version ${version}, needed ${POSTGRES_VERSION}`,
  });
}

async function readVersion(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ readonly version: number }>(
    "SELECT version FROM schema_version",
  );
  return rows[0]?.version ?? 0;
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
    tr: `${address}: tablolar daha yeni bir sürümün (${version}), bu sürüm ${POSTGRES_VERSION} sürümünü bilir`,
    en: `${address}: its tables are of a newer version (${version}), this one knows ${POSTGRES_VERSION}`,
  });
}
