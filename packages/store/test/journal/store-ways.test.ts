import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-store.ts";
import { toProductId as id } from "../helpers/runs-and-rows.ts";

describe("signatures", () => {
  it("are counted per store, and dated by what left nothing behind", async () => {
    const { path, journal, clock } = await openStore();
    const other = await openStore({ path, storeId: "store-2", runs: [] });

    await journal.noteSignature("422 a", "not-applied");
    await clock.advance(500);
    await journal.noteSignature("422 a", "not-applied");
    await clock.advance(500);
    await journal.noteSignature("422 a", "applied");

    expect(await journal.readSignature("422 a")).toEqual({
      applied: 1,
      notApplied: 2,
      lastSeenMs: 1_500,
    });
    const nothing = { applied: 0, notApplied: 0, lastSeenMs: null };
    expect(await journal.readSignature("422 b")).toEqual(nothing);
    expect(await other.journal.readSignature("422 a")).toEqual(nothing);
  });
});

describe("lag samples", () => {
  it("keep the first moment at which the product was seen", async () => {
    const { journal } = await openStore();
    await journal.watchLag(id("p1"), 100);
    await journal.watchLag(id("p2"), null);
    await journal.watchLag(id("p1"), 900);

    await journal.noteLagSample(id("p1"), { shown: false, serverMs: 200 });
    await journal.noteLagSample(id("p1"), { shown: true, serverMs: 300 });
    await journal.noteLagSample(id("p1"), { shown: true, serverMs: 400 });
    await journal.noteLagSample(id("p1"), { shown: false, serverMs: 500 });

    expect(await journal.readLagSamples()).toEqual([
      { productId: "p1", addedMs: 100, shownMs: 300, lookedMs: 300, isShown: true },
      { productId: "p2", addedMs: null, shownMs: null, lookedMs: null, isShown: false },
    ]);
  });

  it("are those of one store", async () => {
    const { path, journal } = await openStore();
    const other = await openStore({ path, storeId: "store-2", runs: [] });
    await journal.watchLag(id("p1"), 100);

    expect(await other.journal.readLagSamples()).toEqual([]);
  });
});
