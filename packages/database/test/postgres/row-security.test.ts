import { systemClock } from "@catalog/clock";
import { sql } from "kysely";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";

import { openPostgres } from "../../src/postgres/open-postgres.ts";
import type { Database } from "../../src/sql/database.ts";
import { SHARED_TABLES } from "../../src/sql/row-security.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import { STORE } from "../helpers/runs-and-rows.ts";

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const COLUMNS = `SELECT c.table_name AS table, c.column_name AS name, c.udt_name AS type
  FROM information_schema.columns AS c
  JOIN information_schema.tables AS t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
  ORDER BY c.table_name, c.ordinal_position`;

async function readColumns(server: TestDatabase): Promise<readonly Column[]> {
  return (await server.query(COLUMNS)).map((row) => ({
    table: String(row["table"]),
    name: String(row["name"]),
    type: String(row["type"]),
  }));
}

/** Writes a value of any column. Numbers and texts name the store, and so the rows that refer to them. */
function toValue({ table, name, type }: Column, store: number): string {
  if (type === "bytea") return "''";
  if (type === "int8" || type === "float8") return String(store);
  return table === "run" && name === "state" ? "'finished'" : `'of ${store}'`;
}

const [OWN, OTHER] = [1, 2];

/** Tables with rows that others name come first. */
const FIRST = ["store", "run", "run_archive", "run_row", "export_job", "draft"];

const inOrder = (tables: readonly string[]): readonly string[] => [
  ...FIRST,
  ...tables.filter((table) => !FIRST.includes(table)),
];

interface Table {
  readonly name: string;
  /** Inserts the one row that a store has of the table. */
  readonly insert: (store: number) => string;
}

/** Reads the tables as they are, so that one without policies is found that was added later. */
async function readTables(server: TestDatabase): Promise<readonly Table[]> {
  const tables = Map.groupBy(await readColumns(server), ({ table }) => table);
  const secured = [...tables].filter(([name]) => !SHARED_TABLES.has(name));
  return inOrder(secured.map(([name]) => name)).map((name) => {
    const columns = tables.get(name) ?? [];
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    return {
      name,
      insert: (store) =>
        `INSERT INTO "${name}" (${names})
         VALUES (${columns.map((column) => toValue(column, store)).join(", ")})`,
    };
  });
}

interface TwoStores {
  readonly server: TestDatabase;
  readonly tables: readonly Table[];
  /** The database as it was opened for the first store. */
  readonly own: Database;
}

async function openTwoStores(): Promise<TwoStores> {
  const server = await createTestDatabase();
  const open = (storeId: string): Promise<Database> =>
    openPostgres({ url: server.url, clock: systemClock, store: { ...STORE, storeId } });
  const own = await open("of 1");
  const tables = await readTables(server);
  onTestFinished(async () => {
    await own.close();
    await server[Symbol.asyncDispose]();
  });
  await server.query("DELETE FROM store");
  for (const store of [OWN, OTHER]) {
    // The one row of the end of the audit is there already.
    for (const { insert } of tables.filter(({ name }) => name !== "audit_end")) {
      await server.query(`SET session_replication_role = replica; ${insert(store)}`);
    }
  }
  return { server, tables, own };
}

/** Says how many rows a query finds. */
async function count(database: Database, query: string): Promise<number> {
  const found = await database.execute(
    database.all({ compile: () => sql`${sql.raw(query)}`.compile(database.build) }),
  );
  return found.length;
}

