import { describe, expect, it } from "vitest";

import { addCalls, estimateSeconds } from "../src/record-calls.ts";
import { RUN_ID, storeRun } from "../src/testing/stored-run.ts";
import { createWorkplace } from "../src/testing/test-connection.ts";

describe("estimateSeconds", () => {
  it.each([
    ["by the time that a call took", 300, undefined, 100, 8],
    ["by the hourly budget where that is slower", 300, 600, 100, 508],
    ["by the time where the budget is faster", 300, 360_000, 100, 8],
    ["as nothing where nothing is to be sent", 300, 600, 0, 0],
    ["as nothing before the first call", 0, undefined, 100, 0],
  ] as const)("estimates %s", async (...[, meanMs, requestsPerHour, requests, expected]) => {
    const { toolkit } = await createWorkplace({ requestsPerHour });
    const calls = { ...toolkit.meters.calls, meanMs: () => meanMs };

    const seconds = estimateSeconds({ ...toolkit, meters: { ...toolkit.meters, calls } }, requests);

    expect(seconds).toBe(expected);
  });

  it("takes concurrent calls into account", async () => {
    const { toolkit } = await createWorkplace({ concurrency: 1 });
    const calls = { ...toolkit.meters.calls, meanMs: () => 300 };

    expect(estimateSeconds({ ...toolkit, meters: { ...toolkit.meters, calls } }, 100)).toBe(30);
  });
});

describe("addCalls", () => {
  it("adds the calls made since, however often it is called", async () => {
    const { toolkit } = await createWorkplace();
    await storeRun(toolkit, { header: ["Ürün Kodu"], rows: [] });
    const calls = {
      ...toolkit.meters.calls,
      counts: () => ({ token: 2, read: 30, write: 400 }),
      latestMinutes: (made: number) => [{ minute: 10, calls: made, perHour: 600 }],
    };

    await addCalls({ ...toolkit, meters: { ...toolkit.meters, calls } }, RUN_ID, {
      token: 1,
      read: 10,
      write: 100,
    });
    await addCalls({ ...toolkit, meters: { ...toolkit.meters, calls } }, RUN_ID, {
      token: 2,
      read: 29,
      write: 400,
    });

    expect((await toolkit.runLog.read(RUN_ID))?.requests).toEqual({
      token: 1,
      read: 21,
      write: 300,
    });
    expect(toolkit.meters.callLog.read(RUN_ID)).toEqual([{ minute: 10, calls: 322, perHour: 600 }]);
  });
});
