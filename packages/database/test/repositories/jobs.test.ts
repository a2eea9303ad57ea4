import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Clock, systemClock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { migratePostgres } from "../../src/postgres/administration.ts";
import { openBossQueue } from "../../src/postgres/boss-queue.ts";
import { openPostgres, openServerClock } from "../../src/postgres/open-postgres.ts";
import {
  createFileQueue,
  type JobChoice,
  type JobLocks,
  type JobQueue,
  type TakenJob,
  toOpenSync,
} from "../../src/repositories/jobs.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { createTestDatabase, hasPostgres } from "../../src/testing/index.ts";

const BASE_URL = "https://shop.example";
const JOB = { kind: "apply", key: "r-1" } as const;
const FAILED = { exit: 6, code: "E_BREAKER", message: "10 calls failed" };
const DONE = { exit: 0, code: null, message: null };
const DAY_MS = 86_400_000;
const BOTH: JobChoice["kinds"] = new Set(["apply", "sync"]);

/** A store of a database, as each of two processes opens its queue. */
interface OpenedStore {
  readonly mine: JobQueue;
  readonly other: JobQueue;
}

type OpenStore = (storeId: string) => Promise<OpenedStore>;

/** Locks that live in this process. */
function createLocks(): () => JobLocks {
  const held = new Set<string>();
  return () => ({
    async job({ key }) {
      if (held.has(key)) throw new DatabaseError("E_STORE_BUSY", "another worker");
      held.add(key);
      return { [Symbol.asyncDispose]: async () => void held.delete(key) };
    },
    jobHolder: async ({ key }) =>
      held.has(key) ? { command: "catalog worker", pid: 1, sinceMs: 0 } : undefined,
    storeHolder: async () => undefined,
  });
}

async function openFile(clock: Clock = systemClock): Promise<OpenStore> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = await openDatabase(join(folder, "catalog.db"));
  onTestFinished(() => database.close());
  return async (storeId) => {
    const locks = createLocks();
    const open = (): JobQueue =>
      createFileQueue({ database, clock, store: { baseUrl: BASE_URL, storeId }, locks: locks() });
    return { mine: open(), other: open() };
  };
}

async function openServer(): Promise<OpenStore> {
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return openAt(server.url);
}

function openAt(url: string): OpenStore {
  const clock = systemClock;
  return async (storeId) => {
    const store = { baseUrl: BASE_URL, storeId };
    const open = async (command: string): Promise<JobQueue> => {
      const database = await openPostgres({ url, clock, store, command });
      onTestFinished(() => database.close());
      const sharedClock = await openServerClock({ database, clock, monotonicMs });
      const at = { url, clock, command, database, store: database.storeKey(store), sharedClock };
      const queue = openBossQueue(at);
      onTestFinished(() => queue.close());
      return queue;
    };
    return { mine: await open("mine"), other: await open("other") };
  };
}

const monotonicMs = (): number => performance.now();

const takeOne = async (queue: JobQueue, kinds = BOTH): Promise<TakenJob | undefined> =>
  (await queue.take(4, { kinds, stores: [queue.storeKey] }))[0];

async function mustTake(queue: JobQueue): Promise<TakenJob> {
  const taken = await takeOne(queue);
  if (taken === undefined) throw new Error("there is no job to take");
  return taken;
}

const PLACES = [
  { name: "a file", open: () => openFile(), isOn: true },
  { name: "PostgreSQL", open: openServer, isOn: hasPostgres() },
] as const;

