import type { OutcomeKind, RowOutcome } from "@catalog/report";
import { expect, it } from "vitest";

import {
  type ComparedRows,
  comparePlans,
  createCompare,
} from "../../../src/server/team/compare-plans.ts";

/** A row as `number kind values`, such as `2 update 120`. */
const toOutcome = (text: string): RowOutcome => {
  const [row = "", kind = "", values = ""] = text.split(" ");
  const kinds: readonly OutcomeKind[] = ["add", "update", "unchanged", "held", "failed"];
  return { row: Number(row), kind: kinds.find((each) => each === kind) ?? "cancelled", values };
};

async function* batchesOf(
  rows: readonly string[],
  size = 2,
): AsyncGenerator<readonly RowOutcome[]> {
  for (let at = 0; at < rows.length; at += size) {
    yield rows.slice(at, at + size).map(toOutcome);
  }
}

const show = (rows: ComparedRows) =>
  Object.fromEntries(Object.entries(rows).map(([name, numbers]) => [name, [...numbers]]));

const CASES: readonly (readonly [
  name: string,
  plans: readonly (readonly string[])[],
  differs: readonly number[],
])[] = [
  ["no rows at all", [[], []], []],
  [
    "equal plans",
    [
      ["2 add 1", "3 update 1"],
      ["2 add 1", "3 update 1"],
    ],
    [],
  ],
  ["another value", [["2 update 120"], ["2 update 110"]], [2]],
  ["another action", [["2 add 1"], ["2 update 1"]], [2]],
  ["a held row", [["2 update 1"], ["2 held 1"]], [2]],
  ["nothing to change", [["2 update 1"], ["2 unchanged"]], [2]],
  ["a row that is wrong in one", [["2 failed"], ["2 add 1"]], [2]],
  ["a row that is wrong in both", [["2 failed"], ["2 failed"]], []],
  ["a row that one store lacks", [["2 add 1", "4 add 1"], ["4 add 1"]], [2]],
  ["a last row that one store lacks", [["2 add 1"], ["2 add 1", "9 add 1"]], [9]],
  ["the third of three", [["2 add 1"], ["2 add 1"], ["2 add 2"]], [2]],
  ["one plan", [["2 add 1", "3 held 1"]], []],
];

it.each(CASES)("finds rows that differ: %s", async (_name, plans, differs) => {
  const rows = await comparePlans(plans.map((plan) => batchesOf(plan)));

  expect([...rows.differs]).toEqual(differs);
});

it("lists rows that are held or wrong in any store, and all rows once, in their order", async () => {
  const rows = await comparePlans([
    batchesOf(["2 held 1", "3 add 1", "5 failed"], 1),
    batchesOf(["2 update 1", "4 held 1", "5 failed"], 3),
  ]);

  expect(show(rows)).toEqual({
    all: [2, 3, 4, 5],
    differs: [2, 3, 4],
    held: [2, 4],
    failed: [5],
  });
});

it("reads a store no further than the others", async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `${at + 1} add 1`);
  const read = [0, 0];
  let widest = 0;
  const counted = async function* counted(at: number): AsyncGenerator<readonly RowOutcome[]> {
    for await (const batch of batchesOf(rows, 10)) {
      read[at] = (read[at] ?? 0) + batch.length;
      widest = Math.max(widest, Math.abs((read[0] ?? 0) - (read[1] ?? 0)));
      yield batch;
    }
  };

  const { all } = await comparePlans([counted(0), counted(1)]);

  expect([all.length, widest]).toEqual([1_000, 10]);
});

it("compares the same plans once, also for requests at the same time, and again after a failure", async () => {
  const compare = createCompare();
  let count = 0;
  const read = (isBroken: boolean) =>
    async function* rows() {
      count += 1;
      if (isBroken) throw new Error("the database is away");
      yield ["2 add 1"].map(toOutcome);
    };

  await expect(compare(1, "a", [read(true)])).rejects.toThrow("away");
  const both = await Promise.all([compare(1, "a", [read(false)]), compare(1, "a", [read(false)])]);
  await compare(1, "a", [read(false)]);
  const counts = [count];
  await compare(1, "b", [read(false)]);

  expect(both.map(({ all }) => Array.from(all))).toEqual([[2], [2]]);
  expect([...counts, count]).toEqual([2, 3]);
});
