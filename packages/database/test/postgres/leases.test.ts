import { systemClock } from "@catalog/clock";
import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import type { RowOutcome } from "@catalog/runs";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";

import { DatabaseError, TakenOverError } from "../../src/errors.ts";
import { createJournal } from "../../src/journal/journal.ts";
import {
  createLeasedDatabase,
  createLeases,
  GRACE_MS,
  type Leases,
  LIFE_MS,
  MAX_REQUEST_MS,
  RENEW_MS,
  SEND_WITHIN_MS,
} from "../../src/locks/leases.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createCodeRegistry } from "../../src/repositories/code-registry.ts";
import { createFeedState } from "../../src/repositories/feed-state.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import { createScheduleRepository } from "../../src/repositories/schedules.ts";
import { createVerificationLog } from "../../src/repositories/verification-log.ts";
import type { Database } from "../../src/sql/database.ts";
import {
  createTestDatabase,
  openTcpProxy,
  type PostgresServer,
  startPostgres,
  type TcpProxy,
} from "../../src/testing/index.ts";
import {
  describeOnPostgres,
  openTestPostgres,
  type TestPostgres,
} from "../helpers/open-test-postgres.ts";
import { newRun, planToSend, seen, toProductId, STORE } from "../helpers/runs-and-rows.ts";

const HOLDER = { command: "catalog import", pid: process.pid, sinceMs: 0 };

/** Leases of a process whose own clock the test moves. */
function leasesOf({ database }: TestPostgres, clock: FakeClock): Leases {
  return createLeases({ database, clock, scope: "store 1", monotonicMs: () => clock.now() });
}

/** Makes the lease as old for the database as if its owner had not renewed it for this long. */
async function age({ server }: TestPostgres, ms: number): Promise<void> {
  await server.query("UPDATE lease SET until_ms = until_ms - $1, note_json = '{}'", [ms]);
}

