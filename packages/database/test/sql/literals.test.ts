import { describe, expect, it } from "vitest";

import { toLiteral } from "../../src/sql/queries.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";

describe("toLiteral", () => {
  it("lets SQLite answer a query from a partial index", async () => {
    const { database, path } = await openTestJournal();
    const query = database.build
      .selectFrom("op")
      .selectAll()
      .where("store", "=", 1)
      .where("code_key", "=", "C-1")
      .where("kind", "=", toLiteral("add"))
      .where("state", "in", (["sending", "ambiguous", "held", "done"] as const).map(toLiteral))
      .compile();

    const plan = openRaw(path).rows(`EXPLAIN QUERY PLAN ${query.sql}`, 1, "C-1");

    expect(query.parameters).toEqual([1, "C-1"]);
    expect(plan.map((step) => step["detail"])).toEqual([
      "SEARCH op USING INDEX one_add_per_code (store=? AND code_key=?)",
    ]);
  });
});
