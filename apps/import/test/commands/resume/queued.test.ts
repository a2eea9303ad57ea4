import { leaveToWorkers } from "@catalog/jobs";
import { expect, it } from "vitest";

import { resumeCommand } from "../../../src/commands/resume/index.ts";
import { createCommandHarness } from "../../helpers/command-harness.ts";
import { storeRun } from "../../helpers/store-run.ts";

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
