import { describe, expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";
import { toProductId } from "../helpers/runs-and-rows.ts";

describe("the learnt behaviour of a store", () => {
  it("keeps the behaviour of two stores in one file apart", async () => {
    const { path, journal } = await openTestJournal();
    const other = await openTestJournal({ path, storeId: "store-2", runs: [] });

    await journal.recordSignature("422 a", "not-applied");
    await journal.startLagSample(toProductId("p1"), 100);

    const nothing = { applied: 0, notApplied: 0, lastSeenMs: null };
    expect(await other.journal.readSignature("422 a")).toEqual(nothing);
    expect(await other.journal.readLagSamples()).toEqual([]);
  });
});
