import { describe, expect, it } from "vitest";

import type { LagSample, ShopBehavior } from "../../src/ports/journal.ts";
import { judgeVisibility, PATIENCE_MS, sampleVisibility } from "../../src/reconcile/visibility.ts";
import { createFakeMarketplace, listed, toProductId } from "../../src/testing.ts";

/** Samples as a journal keeps them. */
function createSamples(): ShopBehavior {
  const samples = new Map<string, LagSample>();
  return {
    async startLagSample(productId, addedMs) {
      samples.set(productId, sample({ productId, addedMs }));
    },
    async recordLagSample(productId, { shown, serverMs }) {
      const before = samples.get(productId) ?? sample({ productId });
      const shownMs = shown ? serverMs : null;
      samples.set(productId, { ...before, isShown: shown, shownMs, readMs: serverMs });
    },
    readLagSamples: async () => [...samples.values()],
    readSignature: async () => ({ applied: 0, notApplied: 0, lastSeenMs: null }),
    recordSignature: async () => undefined,
  };
}

const sample = (more: Partial<LagSample>): LagSample => ({
  productId: toProductId("p1"),
  addedMs: 0,
  shownMs: null,
  readMs: null,
  isShown: false,
  ...more,
});
const SHOWN = sample({ shownMs: 2_000, readMs: 2_000, isShown: true });

describe("judgeVisibility", () => {
  const CASES: readonly (readonly [string, readonly LagSample[], string, number])[] = [
    ["no sample", [], "unknown", 0],
    ["a sample that was not looked up", [sample({})], "unknown", 0],
    [
      "a sample that is missing for less than 15 minutes",
      [sample({ readMs: PATIENCE_MS - 1 })],
      "unknown",
      0,
    ],
    ["a sample that is missing for 15 minutes", [sample({ readMs: PATIENCE_MS })], "blind", 0],
    ["a sample that was shown", [SHOWN], "visible", 2_000],
    [
      "one shown sample and one missing for 15 minutes",
      [SHOWN, sample({ readMs: PATIENCE_MS })],
      "blind",
      2_000,
    ],
    [
      "a shown sample without a server time",
      [sample({ addedMs: null, isShown: true })],
      "visible",
      0,
    ],
    [
      "a missing sample without a server time",
      [sample({ addedMs: null, readMs: PATIENCE_MS })],
      "unknown",
      0,
    ],
  ];
  for (const [name, samples, verdict, maxLagMs] of CASES) {
    it(`calls a store with ${name} ${verdict}`, () => {
      expect(judgeVisibility(samples)).toEqual({ verdict, maxLagMs, samples: samples.length });
    });
  }
});

describe("sampleVisibility", () => {
  it("looks up all missing samples in one call until they are found", async () => {
    const journal = createSamples();
    const marketplace = createFakeMarketplace({
      products: [listed("p1", "A1"), listed("p2", "A2", { placement: "passive" })],
      serverTimeMs: () => 700,
    });
    await journal.startLagSample(toProductId("p1"), 100);
    await journal.startLagSample(toProductId("p2"), 200);

    expect(await sampleVisibility({ journal, marketplace })).toBe(0);

    expect(marketplace.log).toEqual(["LIST approved p1,p2", "LIST passive p2"]);
    expect((await journal.readLagSamples()).map(({ shownMs }) => shownMs)).toEqual([700, 700]);
    await sampleVisibility({ journal, marketplace });
    expect(marketplace.log).toHaveLength(2);
  });

  it("records that a product is still missing", async () => {
    const journal = createSamples();
    const marketplace = createFakeMarketplace({ serverTimeMs: () => PATIENCE_MS });
    await journal.startLagSample(toProductId("p1"), 0);

    expect(await sampleVisibility({ journal, marketplace })).toBe(1);

    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("blind");
  });

  it("ignores a listing that cannot be read", async () => {
    const journal = createSamples();
    const marketplace = createFakeMarketplace({
      onRequest: () => Promise.reject(new Error("no JSON")),
      serverTimeMs: () => PATIENCE_MS,
    });
    await journal.startLagSample(toProductId("p1"), 0);

    expect(await sampleVisibility({ journal, marketplace })).toBe(1);

    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("unknown");
  });

  it("rejects when it is aborted", async () => {
    const journal = createSamples();
    const signal = AbortSignal.abort(new Error("stop"));
    await journal.startLagSample(toProductId("p1"), 0);

    const looking = sampleVisibility({ journal, marketplace: createFakeMarketplace(), signal });

    await expect(looking).rejects.toThrow("stop");
  });
});
