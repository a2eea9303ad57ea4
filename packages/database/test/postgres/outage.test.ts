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

  it("makes each write once, wherever its connection is cut", { timeout: 300_000 }, async () => {
    const { database, server, url } = await openOwnServer(PATIENT);
    const other = await openPostgres({ url, clock: systemClock, store: STORE, wait: PATIENT });
    onTestFinished(() => other.close());
    const cutter = await createCutter(url);
    const over = new AbortController();
    const progress = createProgress();
    const cutting = cutUntil(over.signal, progress, (cuts) =>
      CRASHES.has(cuts) ? server.crash() : cutter.cut(),
    );

    const ends = await Promise.allSettled([
      write(database, 30, progress),
      write(database, 30, progress),
      write(other, 30, progress),
    ]);
    over.abort();
    progress.note();
    await cutting;
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);

    expect(await readCount(database)).toBe(90);
  });
});

/** Longer than any of them is away, on any machine. */
const PATIENT: DatabaseWait = { maxMs: 600_000 };

/** Cuts that take the whole server down; each of them costs its start. */
const CRASHES: ReadonlySet<number> = new Set([9, 29, 59, 99]);
/** Cuts without a write between them, on a machine that needs longer for one than the waits between. */
const MAX_CUTS_AT_ONCE = 3;

interface Progress {
  /** Says that a write has ended. */
  note(): void;
  /** Resolves with the next one. */
  next(): Promise<void>;
}

function createProgress(): Progress {
  let ended = Promise.withResolvers<void>();
  return {
    note() {
      ended.resolve();
      ended = Promise.withResolvers<void>();
    },
    next: () => ended.promise,
  };
}

async function write(by: Database, times: number, progress: Progress): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    if (n % 3 === 0) await by.execute(countOn(by));
    else if (n % 3 === 1) await by.transaction(() => countOn(by));
    else await by.transactionUnsynced(() => countOn(by));
    progress.note();
  }
}

async function cutUntil(
  over: AbortSignal,
  progress: Progress,
  cut: (cuts: number) => Promise<void>,
): Promise<void> {
  let written = progress.next();
  for (let cuts = 0; !over.aborted; cuts += 1) {
    await cut(cuts);
    await wait(cuts % 7);
    if (cuts % MAX_CUTS_AT_ONCE !== 0 || over.aborted) continue;
    await written;
    written = progress.next();
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
