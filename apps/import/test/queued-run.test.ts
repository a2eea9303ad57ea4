import { setTimeout } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import { leaveToWorkers, readStopRequest, type TakenJob } from "@catalog/jobs";
import { expect, it, onTestFinished } from "vitest";

import { applyCommand } from "../src/commands/apply/index.ts";
import { resumeCommand } from "../src/commands/resume/index.ts";
import { runsCommand } from "../src/commands/runs/index.ts";
import { followQueued } from "../src/queued-run.ts";
import { type CommandHarness, createCommandHarness } from "./helpers/command-harness.ts";
import { storeRun } from "./helpers/store-run.ts";

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

/** What the command has written since the last call. */
function createReader({ terminal }: CommandHarness): () => string {
  let [out, err] = [0, 0];
  return () => {
    const { written } = terminal;
    const text = written.out.slice(out) + written.err.slice(err);
    [out, err] = [written.out.length, written.err.length];
    return text.replaceAll(/\s+/gu, " ");
  };
}

it("takes a run that waits out of the queue, and says where there is none", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const read = createReader(harness);
  const run = await storeRun(harness);
  await using connection = await harness.open();
  await connection.memory.jobs.add({ kind: "apply", key: run, spec: {} });
  const list = async (flags = {}): Promise<string> => {
    await runsCommand.run(harness.context, flags);
    return read();
  };
  const [queued, shown] = [await list(), await list({ run })];

  const first = await applyCommand.run(harness.context, { run, unqueue: true });
  const removed = read();
  const second = await applyCommand.run(harness.context, { run, unqueue: true });

  expect(queued).toMatch(/sırada +urunler\.xlsx/u);
  expect(shown).toContain(`Sıradan çıkarmak için: catalog apply ${run} --unqueue`);
  expect([first, second]).toEqual([0, 0]);
  expect(removed).toContain(
    `Gönderim sıradan çıkarıldı; hiçbir worker göndermeyecek. Yine de göndermek için: catalog resume ${run}`,
  );
  expect(read()).toContain(`${run} sırada değil; yapılacak bir şey yok.`);
  expect(await connection.memory.jobs.listOpen()).toEqual([]);
  expect(await list()).toMatch(/planlandı +urunler\.xlsx/u);
});

it("asks the process that sends a run to stop, wherever it is", async () => {
  const harness = createCommandHarness({ json: true });
  const run = await storeRun(harness);
  await using connection = await harness.open();
  await connection.memory.jobs.add({ kind: "apply", key: run, spec: {} });
  const { jobs } = connection.memory;
  const [taken] = await jobs.take(1, { kinds: new Set(["apply"]), stores: [jobs.storeKey] });
  onTestFinished(() => taken?.[Symbol.asyncDispose]());
  await using sending = await connection.locks.store("catalog resume");
  await sending.nameRun(run);
  await runsCommand.run({ ...harness.context, json: false }, { run });
  const before = await readStopRequest(connection, run);

  const exit = await applyCommand.run(harness.context, { run, unqueue: true });
  const document = JSON.parse(
    harness.terminal.written.out.slice(harness.terminal.written.out.lastIndexOf("\n{") + 1),
  );

  const how = `To stop it: catalog apply ${run} --unqueue`;
  expect(harness.terminal.written.err.replaceAll(/\s+/gu, " ")).toContain(how);
  expect([exit, await taken?.isHeld(), before]).toEqual([0, true, undefined]);
  expect(document).toMatchObject({ command: "apply", run, exit, unqueued: false, stopping: true });
  expect(await readStopRequest(connection, run)).toBeDefined();
  expect(await connection.memory.jobs.listOpen()).toHaveLength(1);
});

it("says how to take out a run that is followed no more before a worker has it", async () => {
  const harness = createCommandHarness();
  const id = await storeRun(harness);
  await using connection = await harness.open();
  await connection.memory.jobs.add({ kind: "apply", key: id, spec: {} });
  const run = await connection.runs.read(id);
  if (run === undefined) throw new Error("the run is stored");
  const stopped = { ...harness.context, stop: AbortSignal.abort() };

  const exit = await followQueued(stopped, connection, { command: "apply", flags: {}, run });

  expect(exit).toBe(130);
  expect(harness.terminal.written.err).toContain(`To take it out: catalog apply ${id} --unqueue`);
});

it("refuses to queue and to unqueue at once", async () => {
  const { context } = createCommandHarness();

  const both = applyCommand.run(context, { run: "r-1", queue: true, unqueue: true });

  await expect(both).rejects.toThrow("--queue and --unqueue exclude each other");
});

it("sends nothing of a queued run that has stopped for a person, until that person queues it again", async () => {
  const harness = createCommandHarness({ json: true });
  const id = await storeRun(harness);
  const resume = async (): Promise<{ readonly exit: number; readonly error: unknown }> => {
    const from = harness.terminal.written.out.length;
    const exit = await resumeCommand.run(harness.context, { run: id, queued: true });
    const { error } = JSON.parse(harness.terminal.written.out.slice(from));
    return { exit, error };
  };
  {
    await using connection = await harness.open();
    const ended = { exit: 6, atMs: 1, stop: "E_CANARY" };
    await connection.runs.update(id, { state: "running", progress: { ended } });
  }

  // A worker that died before it could end the job leaves it to the next one.
  const stopped = [await resume(), await resume()];
  {
    await using connection = await harness.open();
    const run = await connection.runs.read(id);
    if (run === undefined) throw new Error("the run is stored");
    await leaveToWorkers(connection, run, { settings: run.settings, lang: "tr" });
  }
  const decided = await resume();

  const refused = { exit: 6, error: expect.objectContaining({ code: "E_CANARY" }) };
  expect(stopped).toEqual([refused, refused]);
  expect(decided.error).toBeUndefined();
  expect(decided.exit).not.toBe(6);
});
