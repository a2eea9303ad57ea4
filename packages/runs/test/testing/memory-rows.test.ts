import { describe, expect, it } from "vitest";

import { type RowFilter } from "../../src/journal.ts";
import { createMemoryJournal } from "../../src/testing.ts";
import { RUN } from "../helpers/products.ts";
import { parsedRow, readRow, readStates, toAdd } from "../helpers/rows.ts";

describe("a memory journal's rows", () => {
  it("are parsed, with nothing decided", async () => {
    const journal = createMemoryJournal();

    await journal.appendRows(RUN, [parsedRow(2, "A1", ["A1", 5])]);

    expect(await readRow(journal, 2)).toEqual({
      row: 2,
      cells: ["A1", 5],
      code: "A1",
      codeKey: "a1",
      state: "parsed",
      action: null,
      productId: null,
      payload: null,
      changes: [],
      issues: [],
      attempts: 0,
      note: null,
      updatedAtMs: 0,
    });
  });

  it("cannot be appended twice", async () => {
    const journal = createMemoryJournal();
    await journal.appendRows(RUN, [parsedRow(2, "A1")]);

    await expect(journal.appendRows(RUN, [parsedRow(2, "A2")])).rejects.toThrow("row 2 already");
  });

  it("come in the order of the sheet, some at a time, and of the states asked for", async () => {
    const journal = createMemoryJournal();
    await journal.appendRows(
      RUN,
      [9, 2, 5, 7].map((row) => parsedRow(row, `A${row}`)),
    );
    await journal.decideRows(RUN, [toAdd(5, "A5"), toAdd(9, "A9")]);
    const numbers = async (filter: RowFilter): Promise<readonly number[]> =>
      (await journal.readRows(RUN, filter)).map(({ row }) => row);

    expect(await numbers({ limit: 9 })).toEqual([2, 5, 7, 9]);
    expect(await numbers({ limit: 2, after: 2 })).toEqual([5, 7]);
    expect(await numbers({ limit: 9, states: ["ready"] })).toEqual([5, 9]);
    expect(await numbers({ limit: 9, states: [] })).toEqual([]);
  });

  it("are counted by state and action", async () => {
    const journal = createMemoryJournal();
    await journal.appendRows(RUN, [parsedRow(2, "A1"), parsedRow(3, "A2"), parsedRow(4, "A3")]);
    await journal.decideRows(RUN, [toAdd(2, "A1"), toAdd(3, "A2")]);

    expect(await journal.countRows(RUN)).toEqual([
      { state: "ready", action: "add", rows: 2 },
      { state: "parsed", action: null, rows: 1 },
    ]);
    expect(await journal.countRows("r-9")).toEqual([]);
  });

  it("are decided all or none", async () => {
    const journal = createMemoryJournal();
    await journal.appendRows(RUN, [parsedRow(2, "A1"), parsedRow(3, "A2")]);
    await journal.decideRows(RUN, [toAdd(3, "A2")]);

    const deciding = journal.decideRows(RUN, [toAdd(2, "A1"), toAdd(3, "A2")]);

    await expect(deciding).rejects.toThrow("row 3 of r-1 is not parsed");
    expect(await readStates(journal)).toEqual(["2: parsed", "3: ready"]);
  });

  it("tell which codes occur more than once, and whether their cells are the same", async () => {
    const journal = createMemoryJournal();
    await journal.appendRows(RUN, [
      parsedRow(2, "A1", ["A1", 1]),
      parsedRow(3, " a1", ["A1", 1]),
      parsedRow(4, "A2", ["A2", 1]),
      parsedRow(5, "A2", ["A2", 2]),
      parsedRow(6, "A3"),
      parsedRow(7, null),
      parsedRow(8, null),
      { ...parsedRow(9, "A4", ["A4", 1]), formats: { 1: "0.00" } },
      { ...parsedRow(10, "A4", ["A4", 1]), formats: { 1: "[$USD] 0.00" } },
    ]);

    expect(await journal.readDuplicates(RUN)).toEqual([
      { rows: [2, 3], identical: true },
      { rows: [4, 5], identical: false },
      { rows: [9, 10], identical: false },
    ]);
  });
});