describeOnPostgres("a lease", () => {
  it("is taken by one owner, which the others are told", async () => {
    const opened = await openTestPostgres();
    const [mine, theirs] = [
      leasesOf(opened, createFakeClock()),
      leasesOf(opened, createFakeClock()),
    ];
    await using lease = await mine.take("store", HOLDER);
    await lease.nameRun("r-1");

    await expect(theirs.take("store", HOLDER)).rejects.toMatchObject({
      code: "E_STORE_BUSY",
      message: expect.stringContaining("catalog import r-1"),
    });
    expect(await theirs.readHolder("store")).toMatchObject({ ...HOLDER, run: "r-1" });
    expect(await theirs.readHolder("feed")).toBeUndefined();
  });

  it("names the machine of its owner only where that is another one", async () => {
    const opened = await openTestPostgres();
    const leases = leasesOf(opened, createFakeClock());
    await using lease = await leases.take("store", HOLDER);
    await lease.nameRun("r-1");
    const here = await leases.readHolder("store");
    await opened.server.query(
      `UPDATE lease SET note_json = (note_json::jsonb || '{"place": "far", "host": "depo-2"}')::text`,
    );

    expect(here).toEqual({ ...HOLDER, run: "r-1" });
    expect(await leases.readHolder("store")).toEqual({ ...HOLDER, run: "r-1", host: "depo-2" });
    await expect(leases.take("store", HOLDER)).rejects.toThrow("depo-2");
  });

  it("is free at once when it was given back, or its process of this machine is dead", async () => {
    const opened = await openTestPostgres();
    const leases = leasesOf(opened, createFakeClock());
    const first = await leases.take("store", HOLDER);
    await first[Symbol.asyncDispose]();
    const second = await leases.take("store", { ...HOLDER, pid: 4_194_303 });

    const third = await leases.take("store", HOLDER);

    expect([first, second, third].map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
    expect(await leases.readTakeOvers()).toEqual([{ kind: "store", takeOvers: 1 }]);
  });

  it("passes to another owner only after its life and the grace", async () => {
    const opened = await openTestPostgres();
    const leases = leasesOf(opened, createFakeClock());
    await leases.take("store", HOLDER);

    // The whole grace is left, as the time of the database goes on meanwhile.
    await age(opened, LIFE_MS);
    await expect(leases.take("store", HOLDER)).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    await age(opened, GRACE_MS);

    expect(await leases.take("store", HOLDER)).toMatchObject({ epoch: 2 });
  });

  it("lets no request start once it was not renewed in time, by either clock of the owner", async () => {
    const opened = await openTestPostgres();
    const clock = createFakeClock();
    let monotonicMs = 0;
    const { database } = opened;
    const leases = createLeases({
      database,
      clock: { now: () => clock.now(), sleep: () => new Promise(() => undefined) },
      scope: "store 1",
      monotonicMs: () => monotonicMs,
    });
    const lease = await leases.take("store", HOLDER);

    monotonicMs = SEND_WITHIN_MS - 1;
    expect(lease.mayStillSend()).toBe(true);
    monotonicMs = SEND_WITHIN_MS;
    expect(lease.mayStillSend()).toBe(false);
    monotonicMs = 0;
    await clock.advance(SEND_WITHIN_MS);
    expect(lease.mayStillSend()).toBe(false);
  });

  it("leaves more time to a request under way than it may take", () => {
    expect(LIFE_MS + GRACE_MS).toBeGreaterThan(SEND_WITHIN_MS + MAX_REQUEST_MS);
    expect(RENEW_MS * 2).toBeLessThanOrEqual(SEND_WITHIN_MS);
  });
});

describeOnPostgres("an owner whose lease has passed to another", () => {
  it("claims nothing and starts nothing, and its rows are looked up", async () => {
    const opened = await openTestPostgres();
    const { database } = opened;
    const clock = createFakeClock(1_000);
    const [mine, theirs] = [leasesOf(opened, clock), leasesOf(opened, clock)];
    const open = (leases: Leases): ReturnType<typeof createJournal> =>
      createJournal({ database, clock, store: STORE, leases });
    await createRunRepository({ database, clock, store: STORE }).create(newRun("run-1"));
    await mine.take("store", HOLDER);
    const late = open(mine);
    const claimed = await planToSend(late, { runId: "run-1", row: 1 });
    const waiting = await planToSend(late, { runId: "run-1", row: 2 });
    const [claim] = await late.claim([claimed]);
    if (claim === undefined) throw new Error("it was not claimed");

    await age(opened, LIFE_MS + GRACE_MS + 1_000);
    await theirs.take("store", HOLDER);
    expect(await open(theirs).recover()).toBe(1);

    await expect(late.claim([waiting])).rejects.toMatchObject({ code: "E_LEASE_LOST" });
    expect(() => late.beginSending(claim)).toThrow(
      expect.objectContaining({ code: "E_LEASE_LOST" }),
    );
    const rows = await late.readRows("run-1", { limit: 9 });
    expect(rows.map(({ state }) => state)).toEqual(["ambiguous", "ready"]);
  });

  it("settles a row by a late answer, as long as the row was not begun again", async () => {
    const opened = await openTestPostgres();
    const { database } = opened;
    const clock = createFakeClock(1_000);
    const [mine, theirs] = [leasesOf(opened, clock), leasesOf(opened, clock)];
    const [late, next] = [mine, theirs].map((leases) =>
      createJournal({ database, clock, store: STORE, leases }),
    );
    if (late === undefined || next === undefined) throw new Error("two journals were opened");
    await createRunRepository({ database, clock, store: STORE }).create(newRun("run-1"));
    await mine.take("store", HOLDER);
    const keys = [1, 2, 3].map((row) => ({ runId: "run-1", row }));
    for (const key of keys) await planToSend(late, key);
    const claims = await late.claim(keys);
    await age(opened, LIFE_MS + GRACE_MS + 1_000);
    await theirs.take("store", HOLDER);
    await next.recover();
    const resend = { to: "ready", cause: "not-found-resend" } as const;
    await next.recordOutcome({ runId: "run-1", row: 2, from: "ambiguous" }, resend);
    await next.claim([{ runId: "run-1", row: 2 }]);

    const settle = (row: number, outcome: RowOutcome): Promise<void> => {
      const attempt = claims[row - 1]?.attempt;
      return late.recordOutcome({ runId: "run-1", row, attempt, from: "sending" }, outcome);
    };
    const done = { to: "done", cause: "answer", productId: toProductId("p-1") } as const;
    const lost = { to: "ambiguous", cause: "lost" } as const;
    await settle(1, done);
    await expect(settle(2, done)).rejects.toMatchObject({ code: "E_LEASE_LOST" });
    await expect(settle(3, lost)).rejects.toMatchObject({ code: "E_LEASE_LOST" });

    const rows = await next.readRows("run-1", { limit: 9 });
    expect(rows.map(({ state, productId }) => [state, productId])).toEqual([
      ["done", "p-1"],
      ["sending", null],
      ["ambiguous", null],
    ]);
  });
});

const RUN = "run-1";
const key = (row: number): { readonly runId: string; readonly row: number } => ({
  runId: RUN,
  row,
});
const product = seen("p-9");

/** What a process has open that works on a store. */
function openProcess({ database }: TestPostgres, leases: Leases) {
  const clock = createFakeClock(1_000);
  const options = { database, clock, store: STORE, leases };
  return {
    leases,
    journal: createJournal(options),
    runs: createRunRepository(options),
    verificationLog: createVerificationLog(options),
    feedState: createFeedState(options),
    codes: createCodeRegistry({ ...options, suspectKey: (code) => code }),
    schedules: createScheduleRepository(options),
  };
}

type Opened = ReturnType<typeof openProcess>;

/** Each method that writes, with a call that would change something. */
const WRITES: Readonly<Record<string, (late: Opened) => Promise<unknown>>> = {
  "journal.appendRows": ({ journal }) =>
    journal.appendRows(RUN, [{ row: 99, cells: ["Z"], code: "Z", codeKey: "z" }]),
  "journal.saveDecisions": ({ journal }) => journal.saveDecisions(RUN, []),
  "journal.claim": ({ journal }) => journal.claim([key(4)]),
  "journal.recordOutcome": ({ journal }) =>
    journal.recordOutcome(
      { ...key(1), from: "ambiguous" },
      { to: "ready", cause: "not-found-resend" },
    ),
  "journal.recordOutcomes": ({ journal }) =>
    journal.recordOutcomes([
      { key: { ...key(1), from: "ambiguous" }, outcome: { to: "held", cause: "not-found" } },
    ]),
  "journal.recover": ({ journal }) => journal.recover(),
  "journal.recordLookup": ({ journal }) =>
    journal.recordLookup({ ...key(1), state: "ambiguous" }, { found: [] }),
  "journal.acceptCopy": ({ journal }) => journal.acceptCopy(),
  "journal.freeCode": ({ journal }) => journal.freeCode(key(3)),
  "journal.clearSeen": ({ journal }) => journal.clearSeen(),
  "journal.saveSeen": ({ journal }) => journal.saveSeen([product]),
  "journal.recordSignature": ({ journal }) => journal.recordSignature("500 full", "applied"),
  "journal.startLagSample": ({ journal }) => journal.startLagSample(toProductId("p-9"), 1),
  "journal.recordLagSample": ({ journal }) =>
    journal.recordLagSample(toProductId("p-1"), { shown: true, serverMs: 9 }),
  "runs.create": ({ runs }) => runs.create(newRun("run-2")),
  "runs.update": ({ runs }) => runs.update(RUN, { state: "finished" }),
  "runs.addWarnings": ({ runs }) =>
    runs.addWarnings(RUN, [{ code: "W_NEW", message: { tr: "y", en: "n" } }]),
  "runs.addRequests": ({ runs }) => runs.addRequests(RUN, { token: 1, read: 1, write: 1 }),
  "verificationLog.saveVerifications": ({ verificationLog }) =>
    verificationLog.saveVerifications(RUN, []),
  "verificationLog.saveBefore": ({ verificationLog }) =>
    verificationLog.saveBefore(RUN, [{ row: 1, product: product.product }]),
  "verificationLog.saveCapabilities": ({ verificationLog }) =>
    verificationLog.saveCapabilities([{ action: "update", field: "title", state: "refused" }]),
  "verificationLog.forgetRefusals": ({ verificationLog }) =>
    verificationLog.forgetRefusals(["title"]),
  "feedState.applySentChanges": ({ feedState }) => feedState.applySentChanges(),
  "feedState.beginRefresh": ({ feedState }) => feedState.beginRefresh(),
  "feedState.saveShown": ({ feedState }) => feedState.saveShown(1, []),
  "feedState.forget": ({ feedState }) => feedState.forget([toProductId("p-1")]),
  "feedState.saveAccepted": ({ feedState }) => feedState.saveAccepted({ feed: "f", record: {} }),
  "feedState.copyFeed": ({ feedState }) => feedState.copyFeed("f", "g"),
  "feedState.removeFeed": ({ feedState }) => feedState.removeFeed("f"),
  "feedState.saveNotes": ({ feedState }) => feedState.saveNotes({ etag: "x" }),
  "codes.saveNormalization": ({ codes }) => codes.saveNormalization([]),
};

/** Methods that only read, or that write what every reader may. */
const READS = /^(?:read|list|count|find)|^(?:claimsFirst|beginSending|mayLeave|mustRecheck)$/u;

async function takeOver(
  opened: TestPostgres,
): Promise<{ readonly late: Opened; readonly next: Opened }> {
  const clock = createFakeClock();
  const leases = (): Leases =>
    createLeases({
      database: opened.database,
      clock: { now: () => clock.now(), sleep: () => new Promise(() => undefined) },
      scope: "store 1",
      monotonicMs: () => 0,
    });
  const [late, next] = [openProcess(opened, leases()), openProcess(opened, leases())];
  await late.leases.take("store", HOLDER);
  await late.leases.take("schedule s-1", HOLDER);
  await late.runs.create(newRun(RUN));
  for (const row of [1, 2, 3, 4]) await planToSend(late.journal, key(row));
  await late.journal.claim([key(1), key(2), key(3)]);
  await late.schedules.save({
    id: "s-1",
    feed: "https://feed.test/a.csv",
    options: {},
    cron: "0 * * * *",
    timeZone: "Europe/Istanbul",
    madeBy: "page",
    isSpread: false,
  });
  await opened.server.query("UPDATE lease SET until_ms = until_ms - $1, note_json = '{}'", [
    LIFE_MS + GRACE_MS + 1_000,
  ]);
  await next.leases.take("store", HOLDER);
  await next.leases.take("schedule s-1", HOLDER);
  await next.journal.recover();
  return { late, next };
}

/** Everything the database holds. */
async function dump({ server }: TestPostgres): Promise<unknown> {
  const tables = await server.query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  const dumped: unknown[] = [];
  for (const { name } of tables) {
    dumped.push([
      name,
      await server.query(`SELECT t::text FROM "${String(name)}" AS t ORDER BY 1`),
    ]);
  }
  return dumped;
}

describeOnPostgres("an owner whose lease has passed to another", () => {
  it("writes nothing by any method, and is told why", async () => {
    const opened = await openTestPostgres();
    const { late } = await takeOver(opened);
    const before = await dump(opened);

    const ends: unknown[] = [];
    for (const [name, write] of Object.entries(WRITES)) {
      const end = await write(late).then(
        () => "written",
        (error: unknown) => (error instanceof DatabaseError ? error.code : error),
      );
      ends.push([name, end]);
    }

    expect(ends).toEqual(Object.keys(WRITES).map((name) => [name, "E_LEASE_LOST"]));
    expect(await dump(opened)).toEqual(before);
  });

  it("has no other method that writes", async () => {
    const { late } = await takeOver(await openTestPostgres());

    const { leases: _, schedules: __, ...ports } = late;
    const names = Object.entries(ports).flatMap(([port, methods]) =>
      Object.keys(methods)
        .filter((name) => !READS.test(name))
        .map((name) => `${port}.${name}`),
    );

    expect(names.toSorted()).toEqual(Object.keys(WRITES).toSorted());
  });

  it("writes nothing after it has ended with its lease either", async () => {
    const opened = await openTestPostgres();
    const leases = createLeases({
      database: opened.database,
      clock: createFakeClock(),
      scope: "store 1",
      monotonicMs: () => 0,
    });
    const late = openProcess(opened, leases);
    const lease = await leases.take("store", HOLDER);
    await late.runs.create(newRun(RUN));
    await opened.server.query("UPDATE lease SET epoch = epoch + 1");
    await lease[Symbol.asyncDispose]();

    await expect(late.runs.update(RUN, { state: "finished" })).rejects.toMatchObject({
      code: "E_LEASE_LOST",
    });
  });

  it("leaves what a schedule came to to the one that leads now, and a person may still pause it", async () => {
    const { late } = await takeOver(await openTestPostgres());

    await expect(
      late.schedules.update("s-1", { progress: { dueMs: 1, state: "done" } }),
    ).rejects.toMatchObject({ code: "E_LEASE_LOST" });
    expect(await late.schedules.update("s-1", { state: "paused" })).toBe(true);
  });
});

describeOnPostgres("a database under a lease", () => {
  it("refuses a write that is in no transaction", async () => {
    const { database, leases } = await openTestPostgres();
    const leased = createLeasedDatabase({ database, leases });
    const { build } = leased;
    const write = build.updateTable("copy").set({ doubted_seq: 0 });

    await expect(leased.execute(leased.run(write))).rejects.toThrow("needs a transaction");
    await expect(leased.execute(leased.all(write.returning("doubted_seq")))).rejects.toThrow(
      "needs a transaction",
    );
    expect(await leased.transaction(() => leased.run(write))).toBeGreaterThanOrEqual(0);
  });

  it("lets a process write that has given its lease back", async () => {
    const { database, leases } = await openTestPostgres();
    const runs = createRunRepository({ database, clock: createFakeClock(), store: STORE, leases });
    const lease = await leases.take("store", HOLDER);
    await runs.create(newRun(RUN));
    await lease[Symbol.asyncDispose]();

    await runs.update(RUN, { state: "finished" });

    expect(await runs.read(RUN)).toMatchObject({ state: "finished" });
  });
});

interface Pair {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  /** Leads to the primary. It cuts the connection of the next commit, once that is on its way. */
  readonly proxy: TcpProxy & { cutNextCommit(): Promise<void> };
  /** Opened through the proxy. */
  readonly database: Database;
}

async function openPair(): Promise<Pair> {
  const primary = await startPostgres();
  onTestFinished(() => primary[Symbol.asyncDispose]());
  const { url } = await createTestDatabase({ server: primary.url });
  const replica = await startPostgres({ follows: primary });
  onTestFinished(() => replica[Symbol.asyncDispose]());
  let onCut: (() => void) | undefined;
  const proxy = await openTcpProxy(url, {
    pass(bytes) {
      if (onCut === undefined || !bytes.includes("COMMIT")) return true;
      onCut();
      return false;
    },
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const cutNextCommit = (): Promise<void> =>
    new Promise((resolve) => {
      onCut = resolve;
    });
  // Longer than a slow machine takes to start the other server.
  const wait = { maxMs: 600_000 };
  const database = await openPostgres({ url: proxy.url, clock: systemClock, store: STORE, wait });
  onTestFinished(() => database.close());
  return { primary, replica, proxy: { ...proxy, cutNextCommit }, database };
}

/** More than the primary gave away while the replica was not there. */
const MANY_IDS = 200;

/** Lets the replica take over without what it has not received, and give the same ids again. */
async function failOver({ primary, replica, proxy }: Pair): Promise<void> {
  await primary.stop();
  await replica.start();
  const client = new Client({ connectionString: replica.url });
  await client.connect();
  await client.query("SELECT pg_promote()");
  for (let n = 0; n < MANY_IDS; n += 1) await client.query("SELECT pg_current_xact_id()");
  await client.end();
  proxy.pointTo(replica.url);
}

const insert = (database: Database): Promise<number> =>
  database.transaction(() => {
    const { build, run } = database;
    return run(build.insertInto("token").values({ key: "a", token: "t", expires_at_ms: 1 }));
  });

describeOnPostgres("a replica that takes over", { timeout: 300_000 }, () => {
  it("is not believed that it has a commit whose id it has given to another one", async () => {
    const pair = await openPair();
    const { replica, proxy, database } = pair;
    await replica.stop();
    const cut = proxy.cutNextCommit();

    const writing = expect(insert(database)).rejects.toBeInstanceOf(TakenOverError);
    await cut;
    await failOver(pair);

    await writing;
  });

  it("stops work that was begun on its primary, and is told from a backup", async () => {
    const pair = await openPair();
    const { replica, database } = pair;
    await replica.stop();
    await failOver(pair);

    const checking = database.transaction(() => database.assertCurrent());

    await expect(checking).rejects.toMatchObject({
      constructor: TakenOverError,
      code: "E_DATABASE_RESTORED",
    });
  });
});
