import { describe, expect, it } from "vitest";

import { readStoreKey } from "../src/sql/database.ts";
import { openTestJournal } from "./helpers/open-test-journal.ts";

describe("readStoreKey", () => {
  it("gives each store of each marketplace a permanent number of its own", async () => {
    const { database, path } = await openTestJournal({ runs: [] });
    const addresses = [
      { baseUrl: "https://a.test", storeId: "1" },
      { baseUrl: "https://a.test", storeId: "2" },
      { baseUrl: "https://b.test", storeId: "1" },
    ];

    const keys = addresses.map((address) => readStoreKey(database, address));

    expect(new Set(keys).size).toBe(3);
    const again = await openTestJournal({ path, runs: [] });
    expect(addresses.map((address) => readStoreKey(again.database, address))).toEqual(keys);
  });
});
