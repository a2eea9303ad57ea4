import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-test-journal.ts";
import { toProductId } from "../helpers/runs-and-rows.ts";

describe("the learnt behaviour of a store", () => {
  it("keeps the behaviour of two stores in one file apart", async () => {
    const { path, journal } = await openStore();
    const other = await openStore({ path, storeId: "store-2", runs: [] });

    await journal.noteSignature("422 a", "not-applied");
    await journal.watchLag(toProductId("p1"), 100);

    const nothing = { applied: 0, notApplied: 0, lastSeenMs: null };
    expect(await other.journal.readSignature("422 a")).toEqual(nothing);
    expect(await other.journal.readLagSamples()).toEqual([]);
  });
});
