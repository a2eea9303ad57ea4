import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createTestDatabase, hasPostgres, startPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { type Finished, startCatalog } from "../../helpers/processes/catalog-process.ts";

/** Calls of the doctor that the specification does not have. */
const DOCTOR = {
  "early-token": "it proves the credentials, for which the token that is kept says nothing",
  "unknown-path": "it asks the bare address whether anybody answers there",
} as const;

type Run = (...args: readonly string[]) => Promise<Finished>;

/** Runs the program with an empty database; without an address where `isGiven` is false. */
async function openEmpty(isGiven = true): Promise<{ readonly run: Run; readonly drop: Run }> {
  const server = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const home = mkdtempSync(join(tmpdir(), "catalog-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { CATALOG_HOME: home, ...(isGiven && { CATALOG_DATABASE_URL: server.url }) };
  const run: Run = (...args) => callCatalog(["db", ...args], { env, cwd: process.cwd() });
  const drop: Run = async (...args) => {
    for (const statement of args) await server.query(statement);
    return await run("check", "--json");
  };
  return { run, drop };
}

describe.skipIf(!hasPostgres())("catalog db", () => {
  it("makes the tables once, and says so", async () => {
    const { run } = await openEmpty();

    const [missing, first, second] = [
      await run("check"),
      await run("migrate", "--json"),
      await run("migrate", "--lang", "en"),
    ];

    expect([missing.code, first.code, second.code]).toEqual([2, 0, 0]);
    expect(missing.err).toContain("catalog db migrate");
    expect(JSON.parse(first.out)).toMatchObject({ action: "migrate", from: 0, exit: 0 });
    expect(second.out).toContain("of this version already");
  });

  it("names a rule that is missing, and a setting that may lose commits", async () => {
    const { run, drop } = await openEmpty();
    await run("migrate");

    const found = await drop(
      "DROP INDEX one_add_per_code",
      "ALTER TABLE run_row DISABLE TRIGGER run_row_moves_legally",
    );

    const { faults } = JSON.parse(found.out);
    expect(found.code).toBe(2);
    expect(faults).toContain("index one_add_per_code: missing");
    expect(faults).toContain("trigger run_row_moves_legally: missing");
  });

  it("needs an address, and shows no password", async () => {
    const { run } = await openEmpty(false);
    const env = { CATALOG_DATABASE_URL: "postgres://someone:hidden@127.0.0.1:1/none" };

    const [none, refused] = [
      await run("check"),
      await callCatalog(["db", "migrate"], { env, cwd: process.cwd() }),
    ];

    expect(none.code).toBe(2);
    expect(none.err).toContain("CATALOG_DATABASE_URL");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("postgres://someone@127.0.0.1:1/none");
    expect(refused.err).not.toContain("hidden");
  });

  it("names the settings of a password that is not given, and ends at once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-rules-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const rules = "host all all 127.0.0.1/32 scram-sha-256\n";
    // The server would end the connection of a program that waits.
    const patience = ["-c", "authentication_timeout=10min"];
    await using server = await startPostgres({ rules, options: patience });
    const env = { CATALOG_DATABASE_URL: server.url };
    const startedMs = Date.now();

    const ended = await startCatalog(["db", "check", "--lang", "en"], { env, cwd: folder })
      .finished;

    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(/client password must be a string.*Check PGPASSWORD/su);
    expect(ended.err).not.toContain("this is a bug");
    expect(Date.now() - startedMs).toBeLessThan(300_000);
  });

  it("tells a role that owns no tables whose address to use", async () => {
    await using server = await createTestDatabase({ isEmpty: true });
    await server.query("DROP ROLE IF EXISTS worker_of_command");
    await server.query("CREATE ROLE worker_of_command LOGIN");
    const address = new URL(server.url);
    address.username = "worker_of_command";
    const env = { CATALOG_DATABASE_URL: address.href };

    const migrate = () => callCatalog(["db", "migrate", "--json"], { env, cwd: process.cwd() });

    const withoutTables = await migrate();
    // Without a schema to create in, PostgreSQL has another code for it.
    await server.query("REVOKE ALL ON SCHEMA public FROM PUBLIC");
    const withoutSchema = await migrate();

    await server.query("DROP ROLE worker_of_command");
    for (const { code, out, err } of [withoutTables, withoutSchema]) {
      expect(code).toBe(2);
      expect(out + err).toContain("E_DATABASE_RIGHTS");
      expect(out + err).toContain("tabloların sahibinin adresiyle");
      expect(out + err).not.toContain("bizim hatamız");
    }
  });
});

describe("catalog db migrate --discard", () => {
  it("puts a database from before version 1.0 aside, and nothing else", async () => {
    const shop = await openTestStore();
    const home = join(shop.folder, "home");
    const path = join(home, "catalog.db");
    mkdirSync(home);
    const old = new DatabaseSync(path);
    old.exec("PRAGMA application_id=1128354892; PRAGMA user_version=30");
    old.close();

    const refused = await shop.run("runs", "--json");
    const discarded = await shop.run("db", "migrate", "--discard", "--json");
    const listed = await shop.run("runs", "--json");
    const again = await shop.run("db", "migrate", "--discard", "--lang", "en");

    expect([refused, discarded, listed, again].map(({ code }) => code)).toEqual([2, 0, 0, 2]);
    expect(JSON.parse(refused.out).error.code).toBe("E_DATABASE_OLDER");
    const kept = `${path}.discarded.db`;
    expect(JSON.parse(discarded.out)).toMatchObject({ action: "migrate", database: path, kept });
    expect(existsSync(kept)).toBe(true);
    expect(again.err).toContain("was not put aside");
  });
});

describe.skipIf(!hasPostgres())("catalog doctor", () => {
  it("has a failed line for a database that the server does not have", async () => {
    const shop = await openTestStore({ breaks: DOCTOR });
    await using server = await createTestDatabase({ isEmpty: true });
    const address = new URL(server.url);
    address.pathname = "/no_such_database";
    const env = { ...shop.env, CATALOG_DATABASE_URL: address.href };

    const ended = await callCatalog(["doctor", "--json"], { env, cwd: shop.folder });

    const { checks } = JSON.parse(ended.out);
    expect(ended.code).toBe(2);
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: "database",
        state: "fail",
        fix: expect.stringMatching(/no_such_database.*CATALOG_DATABASE_URL/u),
      }),
    );
  });

  it("warns of a user for whom the server does not hold stores apart", async () => {
    const shop = await openTestStore({ breaks: DOCTOR });
    // One that syncs, as any other has a failed line.
    await using own = await startPostgres({ options: [] });
    await using server = await createTestDatabase({ server: own.url });
    const look = async (url: string): Promise<unknown> => {
      const env = { ...shop.env, CATALOG_DATABASE_URL: url };
      const { code, out } = await callCatalog(["doctor", "--json"], { env, cwd: shop.folder });
      const { checks } = JSON.parse(out);
      return [code, checks.find(({ name }: { name: string }) => name === "row_security")?.state];
    };

    expect([await look(server.url), await look(server.superuserUrl)]).toEqual([
      [0, "ok"],
      [0, "warn"],
    ]);
  });

  it.each(["superuser", "BYPASSRLS"])("keeps no server for a team open to a %s", async (kind) => {
    const shop = await openTestStore();
    await using server = await createTestDatabase();
    const url = new URL(server.superuserUrl);
    const role = `sees_all_${url.pathname.slice(1)}`;
    if (kind === "BYPASSRLS") {
      await server.query(`CREATE ROLE ${role} LOGIN BYPASSRLS`);
      await server.query(`GRANT ${new URL(server.url).username} TO ${role}`);
      url.username = role;
    }
    const words = [
      "web",
      "--server",
      "--url",
      "https://a.example",
      "--behind-proxy",
      "--port",
      "0",
    ];
    const env = { ...shop.env, CATALOG_DATABASE_URL: url.href };

    const { code, err } = await callCatalog([...words, "--lang", "en"], { env, cwd: shop.folder });

    if (kind === "BYPASSRLS") {
      await server.query(`DROP ROLE ${role}`);
    }
    expect([code, err]).toEqual([2, expect.stringContaining("sees the rows of all stores")]);
  });
});
