import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { readQueuedRuns } from "../src/read-queues.ts";
import { removeJob } from "../src/remove-job.ts";
import { runStoreJobs } from "../src/run-store-jobs.ts";
import type { EndedCommand, StartCommand } from "../src/start-command.ts";
import { createWorkSlots } from "../src/work-slots.ts";

const JOB = { kind: "apply", key: "r-1" } as const;
const ROUNDS = 12;
const POLL = { timeout: 30_000, interval: 5 };
const DONE: EndedCommand = { exit: 0, document: undefined, errors: "" };

/** The same store as two processes open it. */
async function openTwice(databaseUrl?: string): Promise<readonly [Connection, Connection]> {
  const set = { clock: systemClock, databaseUrl };
  const { connection: mine, folder } = await createTestConnection(set);
  const other = await openConnection({
    ...set,
    home: join(folder, "home"),
    baseUrl: mine.baseUrl,
    storeId: mine.storeId,
    credentials: { clientKey: "key", clientSecret: "secret" },
    random: () => 0,
  });
  onTestFinished(() => other[Symbol.asyncDispose]());
  return [mine, other];
}

const PLACES = {
  "a file": () => openTwice(),
  PostgreSQL: async () => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    return await openTwice(server.url);
  },
} as const;

interface FakeWorker {
  /** Number of commands that it has started. */
  readonly started: () => number;
  readonly stop: () => Promise<void>;
}

/** A worker whose commands end once `end` resolves. */
function startWorker(connection: Connection, end: () => Promise<unknown>): FakeWorker {
  const stop = new AbortController();
  let started = 0;
  const startCommand: StartCommand = () => {
    started += 1;
    const ended = end().then(() => DONE);
    return { pid: undefined, ended, onProgress: () => undefined, stop: () => undefined };
  };
  const rest = { lang: "tr", stop: stop.signal, slots: createWorkSlots(1) } as const;
  const worker = runStoreJobs(connection, { startCommand, ...rest });
  const finish = async (): Promise<void> => {
    stop.abort();
    await worker;
  };
  return { started: () => started, stop: finish };
}

describe.each(["a file", "PostgreSQL"] as const)("a job of %s", { timeout: 60_000 }, (name) => {
  const isOn = name === "a file" || hasPostgres();

  it.skipIf(!isOn)("is removed while it waits, and not while a worker does it", async () => {
    const [mine, other] = await PLACES[name]();
    const { jobs } = mine.memory;
    const none = await removeJob(mine, JOB);
    await jobs.add({ ...JOB, spec: {} });
    const waiting = await readQueuedRuns(mine);
    const removed = await removeJob(mine, JOB);
    await jobs.add({ ...JOB, spec: {} });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const worker = startWorker(other, () => promise);
    await expect.poll(worker.started, POLL).toBe(1);

    const taken = await removeJob(mine, JOB);

    const places = await readQueuedRuns(mine);
    resolve(undefined);
    await expect.poll(() => jobs.read(JOB), POLL).toMatchObject({ result: { exit: 0 } });
    const ended = await removeJob(mine, JOB);
    await worker.stop();
    expect([none, removed, taken, ended]).toEqual(["none", "removed", "taken", "none"]);
    expect([...waiting, ...places]).toEqual([
      ["r-1", expect.objectContaining({ place: "waiting" })],
      ["r-1", expect.objectContaining({ place: "taken" })],
    ]);
    expect(await jobs.read(JOB)).toBeDefined();
  });

  it.skipIf(!isOn)("is either removed or done where both come at once", async () => {
    const [mine, other] = await PLACES[name]();
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await mine.memory.jobs.add({ ...JOB, spec: {} });
      const worker = startWorker(other, () => setImmediate());
      for (let turn = 0; turn < round; turn += 1) await setImmediate();

      const removal = await removeJob(mine, JOB);

      // A job that was left is done; the worker looks again after 2 seconds at the latest.
      if (removal === "taken") await expect.poll(worker.started, POLL).toBe(1);
      await worker.stop();
      outcomes.push(`${removal} ${worker.started()}`);
    }

    expect(outcomes.filter((one) => !["removed 0", "taken 1", "none 1"].includes(one))).toEqual([]);
  });
});

it("is not called removed where its lease has run out meanwhile", async () => {
  const [{ memory }] = await openTwice();
  await memory.jobs.add({ ...JOB, spec: {} });
  const lost = { isHeld: () => false, [Symbol.asyncDispose]: async () => undefined };

  expect(await removeJob({ memory, locks: { job: async () => lost } }, JOB)).toBe("taken");
});
