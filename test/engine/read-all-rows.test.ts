import { readAllRows } from "@catalog/runs";
import { RUN } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { openPlanFixture } from "./helpers/plan-fixture.ts";

const CODES = ["A2", "A3", "A4", "A5", "A6"];

describe("readAllRows", () => {
  it("yields every row of a run once, in batches and in the order of the sheet", async () => {
    const { journal } = await openPlanFixture(CODES);

    const batches = await Array.fromAsync(readAllRows(journal, RUN, {}, 2));

    expect(batches.map((rows) => rows.map(({ row }) => row))).toEqual([[2, 3], [4, 5], [6]]);
  });

  it("continues behind rows that have left the given state meanwhile", async () => {
    const { journal, planAll } = await openPlanFixture(CODES);
    const rows: number[] = [];

    for await (const batch of readAllRows(journal, RUN, { states: ["parsed"] }, 2)) {
      rows.push(...batch.map(({ row }) => row));
      if (rows.length === 2) await planAll();
    }

    expect(rows).toEqual([2, 3]);
  });

  it("yields nothing for a run without rows", async () => {
    const { journal } = await openPlanFixture([]);

    expect(await Array.fromAsync(readAllRows(journal, RUN))).toEqual([]);
  });
});
