import { type ParsedRow, type RowDecision, type RowRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-store.ts";
import { openRaw } from "../helpers/raw.ts";
import {
  appendRow,
  appendRowIn,
  newRun,
  toDecision,
  toPayload,
  toProductId,
} from "../helpers/runs-and-rows.ts";

const parsed = (row: number, codeKey: string | null, price = 1): ParsedRow => ({
  row,
  cells: [codeKey, price],
  code: codeKey,
  codeKey,
});

const rowsOf = (records: readonly RowRecord[]): number[] => records.map(({ row }) => row);

describe("appendRows", () => {
  it("keeps cells, traits, formats and code as they were read", async () => {
    const { journal } = await openStore();
    const row: ParsedRow = {
      row: 2,
      cells: ["0012", 12.5, true, null, "", "İğdır\n'=1+1"],
      traits: { 1: "formula", 3: "error" },
      formats: { 1: "[$USD] 0.00", 2: '"TR"0000' },
      code: " a-1 ",
      codeKey: "a-1",
    };

    await journal.appendRows("run-1", [row, { ...parsed(3, null), traits: undefined }]);

    const records = await journal.readRows("run-1", { limit: 10 });
    const fresh = {
      state: "parsed",
      action: null,
      productId: null,
      payload: null,
      changes: [],
      issues: [],
      attempts: 0,
      note: null,
      updatedAtMs: 1_000,
    };
    expect(records).toEqual([
      { ...row, ...fresh },
      { ...parsed(3, null), ...fresh },
    ]);
  });

  it("appends all of its rows or none", async () => {
    const { journal } = await openStore();
    await journal.appendRows("run-1", [parsed(3, "C")]);

    await expect(
      journal.appendRows("run-1", [parsed(2, "B"), parsed(3, "C"), parsed(4, "D")]),
    ).rejects.toThrow("UNIQUE");

    expect(rowsOf(await journal.readRows("run-1", { limit: 10 }))).toEqual([3]);
  });

  it("refuses a run that the store does not have", async () => {
    const { journal } = await openStore();

    await expect(journal.appendRows("run-9", [parsed(1, "A")])).rejects.toThrow(
      "this store has no run run-9",
    );
  });
});

describe("decideRows", () => {
  it("keeps what was decided", async () => {
    const { journal, clock } = await openStore();
    const decision: RowDecision = {
      row: 2,
      state: "ready",
      action: "update",
      productId: toProductId("p-1"),
      payload: toPayload({ product_id: "p-1", price: 1990 }),
      changes: [{ field: "price", old: 10, new: 19.9 }],
      issues: [
        {
          code: "W_PRICE",
          sheet: "Ürünler",
          row: 2,
          column: "Fiyat",
          cell: "B2",
          value: "19,90",
          message: { tr: "Fiyat değişti", en: "The price has changed" },
        },
      ],
    };
    await journal.appendRows("run-1", [parsed(2, "A"), parsed(3, "B")]);
    await clock.advance(500);

    await journal.decideRows("run-1", [decision]);

    expect(await journal.readRows("run-1", { limit: 10 })).toMatchObject([
      { ...decision, code: "A", updatedAtMs: 1_500 },
      { row: 3, state: "parsed", updatedAtMs: 1_000 },
    ]);
  });

  it("leaves an event for each row", async () => {
    const { journal, path } = await openStore();
    await journal.appendRows("run-1", [parsed(2, "A"), parsed(3, "B")]);

    await journal.decideRows("run-1", [
      toDecision({ row: 3 }, "held"),
      toDecision({ row: 2 }, "ready"),
    ]);

    expect(
      openRaw(path).rows("SELECT row_no, from_state, to_state, cause, at_ms FROM event"),
    ).toEqual([
      { row_no: 3, from_state: "parsed", to_state: "held", cause: "plan", at_ms: 1_000 },
      { row_no: 2, from_state: "parsed", to_state: "ready", cause: "plan", at_ms: 1_000 },
    ]);
  });

  it("decides all rows or none", async () => {
    const { journal, path } = await openStore();
    await appendRow(journal, { runId: "run-1", row: 1 });
    await appendRowIn(journal, { runId: "run-1", row: 2 }, "skipped");
    const events = openRaw(path).rows("SELECT * FROM event");

    await expect(
      journal.decideRows("run-1", [
        toDecision({ row: 1 }, "ready"),
        toDecision({ row: 2 }, "ready"),
      ]),
    ).rejects.toThrow("row 2 of run-1 is not waiting for a decision");

    const records = await journal.readRows("run-1", { limit: 10 });
    expect(records.map(({ state }) => state)).toEqual(["parsed", "skipped"]);
    expect(openRaw(path).rows("SELECT * FROM event")).toEqual(events);
  });

  it("refuses a row that is decided twice", async () => {
    const { journal } = await openStore();
    await journal.appendRows("run-1", [parsed(2, "A"), parsed(3, "B")]);

    await expect(
      journal.decideRows("run-1", [
        toDecision({ row: 2 }, "ready"),
        toDecision({ row: 3 }, "ready"),
        toDecision({ row: 2 }, "held"),
      ]),
    ).rejects.toThrow("row 2 of run-1 is not waiting for a decision");
  });

  it("finds a decided row among many by its number", async () => {
    const { journal } = await openStore();
    const rows = Array.from({ length: 120 }, (_, at) => at + 2);
    await journal.appendRows(
      "run-1",
      rows.map((row) => parsed(row, `C-${row}`)),
    );

    await journal.decideRows(
      "run-1",
      rows.map((row) => toDecision({ row }, row % 2 === 0 ? "ready" : "held")),
    );

    const records = await journal.readRows("run-1", { limit: 200 });
    expect(records.map(({ row, state, code }) => [row, state, code])).toEqual(
      rows.map((row) => [row, row % 2 === 0 ? "ready" : "held", `C-${row}`]),
    );
  });

  it("refuses rows and runs that are not there", async () => {
    const { journal } = await openStore();

    await expect(journal.decideRows("run-1", [toDecision({ row: 9 }, "ready")])).rejects.toThrow(
      "row 9 of run-1 is not waiting",
    );
    await expect(journal.decideRows("run-9", [])).rejects.toThrow("this store has no run run-9");
  });
});

describe("readRows", () => {
  it("reads in the order of the sheet, from a row on, some at a time", async () => {
    const { journal } = await openStore();
    await journal.appendRows("run-1", [parsed(10, "A"), parsed(9, "B"), parsed(100, "C")]);

    expect(rowsOf(await journal.readRows("run-1", { limit: 10 }))).toEqual([9, 10, 100]);
    expect(rowsOf(await journal.readRows("run-1", { limit: 2 }))).toEqual([9, 10]);
    expect(rowsOf(await journal.readRows("run-1", { after: 10, limit: 2 }))).toEqual([100]);
  });

  it("reads only the states that are asked for", async () => {
    const { journal } = await openStore();
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "held");
    await appendRowIn(journal, { runId: "run-1", row: 2 }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 3 }, "invalid");

    const read = async (states: readonly RowRecord["state"][]): Promise<number[]> =>
      rowsOf(await journal.readRows("run-1", { states, limit: 10 }));

    expect(await read(["ready"])).toEqual([2]);
    expect(await read(["invalid", "held"])).toEqual([1, 3]);
    expect(await read([])).toEqual([]);
  });

  it("reads only the action that is asked for", async () => {
    const { journal } = await openStore();
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 2, productId: "p-2" }, "ready");

    const read = async (action: RowRecord["action"] & string): Promise<number[]> =>
      rowsOf(await journal.readRows("run-1", { action, limit: 10 }));

    expect([await read("add"), await read("update")]).toEqual([[1], [2]]);
  });

  it("keeps runs apart", async () => {
    const { journal } = await openStore({ runs: ["run-1", "run-2"] });
    await journal.appendRows("run-2", [parsed(1, "A")]);

    expect(await journal.readRows("run-1", { limit: 10 })).toEqual([]);
  });
});

