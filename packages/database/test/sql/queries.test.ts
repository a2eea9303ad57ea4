import { describe, expect, it } from "vitest";

import { noSteps, runSteps, type Steps } from "../../src/sql/database.ts";
import {
  fromJson,
  fromJsonList,
  MAX_VALUES,
  readInBatches,
  toJson,
  toJsonList,
  toLiteral,
} from "../../src/sql/queries.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Runs steps that yield no statement. */
const run = <Result>(steps: Steps<Result>): Result =>
  runSteps(steps, () => {
    throw new Error("no statement was expected");
  });

describe("readInBatches", () => {
  it("queries each value once, however often it is given", () => {
    for (const count of [1, 2, 3, 5, 511, 512, 513, 1_500]) {
      const asked = run(
        readInBatches([...upTo(count), ...upTo(count)], (batch) => noSteps([...new Set(batch)])),
      );

      expect(asked).toEqual(upTo(count));
    }
  });

  it("uses few lengths of list, so that few statements are cached", () => {
    const lengths = new Set<number>();

    for (const count of upTo(2_000)) {
      run(
        readInBatches(upTo(count), (batch) => {
          lengths.add(batch.length);
          return noSteps([]);
        }),
      );
    }

    expect([...lengths].toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(Math.max(...lengths)).toBe(MAX_VALUES);
  });

  it("runs no query for an empty list", () => {
    const batches: unknown[] = [];

    run(
      readInBatches([], (batch) => {
        batches.push(batch);
        return noSteps([]);
      }),
    );

    expect(batches).toEqual([]);
  });
});

describe("fromJson", () => {
  it("reads what was written", () => {
    const value = { text: 'İğ "quoted"\n', list: [null, 1.5, true], nested: { empty: {} } };

    expect(fromJson(toJson(value))).toEqual(value);
  });

  it("throws for a text that this package cannot have written", () => {
    expect(() => fromJson('{"cut":')).toThrow(SyntaxError);
  });
});

for (const list of [[], [{ field: "title" }, null]]) {
  it(`fromJsonList reads a list of ${list.length} as it was written`, () => {
    expect(fromJsonList(toJsonList(list))).toEqual(list);
    expect(toJsonList(list)).toBe(toJson(list));
  });
}

it("toLiteral lets SQLite answer a query from a partial index", async () => {
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
