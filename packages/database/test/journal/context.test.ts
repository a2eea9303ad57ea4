import { describe, expect, it } from "vitest";

import { selectRun } from "../../src/journal/context.ts";
import { readStoreKey } from "../../src/store-key.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

describe("selectRun", () => {
  it("selects a run for its own store only", async () => {
    const { database } = await openTestJournal();
    const baseUrl = "https://marketplace.test";
    const own = readStoreKey(database, { baseUrl, storeId: "store-1" });
    const other = readStoreKey(database, { baseUrl, storeId: "store-2" });

    expect(database.all(selectRun({ database, store: own }, "run-1"))).toEqual([{ id: "run-1" }]);
    expect(database.all(selectRun({ database, store: other }, "run-1"))).toEqual([]);
    expect(database.all(selectRun({ database, store: own }, "run-2"))).toEqual([]);
  });
});
