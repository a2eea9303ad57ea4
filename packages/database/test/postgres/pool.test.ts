import { expect, it, onTestFinished } from "vitest";

import { openPool } from "../../src/postgres/pool.ts";
import { isLost } from "../../src/postgres/postgres-errors.ts";
import { createTestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";

describeOnPostgres("a pool of connections", () => {
  it("tells the next statement that a connection has ended between two", async () => {
    const server = await createTestDatabase();
    const pool = openPool({ url: server.url });
    onTestFinished(async () => {
      await pool.end();
      await server[Symbol.asyncDispose]();
    });
    const client = await pool.connect();
    const ended = new Promise<void>((resolve) => client.once("end", resolve));

    await server.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'catalog'",
    );
    await ended;
    const error: unknown = await client.query("SELECT 1").catch((cause: unknown) => cause);
    client.release(true);

    expect(isLost(error)).toBe(true);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  it("counts a connection on which nothing comes back as lost", async () => {
    const server = await createTestDatabase();
    const pool = openPool({ url: server.url, maxSilenceMs: 3_000 });
    onTestFinished(async () => {
      await pool.end();
      await server[Symbol.asyncDispose]();
    });

    const error: unknown = await pool.query("SELECT pg_sleep(30)").catch((cause: unknown) => cause);

    expect(error).toMatchObject({ code: "ETIMEDOUT" });
    expect(isLost(error)).toBe(true);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });
});
