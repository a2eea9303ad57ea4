import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import type { RowOutcome } from "@catalog/runs";
import { expect, it } from "vitest";

import { createJournal, createLeases, createRunRepository, type Leases } from "../../src/index.ts";
import {
  GRACE_MS,
  LIFE_MS,
  MAX_REQUEST_MS,
  RENEW_MS,
  SEND_WITHIN_MS,
} from "../../src/locks/leases.ts";
import {
  describeOnPostgres,
  openTestPostgres,
  STORE,
  type TestPostgres,
} from "../helpers/open-test-postgres.ts";
import { newRun, planToSend, toProductId } from "../helpers/runs-and-rows.ts";

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

    await age(opened, LIFE_MS + GRACE_MS - 5_000);
    await expect(leases.take("store", HOLDER)).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    await age(opened, 10_000);

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