describe("countRows", () => {
  it("counts by state and action", async () => {
    const { journal, runLog } = await openStore();
    await runLog.create(newRun("run-2"));
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 2 }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 3, productId: "p" }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 4 }, "parsed");
    await appendRowIn(journal, { runId: "run-2", row: 5 }, "ready");

    const counts = await journal.countRows("run-1");

    expect(counts).toHaveLength(3);
    expect(counts).toEqual(
      expect.arrayContaining([
        { state: "ready", action: "add", rows: 2 },
        { state: "ready", action: "update", rows: 1 },
        { state: "parsed", action: null, rows: 1 },
      ]),
    );
  });
});

describe("readDuplicates", () => {
  it("tells rows that are the same from rows that only share their code", async () => {
    const { journal } = await openStore();
    await journal.appendRows("run-1", [
      parsed(30, "same"),
      parsed(4, "same"),
      parsed(5, "same"),
      parsed(6, "different", 1),
      parsed(7, "different", 2),
      parsed(8, "alone"),
      parsed(9, null),
      parsed(10, null),
    ]);

    const duplicates = await journal.readDuplicates("run-1");

    expect(duplicates).toHaveLength(2);
    expect(duplicates).toEqual(
      expect.arrayContaining([
        { rows: [4, 5, 30], identical: true },
        { rows: [6, 7], identical: false },
      ]),
    );
  });

  it("tells rows whose equal numbers are shown in another way", async () => {
    const { journal } = await openStore();
    await journal.appendRows("run-1", [
      { ...parsed(2, "A"), formats: { 1: "[$USD] 0.00" } },
      parsed(3, "A"),
      { ...parsed(4, "B"), formats: { 1: "0.00" } },
      { ...parsed(5, "B"), formats: { 1: "0.00" } },
    ]);

    const duplicates = await journal.readDuplicates("run-1");

    expect(duplicates.toSorted((a, b) => Number(a.rows[0]) - Number(b.rows[0]))).toEqual([
      { rows: [2, 3], identical: false },
      { rows: [4, 5], identical: true },
    ]);
  });

  it("does not look into other runs", async () => {
    const { journal } = await openStore({ runs: ["run-1", "run-2"] });
    await journal.appendRows("run-1", [parsed(1, "A")]);
    await journal.appendRows("run-2", [parsed(2, "A")]);

    expect(await journal.readDuplicates("run-1")).toEqual([]);
  });
});
