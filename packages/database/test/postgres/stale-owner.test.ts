import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import {
  createCodeRegistry,
  createFeedState,
  createJournal,
  createLeases,
  createRunRepository,
  createScheduleRepository,
  createVerificationLog,
  DatabaseError,
  type Leases,
} from "../../src/index.ts";
import { createLeasedDatabase, GRACE_MS, LIFE_MS } from "../../src/locks/leases.ts";
import {
  describeOnPostgres,
  openTestPostgres,
  STORE,
  type TestPostgres,
} from "../helpers/open-test-postgres.ts";
import { newRun, planToSend, seen, toProductId } from "../helpers/runs-and-rows.ts";

const HOLDER = { command: "catalog import", pid: process.pid, sinceMs: 0 };
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

  it("cannot make a row ready whose later attempt is under way", async () => {
    const { late, next } = await takeOver(await openTestPostgres());
    const resend = { to: "ready", cause: "not-found-resend" } as const;
    await next.journal.recordOutcome({ ...key(1), from: "ambiguous" }, resend);
    const [second] = await next.journal.claim([key(1)]);
    if (second === undefined) throw new Error("it was not claimed");
    await next.journal.recordOutcome(
      { ...second, from: "sending" },
      { to: "ambiguous", cause: "lost" },
    );

    const stale = late.journal.recordOutcome({ ...key(1), from: "ambiguous" }, resend);

    await expect(stale).rejects.toMatchObject({ code: "E_LEASE_LOST" });
    const [row] = await next.journal.readRows(RUN, { limit: 1 });
    expect(row).toMatchObject({ state: "ambiguous", attempts: 2 });
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
