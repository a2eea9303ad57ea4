import { DatabaseSync } from "node:sqlite";

import { expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { migratePostgres } from "../../src/postgres/administration.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { MIGRATIONS, statementsAfter } from "../../src/sql/migrations.ts";
import { createTestDatabase } from "../../src/testing/index.ts";
import { LATER } from "../helpers/later-version.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { STORE } from "../helpers/runs-and-rows.ts";

/** Tables that only one of the databases needs. */
const OWN_TABLES = new Set(["commit_mark", "generation", "job", "lease", "schema_version"]);

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ["INTEGER", "bigint"],
  ["REAL", "double precision"],
  ["TEXT", "text"],
  ["BLOB", "bytea"],
]);

function readFileShape() {
  const file = new DatabaseSync(":memory:");
  onTestFinished(() => file.close());
  file.exec(statementsAfter(0, "sqlite", MIGRATIONS));
  const columns = file.prepare(
    `SELECT m.name AS t, c.name AS c, c.type AS type, c."notnull" AS is_full, c.pk AS pk
     FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'`,
  );
  const names = (type: string): readonly string[] =>
    file
      .prepare("SELECT name, tbl_name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL")
      .all(type)
      .map(({ name, tbl_name }) => `${String(tbl_name)}.${String(name)}`)
      .toSorted();
  return {
    columns: columns
      .all()
      .filter(({ t }) => !OWN_TABLES.has(String(t)))
      .map(({ t, c, type, is_full, pk }) => {
        const isFull = is_full === 1 || Number(pk) > 0;
        return `${String(t)}.${String(c)} ${TYPES.get(type)}${isFull ? " full" : ""} ${Number(pk)}`;
      })
      .toSorted(),
    indexes: names("index"),
    triggers: names("trigger"),
  };
}

describeOnPostgres("the tables of PostgreSQL", () => {
  it("have the columns, keys, indexes and rules of SQLite", async () => {
    const { server } = await openTestPostgres();
    const columns = await server.query(
      `SELECT c.table_name AS t, c.column_name AS c, c.data_type AS type, c.is_nullable AS nullable,
         coalesce(array_position(i.indkey::int[], a.attnum::int), -1) + 1 AS pk
       FROM information_schema.columns AS c
       JOIN pg_attribute AS a ON a.attrelid = c.table_name::regclass AND a.attname = c.column_name
       LEFT JOIN pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary
       WHERE c.table_schema = 'public'`,
    );
    const indexes = await server.query(
      `SELECT tablename AS t, indexname AS name FROM pg_indexes WHERE schemaname = 'public'
       AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    );
    const triggers = await server.query(
      "SELECT tgrelid::regclass::text AS t, tgname AS name FROM pg_trigger WHERE NOT tgisinternal",
    );

    const own = readFileShape();

    const named = (rows: typeof indexes): readonly string[] =>
      rows.map(({ t, name }) => `${String(t)}.${String(name)}`).toSorted();
    expect({
      columns: columns
        .filter(({ t }) => !OWN_TABLES.has(String(t)))
        .map(({ t, c, type, nullable, pk }) => {
          const isFull = nullable === "NO" ? " full" : "";
          return `${String(t)}.${String(c)} ${String(type)}${isFull} ${Number(pk)}`;
        })
        .toSorted(),
      indexes: named(indexes),
      // A file has no statement that empties a table as a whole.
      triggers: named(triggers).filter((name) => name !== "audit.audit_is_not_emptied"),
    }).toEqual(own);
  });

  it("compare every text byte by byte", async () => {
    const { server } = await openTestPostgres();

    const other = await server.query(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
    );

    expect(other).toEqual([]);
  });

  it("are made once by processes that start together, and left as they are afterwards", async () => {
    await using empty = await createTestDatabase({ isEmpty: true });

    const made = await Promise.all([1, 2, 3].map(() => migratePostgres(empty.url)));

    expect(made.filter(({ from }) => from === 0)).toHaveLength(1);
    expect(new Set(made.map(({ to }) => to))).toEqual(new Set([MIGRATIONS.length]));
  });

  it("are asked for where they are missing or of another version", async () => {
    await using empty = await createTestDatabase({ isEmpty: true });
    const options = { url: empty.url, clock: { now: () => 0, sleep: async () => undefined } };
    const codeOf = async (): Promise<unknown> => {
      try {
        await openPostgres({ ...options, store: STORE });
      } catch (error) {
        return error instanceof DatabaseError ? error.code : error;
      }
      return "opened";
    };

    expect(await codeOf()).toBe("E_DATABASE_VERSION");
    await migratePostgres(empty.url);
    await empty.query("UPDATE schema_version SET version = version + 1");
    expect(await codeOf()).toBe("E_DATABASE_SERVER");
    await expect(migratePostgres(empty.url)).rejects.toMatchObject({ code: "E_DATABASE_SERVER" });
  });

  it("keep their rows in a migration of a later version, which an earlier program refuses", async () => {
    await using server = await createTestDatabase({ isEmpty: true });
    await migratePostgres(server.url);
    await server.query("INSERT INTO store (base_url, store_id) VALUES ('https://a.example', 's')");
    await server.query(
      `INSERT INTO run (id, store, command, state, file_json, mode, lang, report_dir, warnings_json,
         created_at_ms, updated_at_ms)
       VALUES ('run-1', 1, 'plan', 'planned', '{}', 'upsert', 'tr', '', '[]', 0, 0)`,
    );

    const migrated = await migratePostgres(server.url, [...MIGRATIONS, LATER]);

    expect(migrated).toEqual({ from: MIGRATIONS.length, to: MIGRATIONS.length + 1 });
    expect(await server.query("SELECT id, later::int AS later FROM run")).toEqual([
      { id: "run-1", later: 7 },
    ]);
    await expect(migratePostgres(server.url)).rejects.toMatchObject({ code: "E_DATABASE_SERVER" });
  });

  it("are refused where a version before 1.0 has made them", async () => {
    await using server = await createTestDatabase({ isEmpty: true });
    await server.query("CREATE TABLE row_cells (run_id text)");
    await server.query("CREATE TABLE schema_version (id bigint, version bigint)");
    await server.query("INSERT INTO schema_version VALUES (1, 30)");
    const clock = { now: () => 0, sleep: async () => undefined };

    const refusals = await Promise.allSettled([
      migratePostgres(server.url),
      openPostgres({ url: server.url, clock, store: STORE }),
    ]);

    expect(refusals).toMatchObject(
      refusals.map(() => ({ status: "rejected", reason: { code: "E_DATABASE_OLDER" } })),
    );
  });
});