/** Returns what the server says against a statement; `undefined` where it was done. */
async function failureOf(database: Database, text: string): Promise<string | undefined> {
  const statement = { compile: () => sql`${sql.raw(text)}`.compile(database.build) };
  try {
    await database.execute(database.run(statement));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

/** Tables of the people of a server, which no store sees. */
const TEAM: ReadonlySet<string> = new Set([
  "api_key",
  "audit",
  "audit_end",
  "invitation",
  "membership",
  "person",
  "person_session",
  "run_comment",
  "shared_draft",
  "shared_file",
  "sign_in_try",
  "team_store",
]);

/** Tables of what the stores of a marketplace have in common, which a store only sees. */
const OF_MARKETS: ReadonlySet<string> = new Set(["shared_rule"]);

const rowsOf = (table: string): string => `SELECT 1 FROM "${table}"`;
/** A lock is what a change needs, and asks the policies of changes. */
const changeableRowsOf = (table: string): string => `SELECT 1 FROM "${table}" FOR UPDATE`;

describeOnPostgres("a table of PostgreSQL", () => {
  it("is secured for all who are no superuser, or is known to be shared by all stores", async () => {
    await using server = await createTestDatabase();

    const open = await server.query(
      `SELECT c.relname AS name FROM pg_class AS c
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
         AND NOT (relrowsecurity AND relforcerowsecurity
           AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = c.oid))
       ORDER BY c.relname`,
    );

    expect(open.map(({ name }) => name)).toEqual([...SHARED_TABLES.keys()].toSorted());
  });
});

describeOnPostgres("a store of a server", () => {
  it("sees and changes only its own rows, and writes none for another store", async () => {
    const { tables, own } = await openTwoStores();
    const found: Record<string, unknown> = {};
    for (const { name, insert } of tables) {
      found[name] = [
        await count(own, rowsOf(name)),
        await count(own, changeableRowsOf(name)),
        await failureOf(own, insert(OTHER)),
      ];
    }

    const expected = tables.map(({ name }) => {
      const rows = TEAM.has(name) ? 0 : 1;
      return [
        name,
        [
          rows,
          OF_MARKETS.has(name) ? 0 : rows,
          `new row violates row-level security policy for table "${name}"`,
        ],
      ];
    });
    expect(found).toEqual(Object.fromEntries(expected));
  });

  it("sees of others what it crosses to on purpose, and nothing else", async () => {
    const { tables, own } = await openTwoStores();
    const crossings = ["stores", "due", "restore", "sharing", "sizes", "team"] as const;
    const found: Record<string, Record<string, string>> = {};
    for (const crossing of crossings) {
      const across = own.across(crossing);
      found[crossing] = {};
      for (const { name } of tables) {
        const [seen, changed] = [
          await count(across, rowsOf(name)),
          await count(across, changeableRowsOf(name)),
        ];
        if (seen > 0) found[crossing][name] = changed > 0 ? "writes" : "reads";
      }
    }

    expect(found).toEqual({
      stores: { store: "writes", run: "reads" },
      due: { schedule: "reads", run_period: "reads" },
      restore: { run: "writes", event: "reads" },
      sharing: { shared_rule: "writes" },
      sizes: { run_row: "reads", final_piece: "reads", run_archive: "reads" },
      team: {
        store: "writes",
        run: "reads",
        ...Object.fromEntries(Array.from(TEAM, (name) => [name, "writes"])),
      },
    });
  });

  it("is not what the next one sees that uses its connection", async () => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const open = async (storeId: string): Promise<Database> => {
      const database = await openPostgres({
        url: server.url,
        clock: systemClock,
        store: { ...STORE, storeId },
        command: "one connection",
        maxConnections: 1,
      });
      onTestFinished(() => database.close());
      return database;
    };
    const [first, second] = [await open("first"), await open("second")];
    const seen = sql<{ readonly store_id: string }>`SELECT store_id FROM store`;
    const look = (database: Database) =>
      database.all({ compile: () => seen.compile(database.build) });

    const found = await Promise.all(
      [first, second, first].flatMap((database) => [
        database.execute(look(database)),
        database.transaction(() => look(database)),
        database.snapshot(() => look(database)),
        database.across("due").execute(look(database)),
      ]),
    );

    const expected = ["first", "second", "first"].flatMap((store_id) => [
      [{ store_id }],
      [{ store_id }],
      [{ store_id }],
      [],
    ]);
    expect(found).toEqual(expected);
  });

  it("is nobody where a connection names none", async () => {
    const { server, tables } = await openTwoStores();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    onTestFinished(() => client.end());

    const found = [];
    for (const { name } of tables) found.push((await client.query(rowsOf(name))).rows.length);

    expect(found).toEqual(tables.map(() => 0));
  });

  it("keeps the newest event of all stores", async () => {
    const { own } = await openTwoStores();

    const newest = await count(own, "SELECT 1 FROM generate_series(1, newest_event())");

    expect([newest, await count(own, rowsOf("event"))]).toEqual([2, 1]);
  });
});
