import { describe, expect, it } from "vitest";

import { freeAbsentCodes } from "../../src/reconcile/decide-absent.ts";
import { createFakeMarketplace, id, RUN } from "../../src/testing.ts";

/** Tries to free the code of A1, which was refused at second 10; returns what stays taken. */
async function freeAt(lagMs: number | undefined, lookedUpMs: number | null, isSeen = false) {
  const key = { runId: RUN, row: 2, seq: 1, atMs: 0 };
  const evidence = { claim: "rejected", serverMs: 10_000 };
  const sample = { productId: id("p1"), addedMs: 0, shownMs: lagMs ?? 0, readMs: 0, isShown: true };
  const freed: unknown[] = [];
  const journal = {
    readEvents: async () =>
      [
        { ...key, from: "ready", to: "sending", cause: "begin", evidence: { serverMs: 9_000 } },
        { ...key, from: "sending", to: "rejected", cause: "status-422", evidence },
      ] as const,
    freeCode: async (code: unknown) => void freed.push(code),
    readLagSamples: async () => (lagMs === undefined ? [] : [sample]),
    startLagSample: async () => undefined,
    recordLagSample: async () => undefined,
    readSignature: async () => ({ applied: 0, notApplied: 0, lastSeenMs: null }),
    recordSignature: async () => undefined,
  };
  const refused = { codeKey: "a1", state: "rejected", runId: RUN, row: 2 } as const;
  const known = [{ ...refused, productId: null, isRefused: true }];
  const options = { journal, marketplace: createFakeMarketplace(), lookedUpMs };
  const taken = await freeAbsentCodes(options, known, () => isSeen);
  expect(freed).toEqual(known.filter((code) => !taken.includes(code)));
  return taken.map(({ codeKey }) => codeKey);
}

describe("freeing the code of a refused add", () => {
  it.each([
    {
      store: "shows products at once, read 2 seconds later",
      lagMs: 0,
      lookedUpMs: 12_000,
      taken: [],
    },
    { store: "shows products at once, read at once", lagMs: 0, lookedUpMs: 11_000, taken: ["a1"] },
    { store: "takes a minute, read too soon", lagMs: 60_000, lookedUpMs: 200_000, taken: ["a1"] },
    {
      store: "takes a minute, read five minutes later",
      lagMs: 60_000,
      lookedUpMs: 310_000,
      taken: [],
    },
    { store: "was seen to show nothing", lagMs: undefined, lookedUpMs: 86_400_000, taken: ["a1"] },
    { store: "gives no server time", lagMs: 0, lookedUpMs: null, taken: ["a1"] },
  ])(
    "decides on the code in a store that $store: taken $taken",
    async ({ lagMs, lookedUpMs, taken }) => {
      expect(await freeAt(lagMs, lookedUpMs)).toEqual(taken);
    },
  );

  it("keeps the code where the store shows its product", async () => {
    expect(await freeAt(0, 86_400_000, true)).toEqual(["a1"]);
  });
});