describe.each(PLACES)("the queue of $name", { timeout: 60_000 }, ({ open, isOn }) => {
  it.skipIf(!isOn)("keeps a job as it was asked for, and hides it from other stores", async () => {
    const openStore = await open();
    const [{ mine }, { mine: foreign }] = [await openStore("a"), await openStore("b")];

    await mine.add({ ...JOB, spec: { lang: "tr" } });
    await mine.add({ ...JOB, spec: { lang: "en" } });

    const [job, ...rest] = await mine.listOpen();
    const fresh = { failures: 0, failure: undefined, isTaken: false, result: undefined };
    expect([job, rest]).toMatchObject([{ ...JOB, spec: { lang: "tr" }, ...fresh }, []]);
    expect(Math.abs((job?.notBeforeMs ?? 0) - mine.nowMs())).toBeLessThan(60_000);
    expect(await mine.read(JOB)).toEqual(job);
    expect([await foreign.listOpen(), await foreign.remove(JOB)]).toEqual([[], "none"]);
    expect(await takeOne(foreign)).toBeUndefined();
  });

  it.skipIf(!isOn)("keeps what is due at a set time apart from runs for the workers", async () => {
    const { mine } = await (await open())("a");
    await mine.add({ ...JOB, spec: {} });
    await mine.add({ kind: "undo", key: "r-2", spec: {} });
    const timed: JobChoice = { kinds: new Set(["start", "undo"]), stores: [mine.storeKey] };

    const [first, ...more] = await mine.take(5, timed);
    await first?.end(DONE);
    await first?.[Symbol.asyncDispose]();
    const none = await mine.take(5, timed);

    expect([first?.job, more, none]).toMatchObject([{ kind: "undo", key: "r-2" }, [], []]);
    expect((await mine.listOpen()).map(({ kind }) => kind)).toEqual(["apply"]);
  });

  it.skipIf(!isOn)("gives a job to one worker, and takes none out that a worker has", async () => {
    const { mine, other } = await (await open())("a");
    const none = await mine.remove(JOB);
    await mine.add({ ...JOB, spec: {} });
    const removed = await mine.remove(JOB);
    await mine.add({ ...JOB, spec: {} });
    await using taken = await mustTake(other);

    const left = [await takeOne(mine), await takeOne(other)];
    const [open_] = await mine.listOpen();

    expect([none, removed, await mine.remove(JOB)]).toEqual(["none", "removed", "taken"]);
    expect([left, open_?.isTaken, await taken.isHeld()]).toEqual([
      [undefined, undefined],
      true,
      true,
    ]);
    expect(taken).toMatchObject({ store: other.storeKey, job: { ...JOB, isTaken: true } });
  });

  it.skipIf(!isOn)("ends a job once, and starts it anew where it is asked for again", async () => {
    const { mine } = await (await open())("a");
    await mine.add({ ...JOB, spec: {} });
    {
      await using taken = await mustTake(mine);
      await taken.end(FAILED);
    }
    const ended = await mine.read(JOB);
    const after = [await mine.listOpen(), await mine.remove(JOB), await takeOne(mine)];

    await mine.add({ ...JOB, spec: { lang: "en" } });

    expect(ended).toMatchObject({ result: FAILED, failure: undefined, isTaken: false });
    expect(after).toEqual([[], "none", undefined]);
    expect(await mine.read(JOB)).toMatchObject({ spec: { lang: "en" }, result: undefined });
    expect([await mine.remove(JOB), await mine.read(JOB)]).toEqual(["removed", undefined]);
  });

  it.skipIf(!isOn)(
    "leaves a job that was put off to a later attempt, with its reason",
    async () => {
      const { mine } = await (await open())("a");
      await mine.add({ ...JOB, spec: { lang: "tr" } });
      {
        await using taken = await mustTake(mine);
        await taken.postpone({ pauseMs: 600_000, failures: 2, failure: FAILED });
      }

      const job = await mine.read(JOB);

      expect(job).toMatchObject({ spec: { lang: "tr" }, failures: 2, failure: FAILED });
      expect(Math.round(((job?.notBeforeMs ?? 0) - mine.nowMs()) / 60_000)).toBe(10);
      expect([job?.isTaken, job?.result, await takeOne(mine)]).toEqual([
        false,
        undefined,
        undefined,
      ]);
      await mine.add({ ...JOB, spec: {} });
      expect((await mine.read(JOB))?.failures).toBe(2);
    },
  );

  it.skipIf(!isOn)("leaves a job to others that its worker gives back", async () => {
    const { mine, other } = await (await open())("a");
    await mine.add({ ...JOB, spec: {} });
    const taken = await mustTake(mine);
    await taken[Symbol.asyncDispose]();

    await using again = await mustTake(other);

    expect(again.job).toMatchObject({ ...JOB, failures: 0, failure: undefined });
  });
});

it("the queue of a file forgets a job a week after its end, however long it took", async () => {
  const clock = createFakeClock(1_000);
  const { mine } = await (await openFile(clock))("a");
  const end = async (): Promise<void> => {
    await using taken = await mustTake(mine);
    await taken.end(FAILED);
  };
  for (const key of ["r-1", "r-2", "r-3"]) await mine.add({ kind: "apply", key, spec: {} });
  await clock.advance(30 * DAY_MS);
  await end();
  expect(await mine.read(JOB)).toBeDefined();
  await clock.advance(7 * DAY_MS + 1);

  await end();

  expect(await mine.read(JOB)).toBeUndefined();
  expect(await mine.read({ kind: "apply", key: "r-2" })).toMatchObject({ result: FAILED });
  expect(await mine.listOpen()).toMatchObject([{ key: "r-3" }]);
});

