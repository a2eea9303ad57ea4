import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import type { Journal } from "@catalog/runs";
import { expect, it, onTestFinished } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createLeases } from "../../src/locks/leases.ts";
import { noteRestored } from "../../src/postgres/administration.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import type { Database } from "../../src/sql/database.ts";
import { createTestDatabase, findPostgres, type TestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import { newRun, planToSend, STORE } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const HOLDER = { command: "catalog import", pid: process.pid, sinceMs: 0 };

interface Machine {
  readonly database: Database;
  readonly journal: Journal;
  /** Plans a row of the run and claims it, as a process does before it sends. */
  readonly send: (row: number) => Promise<void>;
}

async function openMachine(url: string, home?: string): Promise<Machine> {
  const clock = createFakeClock(1_000);
  const database = await openPostgres({ url, clock, store: STORE, home, wait: { maxMs: 0 } });
  onTestFinished(() => database.close());
  const leases = createLeases({ database, clock, scope: "store 1", monotonicMs: () => 0 });
  const journal = createJournal({ database, clock, store: STORE, leases });
  const runs = createRunRepository({ database, clock, store: STORE });
  return {
    database,
    journal,
    async send(row) {
      if ((await runs.read("run-1")) === undefined) await runs.create(newRun("run-1"));
      const lease = await leases.take("store", HOLDER);
      try {
        await journal.claim([await planToSend(journal, { runId: "run-1", row })]);
      } finally {
        await lease[Symbol.asyncDispose]();
      }
    },
  };
}

async function openServer(): Promise<TestDatabase> {
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A copy of the database as it is now, under another name. */
async function copyDatabase(server: TestDatabase): Promise<string> {
  const address = new URL(server.url);
  const name = `${address.pathname.slice(1)}_copy`;
  // A connection that was closed may take a while to be gone, and the server waits 5 s for it.
  const others = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
  await expect.poll(() => server.query(others), { timeout: 60_000 }).toEqual([]);
  await server.query(
    `CREATE DATABASE ${name} TEMPLATE ${address.pathname.slice(1)} OWNER catalog_tests`,
  );
  onTestFinished(async () => {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  address.pathname = `/${name}`;
  return address.href;
}

/** Takes away the events after `seq`, as a disk does that is put back: the place stays. */
async function putDiskBack(server: TestDatabase, seq: number): Promise<void> {
  await server.query(
    `SET session_replication_role = replica; DELETE FROM event WHERE seq > ${seq}`,
  );
}

async function lastSeq(server: TestDatabase): Promise<number> {
  return Number((await server.query("SELECT max(seq) AS seq FROM event"))[0]?.["seq"]);
}

const isRestored = async (url: string, home?: string): Promise<boolean> => {
  const { database } = await openMachine(url, home);
  await database.close();
  return database.isRestored;
};

describeOnPostgres("a PostgreSQL database that was restored", () => {
  it("is noticed once in its copy, whose runs are compared with the store before they send", async () => {
    const server = await openServer();
    const first = await openMachine(server.url);
    await first.send(2);
    await first.database.close();
    const copy = await copyDatabase(server);

    const restored = await openMachine(copy);
    const again = await openMachine(copy);

    const { journal } = restored;
    expect([restored.database.isRestored, again.database.isRestored]).toEqual([true, false]);
    expect(await journal.mustRecheck("run-1")).toBe(true);
    const events = await journal.readEvents({ runId: "run-1", row: 2 });
    const { restoredSeq } = await journal.readCopySuspicion("run-1");
    expect(restoredSeq).toBe((events.at(-1)?.seq ?? 0) + 1);
    await again.send(3);
    expect(await isRestored(server.url)).toBe(false);
  });

  it("is noticed where a dump was read into the same database", async (context) => {
    const binaries = findPostgres();
    const dump = join(binaries ?? "", "pg_dump");
    if (!existsSync(dump)) context.skip();
    const server = await openServer();
    const first = await openMachine(server.url);
    await first.send(2);
    await first.database.close();

    // The tables of the queue are partitioned, which `--clean` cannot drop one by one.
    const words = ["--clean", "--if-exists", "--inserts", "--table=public.*"];
    words.push(`--dbname=${server.superuserUrl}`);
    const { stdout } = spawnSync(dump, words, { encoding: "utf8" });
    // Lines with a backslash are for psql.
    await server.query(stdout.replaceAll(/^\\.*$/gmu, ""));

    expect(await isRestored(server.url)).toBe(true);
  });

  it("is noticed by a machine that has seen more, and then by no other", async () => {
    const server = await openServer();
    const [home, other] = [temporaryFolder(), temporaryFolder()];
    const first = await openMachine(server.url, home);
    await first.send(2);
    const seq = await lastSeq(server);
    await first.send(3);
    await (await openMachine(server.url, other)).send(4);
    await putDiskBack(server, seq);

    const found = [
      await isRestored(server.url),
      await isRestored(server.url, home),
      await isRestored(server.url, other),
      await isRestored(server.url, home),
    ];

    expect(found).toEqual([false, true, false, false]);
  });

  it("is noticed once more where the older copy does not know that one was noticed before", async () => {
    const server = await openServer();
    const home = temporaryFolder();
    await noteRestored(server.url);
    await (await openMachine(server.url, home)).send(2);
    await server.query("UPDATE copy SET generation = 0");

    expect(await isRestored(server.url, home)).toBe(true);
  });

  it("stops what is being sent, whoever notices it", async () => {
    const server = await openServer();
    const sender = await openMachine(server.url);
    await sender.send(2);

    expect(await noteRestored(server.url)).toEqual({ runs: 1 });

    await expect(sender.send(3)).rejects.toMatchObject({ code: "E_DATABASE_RESTORED" });
    expect((await sender.journal.readRows("run-1", { limit: 9 })).at(-1)?.state).toBe("ready");
  });

  it("is not opened where it is a replica that still follows its primary", async () => {
    const server = await openServer();
    const address = new URL(server.url);
    address.searchParams.set("options", "-c default_transaction_read_only=on");

    await expect(openMachine(address.href)).rejects.toMatchObject({ code: "E_DATABASE_SERVER" });
  });

  it("is not suspected by a role that may not ask for the server", async () => {
    const server = await openServer();
    await server.query(`
      REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC;
      CREATE ROLE worker_${process.pid} LOGIN;
      GRANT USAGE ON SCHEMA catalog_queue TO worker_${process.pid};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker_${process.pid};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO worker_${process.pid}`);
    onTestFinished(async () => {
      await server.query(`
        GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC;
        DROP OWNED BY worker_${process.pid}; DROP ROLE worker_${process.pid}`);
    });
    const address = new URL(server.url);
    address.username = `worker_${process.pid}`;

    const worker = await openMachine(address.href);
    await worker.send(2);
    await worker.database.close();

    expect([worker.database.isRestored, await isRestored(server.url)]).toEqual([false, false]);
  });
});
