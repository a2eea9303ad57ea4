import { openMemoryJournal } from "@catalog/database/testing";
import { type LagSample, judgeVisibility, sampleVisibility } from "@catalog/runs";
import { createFakeMarketplace, id, listed } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

/** A product that is not shown within this time makes the store a blind one. */
const PATIENCE_MS = 15 * 60_000;

const sample = (more: Partial<LagSample>): LagSample => ({
  productId: id("p1"),
  addedMs: 0,
  shownMs: null,
  readMs: null,
  isShown: false,
  ...more,
});
const shown = sample({ shownMs: 2_000, readMs: 2_000, isShown: true });

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
    ["a sample that was shown", [shown], "visible", 2_000],
    [
      "one shown sample and one missing for 15 minutes",
      [shown, sample({ readMs: PATIENCE_MS })],
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
    const journal = await openMemoryJournal();
    const marketplace = createFakeMarketplace({
      products: [listed("p1", "A1"), listed("p2", "A2", { placement: "passive" })],
      serverTimeMs: () => 700,
    });
    await journal.startLagSample(id("p1"), 100);
    await journal.startLagSample(id("p2"), 200);

    expect(await sampleVisibility({ journal, marketplace })).toBe(0);

    expect(marketplace.log).toEqual(["LIST approved p1,p2", "LIST passive p2"]);
    expect((await journal.readLagSamples()).map(({ shownMs }) => shownMs)).toEqual([700, 700]);
    await sampleVisibility({ journal, marketplace });
    expect(marketplace.log).toHaveLength(2);
  });

  it("records that a product is still missing", async () => {
    const journal = await openMemoryJournal();
    const marketplace = createFakeMarketplace({ serverTimeMs: () => PATIENCE_MS });
    await journal.startLagSample(id("p1"), 0);

    expect(await sampleVisibility({ journal, marketplace })).toBe(1);

    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("blind");
  });

  it("ignores a listing that cannot be read", async () => {
    const journal = await openMemoryJournal();
    const marketplace = createFakeMarketplace({
      onRequest: () => Promise.reject(new Error("no JSON")),
      serverTimeMs: () => PATIENCE_MS,
    });
    await journal.startLagSample(id("p1"), 0);

    expect(await sampleVisibility({ journal, marketplace })).toBe(1);

    expect(judgeVisibility(await journal.readLagSamples()).verdict).toBe("unknown");
  });

  it("rejects when it is aborted", async () => {
    const journal = await openMemoryJournal();
    const signal = AbortSignal.abort(new Error("stop"));
    await journal.startLagSample(id("p1"), 0);

    const looking = sampleVisibility({ journal, marketplace: createFakeMarketplace(), signal });

    await expect(looking).rejects.toThrow("stop");
  });
});