describe.skipIf(!hasPostgres())("the queue of a server", { timeout: 60_000 }, () => {
  it("gives a worker the jobs of its stores and kinds, one of each at a time", async () => {
    const openStore = await openServer();
    const stores = [await openStore("a"), await openStore("b"), await openStore("c")] as const;
    const [{ mine: a }, { mine: b }, { mine: c }] = stores;
    for (const { mine } of stores) {
      for (const key of ["r-1", "r-2"]) {
        await mine.add({
          kind: "apply",
          key: `${key} ${mine.storeKey}`.replace(" ", "-"),
          spec: {},
        });
      }
      await mine.add({ kind: "sync", key: "feed", spec: { dueMs: 1 } });
    }
    const open = await c.listOpenSyncs();
    const names = new Map([a, b, c].map(({ storeKey }, at) => [storeKey, "abc"[at]]));

    const first = await a.take(10, { kinds: BOTH, stores: [a.storeKey, b.storeKey] });
    const second = await a.take(10, { kinds: BOTH, stores: [a.storeKey, b.storeKey] });
    const syncs = await c.take(10, { kinds: new Set(["sync"]), stores: [c.storeKey] });

    const shown = (jobs: readonly TakenJob[]): readonly string[] =>
      jobs.map(({ store, job }) => `${job.kind} ${names.get(store)}`).toSorted();
    expect(shown(first)).toEqual(["apply a", "apply b", "sync a", "sync b"]);
    expect([second, shown(syncs)]).toEqual([[], ["sync c"]]);
    expect(open).toEqual(new Set([a, b, c].map(({ storeKey }) => toOpenSync(storeKey, "feed"))));
    for (const taken of [...first, ...syncs]) await taken.end(DONE);
    expect(await c.listOpenSyncs()).toEqual(new Set());
  });

  it("works for a role that may change no table", async () => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const role = `worker_${process.pid}`;
    await server.query(`
      CREATE ROLE ${role} LOGIN;
      GRANT USAGE ON SCHEMA public, catalog_queue TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, catalog_queue TO ${role};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    onTestFinished(() =>
      server.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`).then(() => undefined),
    );
    const address = new URL(server.url);
    address.username = role;
    const { mine } = await openAt(address.href)("a");
    await mine.add({ ...JOB, spec: {} });
    {
      await using taken = await mustTake(mine);
      await taken.end(DONE);
    }

    expect((await mine.read(JOB))?.result).toEqual(DONE);
  });

  it("says which command makes its tables where there are none", async () => {
    const server = await createTestDatabase({ isEmpty: true });
    onTestFinished(() => server[Symbol.asyncDispose]());
    await migratePostgres(server.url);
    await server.query("DROP SCHEMA catalog_queue CASCADE");

    const opening = openAt(server.url)("a");

    await expect(opening).rejects.toMatchObject({ code: "E_DATABASE_VERSION" });
    await migratePostgres(server.url);
    const { mine } = await openAt(server.url)("a");
    await mine.add({ ...JOB, spec: {} });
    expect(await mine.listOpen()).toHaveLength(1);
  });

  it("gives syncs before runs, and the one with the higher number before others", async () => {
    const openStore = await openServer();
    const { mine } = await openStore("a");
    const others = [(await openStore("b")).mine, (await openStore("c")).mine];
    const [b = 0, c = 0] = others.map(({ storeKey }) => storeKey);
    await mine.add({ ...JOB, spec: {} });
    await mine.add({ kind: "sync", key: "prices", spec: {}, priority: 1 }, b);
    await mine.add({ kind: "sync", key: "stock", spec: {}, priority: 2 }, c);

    const order: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const choice = { kinds: BOTH, stores: [mine.storeKey, b, c] };
      for (const { job } of await mine.take(1, choice)) order.push(job.key);
    }

    expect(order).toEqual(["stock", "prices", "r-1"]);
  });

  it("gives a job of a worker that was silent to another one, and lets the first write nothing", async () => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const clock = systemClock;
    const store = { baseUrl: BASE_URL, storeId: "a" };
    const database = await openPostgres({ url: server.url, clock, store });
    onTestFinished(() => database.close());
    const of = database.storeKey(store);
    const at = { url: server.url, clock, database, store: of, sharedClock: clock };
    // A worker whose clock stands still sends no sign of life.
    const still = { ...clock, sleep: () => new Promise<void>(() => undefined) };
    const frozen = openBossQueue({ ...at, clock: still, command: "frozen" });
    const healthy = openBossQueue({ ...at, command: "healthy" });
    onTestFinished(() => frozen.close());
    onTestFinished(() => healthy.close());
    await frozen.add({ ...JOB, spec: {} });
    const lost = await mustTake(frozen);
    await server.query(
      "UPDATE catalog_queue.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'",
    );

    let again: TakenJob | undefined;
    await expect
      .poll(async () => (again ??= await takeOne(healthy)), { timeout: 50_000, interval: 500 })
      .toBeDefined();
    await lost.end(FAILED);
    const held = [await lost.isHeld(), await again?.isHeld()];
    await again?.postpone({ pauseMs: 0, failures: 7, failure: FAILED });
    await lost.postpone({ pauseMs: 600_000, failures: 9, failure: undefined });
    await lost[Symbol.asyncDispose]();

    expect(held).toEqual([false, true]);
    expect(await healthy.read(JOB)).toMatchObject({ failures: 7, failure: FAILED });
    again = await mustTake(healthy);
    await expect(database.transaction(() => lost.assertHeld())).rejects.toThrow(DatabaseError);
    await again.end(DONE);
    expect((await healthy.read(JOB))?.result).toEqual(DONE);
  });
});
