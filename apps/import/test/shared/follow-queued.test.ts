import { setTimeout } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import type { TakenJob } from "@catalog/jobs";
import { expect, it, onTestFinished } from "vitest";

import { applyCommand } from "../../src/commands/apply/index.ts";
import { runsCommand } from "../../src/commands/runs/index.ts";
import { type CommandHarness, createCommandHarness } from "../helpers/command-harness.ts";
import { storeRun } from "../helpers/store-run.ts";

const DONE = { exit: 5, code: null, message: null };
const FAILED = { exit: 2, code: "E_DATABASE_SERVER", message: "the database was away." };

interface Begun {
  readonly harness: CommandHarness;
  readonly connection: Connection;
  readonly run: string;
}

/** A run that was begun, and is not at its end. */
async function openBegun(): Promise<Begun> {
  const made = createCommandHarness();
  // A clock that skips waits would let nothing else happen.
  const harness = { ...made, context: { ...made.context, clock: systemClock } };
  const run = await storeRun(harness);
  const connection = await harness.open();
  onTestFinished(() => connection[Symbol.asyncDispose]());
  await connection.runs.update(run, { state: "stopped" });
  return { harness, connection, run };
}

const queue = ({ harness, run }: Begun, context = {}): Promise<number> =>
  applyCommand.run({ ...harness.context, ...context }, { run, queue: true });

/** Takes the job as a worker does, once it is there. */
async function takeJob({ jobs }: Pick<Connection["memory"], "jobs">): Promise<TakenJob> {
  for (;;) {
    const [taken] = await jobs.take(1, { kinds: new Set(["apply"]), stores: [jobs.storeKey] });
    if (taken !== undefined) return taken;
    await setTimeout(5);
  }
}

/** Ends the job as a worker does, once it is there. */
async function endJob({ connection }: Begun): Promise<void> {
  const { jobs } = connection.memory;
  await using taken = await takeJob({ jobs });
  await taken.end(DONE);
}

it("queues a run again that was begun, and both who follow it see its end", async () => {
  const begun = await openBegun();

  const [first, second] = [queue(begun), queue(begun)];
  await endJob(begun);

  expect([await first, await second]).toEqual([5, 5]);
  // Whoever looks later sees the end as well.
  const job = await begun.connection.memory.jobs.read({ kind: "apply", key: begun.run });
  expect(job?.result).toEqual(DONE);
  expect(begun.harness.terminal.written.err).not.toContain("taken out of the queue");
});

it("follows a run that another process sends to the end of that process", async () => {
  const begun = await openBegun();
  const { harness, connection, run } = begun;
  const sending = await connection.locks.store("catalog resume");
  await sending.nameRun(run);
  const isFollowed = (): boolean => harness.terminal.written.err.includes("following it from here");
  const end = async (): Promise<void> => {
    while (!isFollowed()) await setTimeout(5);
    const ended = { exit: 5, atMs: 1 };
    await connection.runs.update(run, { state: "finished", progress: { ended } });
    await sending[Symbol.asyncDispose]();
  };

  const [exit] = await Promise.all([applyCommand.run(harness.context, { run }), end()]);

  expect(exit).toBe(5);
});

it("tells why a queued run fails, when it is tried again and how to give it up", async () => {
  const begun = await openBegun();
  const { harness, connection, run } = begun;
  const { jobs } = connection.memory;
  await jobs.add({ kind: "apply", key: run, spec: {} });
  {
    await using taken = await takeJob({ jobs });
    await taken.postpone({ pauseMs: 60_000, failures: 3, failure: FAILED });
  }

  await runsCommand.run(harness.context, {});
  await runsCommand.run(harness.context, { run });
  await queue(begun, { stop: AbortSignal.timeout(500) });

  const { out, err } = harness.terminal.written;
  const told = err.replaceAll(/\s+/gu, " ");
  expect(out).toMatch(/failing +urunler\.xlsx/u);
  expect(told).toContain(
    "Sending has failed 3 times in a row: the database was away. It is tried again about",
  );
  expect(told).toContain(`To give it up: catalog apply ${run} --unqueue`);
  expect(told.match(/has failed 3 times/gu)).toHaveLength(2);
});
