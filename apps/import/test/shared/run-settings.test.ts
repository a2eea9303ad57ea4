import { type Toolkit, type ToolkitOverrides } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import { openForRun } from "../../src/shared/run-settings.ts";
import { createWorkplace, type Workplace } from "../helpers/command-harness.ts";
import { createRun } from "../helpers/run-parts.ts";

/** A store with a run that was asked for at two calls at a time, and 600 an hour. */
async function openStored(): Promise<Workplace> {
  const place = createWorkplace();
  await using toolkit = await place.open();
  const { id, command, file, mode, lang, reportDir, warnings } = createRun();
  await toolkit.runLog.create({ id, command, file, mode, lang, reportDir, warnings });
  await toolkit.runLog.update(id, { settings: { concurrency: 2, requestsPerHour: 600 } });
  return place;
}

describe("openForRun", () => {
  it("opens the database once, at the pace that the run was asked for with", async () => {
    const { context } = await openStored();
    let opened = 0;
    const openToolkit = async (overrides?: ToolkitOverrides): Promise<Toolkit> => {
      opened += 1;
      return await context.openToolkit(overrides);
    };

    await using toolkit = await openForRun({ ...context, openToolkit }, { run: createRun().id });

    expect(opened).toBe(1);
    expect([toolkit.concurrency, toolkit.meters.pacing.callsPerHour()]).toEqual([2, 600]);
  });

  it("prefers the pace that the flags say", async () => {
    const { context } = await openStored();

    await using toolkit = await openForRun(context, { run: createRun().id, concurrency: 3 });

    expect([toolkit.concurrency, toolkit.meters.pacing.callsPerHour()]).toEqual([3, 600]);
  });

  it("refuses a run that the store does not know", async () => {
    const { context } = createWorkplace();

    const opened = openForRun(context, { run: "r-yok" });

    await expect(opened).rejects.toMatchObject({ code: "E_RUN_UNKNOWN" });
  });
});
