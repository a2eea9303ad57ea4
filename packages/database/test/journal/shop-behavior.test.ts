import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-test-journal.ts";
import { toProductId } from "../helpers/runs-and-rows.ts";

describe("what is known of how a store behaves", () => {
  it("is not known of another store in the same file", async () => {
    const { path, journal } = await openStore();
    const other = await openStore({ path, storeId: "store-2", runs: [] });

    await journal.noteSignature("422 a", "not-applied");
    await journal.watchLag(toProductId("p1"), 100);

    const nothing = { applied: 0, notApplied: 0, lastSeenMs: null };
    expect(await other.journal.readSignature("422 a")).toEqual(nothing);
    expect(await other.journal.readLagSamples()).toEqual([]);
  });
});
