import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";

import type { DatabaseWait } from "../../src/patience.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import type { Database } from "../../src/sql/database.ts";
import { createTestDatabase, startPostgres } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import { STORE } from "../helpers/runs-and-rows.ts";

/** A server of its own, which the test may stop. */
async function openOwnServer(given: DatabaseWait = {}) {
  const server = await startPostgres();
  const { url } = await createTestDatabase({ server: server.url });
  const database = await openPostgres({ url, clock: systemClock, store: STORE, wait: given });
  onTestFinished(async () => {
    await database.close();
    await server[Symbol.asyncDispose]();
  });
  await database.execute(
    database.run(
      database.build.insertInto("token").values({ key: "n", token: "", expires_at_ms: 0 }),
    ),
  );
  return { database, server, url };
}

const countOn = (database: Database): ReturnType<Database["run"]> =>
  database.run(
    database.build
      .updateTable("token")
      .set({ expires_at_ms: sql`expires_at_ms + 1` })
      .where("key", "=", "n"),
  );

async function readCount(database: Database): Promise<number | undefined> {
  const found = database.build.selectFrom("token").select("expires_at_ms").where("key", "=", "n");
  return (await database.execute(database.get(found)))?.expires_at_ms;
}

/** Ends every other connection, in the middle of whatever it does. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

describeOnPostgres("a PostgreSQL server that goes away", () => {
  it("is waited for by reads and writes alike, and the outage is reported once", async () => {
    const told: string[] = [];
    const { database, server } = await openOwnServer({
      maxMs: 60_000,
      onOutage: (outage) => void told.push(outage === undefined ? "back" : "away"),
    });
    await server.stop();

    const work = Promise.all([
      database.transaction(() => countOn(database)),
      database.transactionUnsynced(() => countOn(database)),
      database.execute(countOn(database)),
      readCount(database),
      database.snapshot(() => database.all(database.build.selectFrom("token").select("key"))),
    ]);
    await wait(300);
    await server.start();
    await work;

    expect(await readCount(database)).toBe(3);
    expect(told).toEqual(["away", "back"]);
  });

  it("is given up after the longest wait, with another code than one that was never there", async () => {
    const { database, server, url } = await openOwnServer({ maxMs: 300 });
    await server.stop();

    await expect(readCount(database)).rejects.toMatchObject({ code: "E_DATABASE_AWAY" });
    await expect(database.transaction(() => countOn(database))).rejects.toMatchObject({
      code: "E_DATABASE_AWAY",
    });
    await expect(
      openPostgres({ url, clock: systemClock, store: STORE, wait: { maxMs: 0 } }),
    ).rejects.toMatchObject({ code: "E_DATABASE_SERVER" });
    await server.start();
  });

  it("makes each write once, wherever its connection is cut", async () => {
    const { database, server, url } = await openOwnServer({ maxMs: 60_000 });
    const other = await openPostgres({ url, clock: systemClock, store: STORE });
    onTestFinished(() => other.close());
    const cutter = await createCutter(url);
    const over = new AbortController();
    const cutting = cutUntil(over.signal, (cuts) =>
      cuts % 10 === 9 ? server.crash() : cutter.cut(),
    );

    const ends = await Promise.allSettled([
      write(database, 45),
      write(database, 45),
      write(other, 45),
    ]);
    over.abort();
    await cutting;
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);

    expect(await readCount(database)).toBe(135);
  });
});

async function write(by: Database, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    if (n % 3 === 0) await by.execute(countOn(by));
    else if (n % 3 === 1) await by.transaction(() => countOn(by));
    else await by.transactionUnsynced(() => countOn(by));
  }
}

async function cutUntil(over: AbortSignal, cut: (cuts: number) => Promise<void>): Promise<void> {
  for (let cuts = 0; !over.aborted; cuts += 1) {
    await cut(cuts);
    await wait(cuts % 7);
  }
}

/** A connection that cuts the others; it is made again after the server has crashed. */
async function createCutter(url: string): Promise<{ cut(): Promise<void> }> {
  const { Client } = await import("pg");
  return {
    async cut() {
      const client = new Client({ connectionString: url });
      client.on("error", () => undefined);
      try {
        await client.connect();
        await client.query(CUT);
      } catch {
        // The server is starting.
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}
