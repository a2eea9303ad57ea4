import type { ParsedRow, RowDecision, RowRecord } from "@catalog/runs";
import { appendRow, appendRowIn, toDecision, toPayload, toProductId } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

const RUN = "run-1";

const parsed = (row: number, codeKey: string | null, price = 1): ParsedRow => ({
  row,
  cells: [codeKey, price],
  code: codeKey,
  codeKey,
});

const stateOf = (row: number): "ready" | "held" => (row % 2 === 0 ? "ready" : "held");

const rowsOf = (records: readonly Pick<RowRecord, "row">[]): number[] =>
  records.map(({ row }) => row);

/** A row that takes its title and an image from another one. */
const variant = (row: number, parentRow: number): ParsedRow => ({
  ...parsed(row, "A"),
  joined: {
    role: "variant",
    parentRow,
    cells: { 1: { row: parentRow, value: `Ürün ${parentRow}`, format: "@" } },
    images: [{ row: parentRow, index: 2, value: "https://o.example/1.jpg" }],
  },
});

/** Contract tests of rows from the sheet to their decision. */
export function testRowRepository(create: CreateJournal): void {
  describe("appendRows", () => {
    it("keeps what a row takes from other rows of its product", async () => {
      const { journal } = await create();

      await journal.appendRows(RUN, [variant(3, 2), parsed(4, "B")]);

      const rows = await journal.readRows(RUN, { limit: 10 });
      expect(rows.map((row) => row.joined)).toEqual([variant(3, 2).joined, undefined]);
    });

    it("keeps cells, traits, formats and code as they were read", async () => {
      const { journal } = await create();
      const row: ParsedRow = {
        row: 2,
        cells: ["0012", 12.5, true, null, "", "İğdır\n'=1+1"],
        traits: { 1: "formula", 3: "error" },
        formats: { 1: "[$USD] 0.00", 2: '"TR"0000' },
        code: " a-1 ",
        codeKey: "a-1",
      };

      await journal.appendRows(RUN, [row, { ...parsed(3, null), traits: undefined }]);

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
      expect(await journal.readRows(RUN, { limit: 10 })).toEqual([
        { ...row, ...fresh },
        { ...parsed(3, null), ...fresh },
      ]);
    });

    it("appends all of its rows or none", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [parsed(3, "C")]);

      const appending = journal.appendRows(RUN, [parsed(2, "B"), parsed(3, "C"), parsed(4, "D")]);

      await expect(appending).rejects.toThrow();
      expect(rowsOf(await journal.readRows(RUN, { limit: 10 }))).toEqual([3]);
    });
  });

  describe("decideRows", () => {
    it("keeps the decision without the names of fields that are not sent", async () => {
      const { journal, clock } = await create();
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
      await journal.appendRows(RUN, [parsed(2, "A"), parsed(3, "B")]);
      await clock.advance(500);

      await journal.saveDecisions(RUN, [{ ...decision, unsent: ["discount"] }]);

      const [decided, waiting] = await journal.readRows(RUN, { limit: 10 });
      const rest = { attempts: 0, note: null, updatedAtMs: 1_500 };
      expect(decided).toEqual({ ...parsed(2, "A"), ...decision, ...rest });
      expect(waiting).toMatchObject({ row: 3, state: "parsed", updatedAtMs: 1_000 });
    });

    it("appends an event of the plan for each row", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [parsed(2, "A"), parsed(3, "B")]);

      await journal.saveDecisions(RUN, [
        toDecision({ row: 3 }, "held"),
        toDecision({ row: 2 }, "ready"),
      ]);

      const [ready] = await journal.readEvents({ runId: RUN, row: 2 });
      const [held] = await journal.readEvents({ runId: RUN, row: 3 });
      const plan = { from: "parsed", cause: "plan", evidence: {}, atMs: 1_000 };
      expect([held, ready]).toMatchObject([
        { ...plan, to: "held" },
        { ...plan, to: "ready" },
      ]);
      expect(held?.seq).toBeLessThan(ready?.seq ?? 0);
    });

    it("decides all rows or none", async () => {
      const { journal } = await create();
      await appendRow(journal, { runId: RUN, row: 1 });
      await appendRowIn(journal, { runId: RUN, row: 2 }, "skipped");

      const deciding = journal.saveDecisions(RUN, [
        toDecision({ row: 1 }, "ready"),
        toDecision({ row: 2 }, "ready"),
      ]);

      await expect(deciding).rejects.toThrow("row 2 of run-1 is not waiting for a decision");
      const records = await journal.readRows(RUN, { limit: 10 });
      expect(records.map(({ state }) => state)).toEqual(["parsed", "skipped"]);
      expect(await journal.readEvents({ runId: RUN, row: 1 })).toEqual([]);
    });

    it("decides no row when one row is decided twice", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [parsed(2, "A"), parsed(3, "B")]);

      const deciding = journal.saveDecisions(RUN, [
        toDecision({ row: 2 }, "ready"),
        toDecision({ row: 3 }, "ready"),
        toDecision({ row: 2 }, "held"),
      ]);

      await expect(deciding).rejects.toThrow("row 2 of run-1 is not waiting for a decision");
      const records = await journal.readRows(RUN, { limit: 10 });
      expect(records.map(({ state }) => state)).toEqual(["parsed", "parsed"]);
    });

    it("refuses to decide a row that does not exist", async () => {
      const { journal } = await create();

      const deciding = journal.saveDecisions(RUN, [toDecision({ row: 9 }, "ready")]);

      await expect(deciding).rejects.toThrow("row 9 of run-1 is not waiting");
    });

    it("decides a row by its number among many rows", async () => {
      const { journal } = await create();
      const rows = Array.from({ length: 120 }, (_, at) => at + 2);
      await journal.appendRows(
        RUN,
        rows.map((row) => parsed(row, `C-${row}`)),
      );

      await journal.saveDecisions(
        RUN,
        rows.map((row) => toDecision({ row }, stateOf(row))),
      );

      const records = await journal.readRows(RUN, { limit: 200 });
      expect(records.map(({ row, state, code }) => [row, state, code])).toEqual(
        rows.map((row) => [row, stateOf(row), `C-${row}`]),
      );
    });
  });

  describe("readRows", () => {
    it("reads rows in the order of the sheet, from a row number on and up to a limit", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [parsed(10, "A"), parsed(9, "B"), parsed(100, "C")]);

      expect(rowsOf(await journal.readRows(RUN, { limit: 10 }))).toEqual([9, 10, 100]);
      expect(rowsOf(await journal.readRows(RUN, { limit: 2 }))).toEqual([9, 10]);
      expect(rowsOf(await journal.readRows(RUN, { after: 10, limit: 2 }))).toEqual([100]);
    });

    it("reads only the given states, and nothing for an empty list of states", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { runId: RUN, row: 1 }, "held");
      await appendRowIn(journal, { runId: RUN, row: 2 }, "ready");
      await appendRowIn(journal, { runId: RUN, row: 3 }, "invalid");

      const read = async (states: readonly RowRecord["state"][]): Promise<number[]> =>
        rowsOf(await journal.readRows(RUN, { states, limit: 10 }));

      expect(await read(["ready"])).toEqual([2]);
      expect(await read(["invalid", "held"])).toEqual([1, 3]);
      expect(await read([])).toEqual([]);
    });

    it("reads only the given action", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { runId: RUN, row: 1 }, "ready");
      await appendRowIn(journal, { runId: RUN, row: 2, productId: "p-2" }, "ready");

      const read = async (action: "add" | "update"): Promise<number[]> =>
        rowsOf(await journal.readRows(RUN, { action, limit: 10 }));

      expect([await read("add"), await read("update")]).toEqual([[1], [2]]);
    });

    it("reads the codes of the same rows, decided or not", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [parsed(2, "B"), parsed(3, null), parsed(4, "D")]);
      await journal.saveDecisions(RUN, [
        toDecision({ row: 3 }, "invalid"),
        toDecision({ row: 4 }, "held"),
      ]);

      const codes = await journal.readCodes(RUN, { after: 2, limit: 10 });

      expect(codes).toEqual([
        { row: 3, code: null, codeKey: null },
        { row: 4, code: "D", codeKey: "D" },
      ]);
      expect(rowsOf(await journal.readCodes(RUN, { limit: 2 }))).toEqual([2, 3]);
      expect(rowsOf(await journal.readCodes(RUN, { states: ["parsed"], limit: 9 }))).toEqual([2]);
      expect(await journal.readCodes("run-2", { limit: 9 })).toEqual([]);
    });

    it("passes over rows without issues where only those with issues are wanted", async () => {
      const { journal } = await create();
      await journal.appendRows(
        RUN,
        [2, 3, 4, 5, 6].map((row) => parsed(row, `C-${row}`)),
      );
      const issue = { sheet: "", column: "", cell: "", value: "" };
      const text = { tr: "Yanlış.", en: "Wrong." };
      const withIssue = (row: number) => [{ ...issue, row, code: "E_X", message: text }];
      await journal.saveDecisions(RUN, [
        { ...toDecision({ row: 2 }, "invalid"), action: null, payload: null, issues: [] },
        { ...toDecision({ row: 3 }, "invalid"), action: null, payload: null, issues: withIssue(3) },
        { ...toDecision({ row: 4 }, "held"), issues: withIssue(4) },
        { ...toDecision({ row: 5 }, "ready"), issues: [] },
      ]);

      const rows = await journal.readRows(RUN, { mayHaveIssues: true, limit: 10 });

      expect(rowsOf(rows)).toEqual([3, 4]);
    });

    it("reads no row of another run", async () => {
      const { journal } = await create();
      await journal.appendRows("run-2", [parsed(1, "A")]);

      expect(await journal.readRows(RUN, { limit: 10 })).toEqual([]);
    });
  });

  describe("countRows", () => {
    it("counts the rows of one run by state and action", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { runId: RUN, row: 1 }, "ready");
      await appendRowIn(journal, { runId: RUN, row: 2 }, "ready");
      await appendRowIn(journal, { runId: RUN, row: 3, productId: "p" }, "ready");
      await appendRowIn(journal, { runId: RUN, row: 4 }, "parsed");
      await appendRowIn(journal, { runId: "run-2", row: 5 }, "ready");

      const counts = await journal.countRows(RUN);

      expect(counts).toHaveLength(3);
      expect(counts).toEqual(
        expect.arrayContaining([
          { state: "ready", action: "add", rows: 2 },
          { state: "ready", action: "update", rows: 1 },
          { state: "parsed", action: null, rows: 1 },
        ]),
      );
      expect(await journal.countRows("run-3")).toEqual([]);
    });
  });

  describe("readDuplicates", () => {
    it("tells rows with equal cells from rows that only share their code", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [
        parsed(30, "same"),
        parsed(4, "same"),
        parsed(5, "same"),
        parsed(6, "different", 1),
        parsed(7, "different", 2),
        parsed(8, "alone"),
        parsed(9, null),
        parsed(10, null),
      ]);

      const duplicates = await journal.readDuplicates(RUN);

      expect(duplicates).toHaveLength(2);
      expect(duplicates).toEqual(
        expect.arrayContaining([
          { rows: [4, 5, 30], identical: true },
          { rows: [6, 7], identical: false },
        ]),
      );
    });

    it("tells apart rows whose equal numbers have different number formats", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [
        { ...parsed(2, "A"), formats: { 1: "[$USD] 0.00" } },
        parsed(3, "A"),
        { ...parsed(4, "B"), formats: { 1: "0.00" } },
        { ...parsed(5, "B"), formats: { 1: "0.00" } },
      ]);

      const duplicates = await journal.readDuplicates(RUN);

      expect(duplicates.toSorted((a, b) => Number(a.rows[0]) - Number(b.rows[0]))).toEqual([
        { rows: [2, 3], identical: false },
        { rows: [4, 5], identical: true },
      ]);
    });

    it("tells apart equal rows that take values from different products", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [variant(2, 1), variant(3, 9), variant(4, 9)]);
      await journal.appendRows("run-2", [variant(2, 1), variant(3, 1)]);

      const [found, same] = [
        await journal.readDuplicates(RUN),
        await journal.readDuplicates("run-2"),
      ];

      expect(found).toEqual([{ rows: [2, 3, 4], identical: false }]);
      expect(same).toEqual([{ rows: [2, 3], identical: true }]);
    });

    it("does not compare rows of different runs", async () => {
      const { journal } = await create();
      await journal.appendRows(RUN, [parsed(1, "A")]);
      await journal.appendRows("run-2", [parsed(2, "A")]);

      expect(await journal.readDuplicates(RUN)).toEqual([]);
    });
  });
}
