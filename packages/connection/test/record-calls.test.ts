import { describe, expect, it } from "vitest";

import { recordCalls, estimateSeconds } from "../src/record-calls.ts";
import { RUN_ID, storeRun } from "../src/testing/stored-run.ts";
import { createTestConnection } from "../src/testing/test-connection.ts";

describe("estimateSeconds", () => {
  it.each([
    ["by the time that a call took", 300, undefined, 100, 8],
    ["by the hourly budget where that is slower", 300, 600, 100, 508],
    ["by the time where the budget is faster", 300, 360_000, 100, 8],
    ["as nothing where nothing is to be sent", 300, 600, 0, 0],
    ["as nothing before the first call", 0, undefined, 100, 0],
  ] as const)("estimates %s", async (...[, meanMs, requestsPerHour, requests, expected]) => {
    const { connection } = await createTestConnection({ requestsPerHour });
    const calls = { ...connection.meters.calls, meanMs: () => meanMs };

    const seconds = await estimateSeconds(
      { ...connection, meters: { ...connection.meters, calls } },
      requests,
    );

    expect(seconds).toBe(expected);
  });

  it("takes concurrent calls into account", async () => {
    const { connection } = await createTestConnection({ concurrency: 1 });
    const calls = { ...connection.meters.calls, meanMs: () => 300 };

    const meters = { ...connection.meters, calls };
    expect(await estimateSeconds({ ...connection, meters }, 100)).toBe(30);
  });

  it("takes calls into account that are made one at a time", async () => {
    const { connection } = await createTestConnection({ concurrency: 10 });
    const calls = { ...connection.meters.calls, meanMs: () => 100 };

    const meters = { ...connection.meters, calls };
    expect(await estimateSeconds({ ...connection, meters }, 200, { alone: 100 })).toBe(11);
  });
});

it("recordCalls adds the calls made since, however often it is called", async () => {
  const { connection } = await createTestConnection();
  await storeRun(connection, { header: ["Ürün Kodu"], rows: [] });
  const calls = {
    ...connection.meters.calls,
    counts: () => ({ token: 2, read: 30, write: 400 }),
    latestMinutes: async (made: number) => [{ minute: 10, calls: made, perHour: 600 }],
  };

  await recordCalls({ ...connection, meters: { ...connection.meters, calls } }, RUN_ID, {
    token: 1,
    read: 10,
    write: 100,
  });
  await recordCalls({ ...connection, meters: { ...connection.meters, calls } }, RUN_ID, {
    token: 2,
    read: 29,
    write: 400,
  });

  expect((await connection.runs.read(RUN_ID))?.requests).toEqual({
    token: 1,
    read: 21,
    write: 300,
  });
  expect(await connection.meters.callLog.read(RUN_ID)).toEqual([
    { minute: 10, calls: 322, perHour: 600 },
  ]);
});
