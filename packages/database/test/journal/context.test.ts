import { describe, expect, it } from "vitest";

import { selectRun } from "../../src/journal/transitions.ts";
import { readStoreKey } from "../../src/sql/database.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

describe("selectRun", () => {
  it("selects a run for its own store only", async () => {
    const { database } = await openTestJournal();
    const baseUrl = "https://marketplace.test";
    const own = readStoreKey(database, { baseUrl, storeId: "store-1" });
    const other = readStoreKey(database, { baseUrl, storeId: "store-2" });
    const read = (store: number, runId: string): unknown =>
      database.executeNow(database.all(selectRun({ database, store }, runId)));

    expect(read(own, "run-1")).toEqual([{ id: "run-1" }]);
    expect(read(other, "run-1")).toEqual([]);
    expect(read(own, "run-2")).toEqual([]);
  });
});
