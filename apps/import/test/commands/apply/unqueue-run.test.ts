import { readStopRequest } from "@catalog/jobs";
import { expect, it, onTestFinished } from "vitest";

import { applyCommand } from "../../../src/commands/apply/index.ts";
import { runsCommand } from "../../../src/commands/runs/index.ts";
import { followQueued } from "../../../src/queued-run.ts";
import { type CommandHarness, createCommandHarness } from "../../helpers/command-harness.ts";
import { storeRun } from "../../helpers/store-run.ts";

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
