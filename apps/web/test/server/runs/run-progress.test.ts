import { createTestConnection } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { estimateSending } from "../../../src/server/runs/run-progress.ts";

const RUN = { id: "r-1", requests: { token: 0, read: 10, write: 3_000 } };

interface Store {
  /** Calls of each minute of the latest run. */
  readonly minutes?: readonly number[];
  readonly requests?: { readonly read: number; readonly write: number };
  readonly requestsPerHour?: number;
}

/** Estimates 20,000 calls in a store with such a latest run. */
async function estimate({ minutes = [], requests, requestsPerHour }: Store): Promise<unknown> {
  const { connection } = await createTestConnection({ requestsPerHour });
  const { meters } = connection;
  const run = { ...RUN, requests: { ...RUN.requests, ...requests } };
  const store: Parameters<typeof estimateSending>[0] = {
    runs: { list: async () => [run] },
    meters: {
      ...meters,
      callLog: {
        read: async () => minutes.map((calls, minute) => ({ minute, calls, perHour: null })),
      },
    },
  };
  return await estimateSending(store, 20_000);
}

describe("the time that sending takes", () => {
  it("is not told where nothing was sent here and calls are not limited", async () => {
    expect(await estimate({})).toBeNull();
    expect(await estimate({ requestsPerHour: 100_000 })).toBeNull();
  });

  it("follows the full minutes of the latest sending", async () => {
    expect(await estimate({ minutes: [100, 1_000, 1_000, 30] })).toBe(1_200);
  });

  it("is not taken from a run that only read the store, or was too short", async () => {
    const read = { read: 3_000, write: 10 };

    expect(await estimate({ minutes: [100, 9_000, 9_000, 30], requests: read })).toBeNull();
    expect(await estimate({ minutes: [100, 9_000] })).toBeNull();
  });

  it("is that of the hourly limit where that is slower", async () => {
    const hour = 3_600;

    const known = await estimate({ minutes: [100, 1_000, 1_000, 30], requestsPerHour: 1_000 });

    expect(Number(known)).toBeGreaterThan(18 * hour);
    expect(Number(await estimate({ requestsPerHour: 1_000 }))).toBeGreaterThan(18 * hour);
  });
});
