import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import type { Finished } from "../../helpers/processes/catalog-process.ts";

type Run = (...args: readonly string[]) => Promise<Finished>;

/** Runs the program with an empty database; without an address where `isGiven` is false. */
async function openEmpty(isGiven = true): Promise<{ readonly run: Run; readonly drop: Run }> {
  const server = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const env = isGiven ? { CATALOG_DATABASE_URL: server.url } : {};
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
});
