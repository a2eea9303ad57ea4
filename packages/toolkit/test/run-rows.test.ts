import { describe, expect, it } from "vitest";

import { readRecords } from "../src/run-rows.ts";
import { storeRun, type StoredRow } from "./helpers/stored-run.ts";
import { createWorkplace } from "./helpers/workplace.ts";

describe("readRecords", () => {
  it("gives every row once, in the order of the sheet, over batches", async () => {
    const { toolkit } = await createWorkplace();
    const rows = Array.from({ length: 1001 }, (_, index): StoredRow => ({ cells: [index] }));
    const run = await storeRun(toolkit, { header: ["Kod"], rows });

    const records = await Array.fromAsync(readRecords(toolkit, run));

    expect(records.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 2));
  });

  it("gives only rows in the states that are asked for", async () => {
    const { toolkit } = await createWorkplace();
    const run = await storeRun(toolkit, {
      header: ["Kod"],
      rows: [
        { cells: ["A"], state: "invalid" },
        { cells: ["B"] },
        { cells: ["C"], state: "held" },
        { cells: ["D"], state: "invalid" },
      ],
    });

    const records = await Array.fromAsync(readRecords(toolkit, run, ["invalid", "held"]));

    expect(records.map(({ row, state }) => [row, state])).toEqual([
      [2, "invalid"],
      [4, "held"],
      [5, "invalid"],
    ]);
  });
});
