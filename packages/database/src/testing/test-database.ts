/** Databases of one server, each for one test. */

import { randomBytes } from "node:crypto";

import { Client } from "pg";

import { migratePostgres } from "../postgres/administration.ts";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** A database with the tables of this version. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Runs a statement as another program would. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

/** Names the server of a whole test run; without it each process of tests starts one. */
const SERVER = "CATALOG_TEST_DATABASE_URL";

let server: Promise<string> | undefined;

/** Databases that were used by a test, and are empty again. */
const free: string[] = [];

interface TestDatabaseOptions {
  /** Whether it is without tables. @default it has those of this version, without rows */
  readonly isEmpty?: boolean | undefined;
  /** Address of the server. @default the one of all tests */
  readonly server?: string | undefined;
}

/** Makes a database. It is dropped when it is disposed of. */
export async function createTestDatabase({
  isEmpty = false,
  server: given,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const url = given ?? (await (server ??= findServer()));
  const isKept = !isEmpty && given === undefined;
  const used = isKept ? free.pop() : undefined;
  const name = used ?? `test_${process.pid}_${randomBytes(8).toString("hex")}`;
  const address = toDatabase(url, name);
  if (used === undefined) {
    await asAdministrator(url, (admin) => admin.query(`CREATE DATABASE ${name}`));
    if (!isEmpty) await migratePostgres(address);
  }
  return {
    url: address,
    query: (sql, values = []) =>
      asAdministrator(address, async (client) => {
        const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
        return rows;
      }),
    async [Symbol.asyncDispose]() {
      if (!isKept) {
        await asAdministrator(url, (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
        return;
      }
      await asAdministrator(address, (admin) => admin.query(EMPTY));
      free.push(name);
    },
  };
}

const readGiven = (): string => process.env[SERVER] ?? "";

/** Says whether there is a server for tests, or one can be started. */
export const hasPostgres = (): boolean => readGiven() !== "" || findPostgres() !== undefined;

async function findServer(): Promise<string> {
  const given = readGiven();
  return given === "" ? (await startPostgres()).url : given;
}

/** Rows that the migrations write stay; numbers begin again. */
const EMPTY = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
  SET session_replication_role = replica;
  DELETE FROM catalog_queue.job;
  DELETE FROM catalog_queue.instance;
  DO $$ DECLARE t record; BEGIN
    FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
      AND tablename NOT IN ('legal_move', 'guarded_move', 'copy', 'schema_version') LOOP
      EXECUTE format('DELETE FROM %I', t.tablename);
    END LOOP;
    FOR t IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
      EXECUTE format('ALTER SEQUENCE %I RESTART', t.sequencename);
    END LOOP;
  END $$;
  UPDATE copy SET doubted_seq = 0`;

async function asAdministrator<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  // A test may end all connections, also this one, whose statement tells.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function toDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
