import { systemClock } from "@catalog/clock";
import { expect, it, onTestFinished } from "vitest";

import { isLost } from "../../src/errors.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { openPool } from "../../src/postgres/pool.ts";
import { createScheduleRepository } from "../../src/repositories/schedules.ts";
import type { Database } from "../../src/sql/database.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";
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

const STORES = Array.from({ length: 40 }, (_, n) => ({
  baseUrl: "https://marketplace.test",
  storeId: `store-${n}`,
}));

const SCHEDULE = {
  id: "feed",
  feed: "/feed.csv",
  options: {},
  cron: "0 * * * *",
  timeZone: "UTC",
  madeBy: "page",
  isSpread: false,
} as const;

interface Opened {
  readonly database: Database;
  readonly schedules: ReturnType<typeof createScheduleRepository>;
}

const openAll = (url: string): Promise<readonly Opened[]> =>
  Promise.all(
    STORES.map(async (store) => {
      const database = await openPostgres({ url, clock: systemClock, store });
      return {
        database,
        schedules: createScheduleRepository({ database, store, clock: systemClock }),
      };
    }),
  );

async function closeAll(opened: readonly Opened[]): Promise<void> {
  for (const { database } of opened) await database.close();
}

async function countConnections(server: TestDatabase): Promise<number> {
  const found = await server.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend'`,
  );
  return Number(found[0]?.["n"]);
}

describeOnPostgres("stores that a process works on", () => {
  it("share few connections, and each sees its own rows", async () => {
    await using server = await createTestDatabase();
    const opened = await openAll(server.url);
    await Promise.all(opened.slice(0, 5).map(({ schedules }) => schedules.save(SCHEDULE)));

    const open: number[] = [];
    // A statement gets a name after some runs, which is one for all stores.
    for (let round = 0; round < 8; round += 1) {
      const lists = await Promise.all(opened.map(({ schedules }) => schedules.list()));
      open.push(lists.filter((list) => list.length > 0).length);
    }

    expect(open).toEqual(Array.from({ length: 8 }, () => 5));
    expect(await countConnections(server)).toBeLessThanOrEqual(4);
    await closeAll(opened);
  });

  it("work on when one of them is closed, even twice, and leave nothing open at the end", async () => {
    await using server = await createTestDatabase();
    const [first, ...others] = await openAll(server.url);

    await first?.database.close();
    await first?.database.close();
    const lists = await Promise.all(others.map(({ schedules }) => schedules.list()));
    await closeAll(others);

    expect(lists.flat()).toEqual([]);
    await expect.poll(() => countConnections(server)).toBe(0);
    await expect(first?.schedules.list()).rejects.toThrow();
  });
});
