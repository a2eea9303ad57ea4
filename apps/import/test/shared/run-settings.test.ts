import type { Connection, ConnectionOverrides } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import { openForRun } from "../../src/run-settings.ts";
import { createCommandHarness, type CommandHarness } from "../helpers/command-harness.ts";
import { createRun } from "../helpers/run-parts.ts";

/** A store with a run that was asked for at two calls at a time, and 600 an hour. */
async function openStored(): Promise<CommandHarness> {
  const harness = createCommandHarness();
  await using connection = await harness.open();
  const { id, command, file, mode, lang, reportDir, warnings } = createRun();
  await connection.runs.create({ id, command, file, mode, lang, reportDir, warnings });
  await connection.runs.update(id, { settings: { concurrency: 2, requestsPerHour: 600 } });
  return harness;
}

describe("openForRun", () => {
  it("opens the database once, at the pace that the run was asked for with", async () => {
    const { context } = await openStored();
    let opened = 0;
    const openConnection = async (overrides?: ConnectionOverrides): Promise<Connection> => {
      opened += 1;
      return await context.openConnection(overrides);
    };

    await using connection = await openForRun(
      { ...context, openConnection },
      { run: createRun().id },
    );

    expect(opened).toBe(1);
    const { concurrency, meters } = connection;
    expect([concurrency, await meters.pacing.callsPerHour()]).toEqual([2, 600]);
  });

  it("prefers the pace that the flags say", async () => {
    const { context } = await openStored();

    await using connection = await openForRun(context, { run: createRun().id, concurrency: 3 });

    const { concurrency, meters } = connection;
    expect([concurrency, await meters.pacing.callsPerHour()]).toEqual([3, 600]);
  });

  it("refuses a run that the store does not know", async () => {
    const { context } = createCommandHarness();

    const opened = openForRun(context, { run: "r-yok" });

    await expect(opened).rejects.toMatchObject({ code: "E_RUN_UNKNOWN" });
  });
});
