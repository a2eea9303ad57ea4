import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  CUP,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas, priceMinor, type StoreProduct } from "@catalog/contract";
import { type RunRecord, toIssue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { issuesOf, readReportedPage } from "../src/reported-rows.ts";
import { writeResultFiles } from "../src/result-files.ts";
import { EMPTY_SUMMARY } from "../src/run-summary.ts";
import { createRowViews, readTally, type RunTally, type ViewedRow } from "../src/run-view.ts";

const DECIDE = { tr: "Onay hücresine Evet yazın.", en: "Write Yes in its Approve cell." };
const HELD = createIssue({ code: "E_GUARD_PRICE_DROP", suggestion: DECIDE });

it("replaces the advice to approve a row that was given up", () => {
  const issues = issuesOf({ kind: "import" }, { state: "cancelled", issues: [HELD, HELD] });

  const [first, second] = issues.map(({ suggestion }) => suggestion?.en);
  expect(first).toMatch(/given up.*import that file again/u);
  expect(second).toBeUndefined();
});

it("advises nothing about a row that a later feed has settled", () => {
  const [issue] = issuesOf({ kind: "sync" }, { state: "cancelled", issues: [HELD] });

  expect(issue).not.toHaveProperty("suggestion");
});

it("keeps the advice on a row that waits", () => {
  expect(issuesOf({ kind: "import" }, { state: "held", issues: [HELD] })).toEqual([HELD]);
});

it("leaves the advice out of the result files", async () => {
  const { connection, folder } = await createTestConnection();
  const reportDir = join(folder, "sonuc");
  const row = { cells: ["KOD-1"], state: "held", issues: [HELD] } as const;
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows: [row], reportDir });
  const cancelled = { to: "cancelled", cause: "released-cancel" } as const;
  await connection.journal.recordOutcome({ runId: run.id, row: 2, from: "held" }, cancelled);

  await writeResultFiles(connection, run);

  const text = readFileSync(join(reportDir, "result.csv"), "utf8");
  expect(text).toContain("Satırdan vazgeçildi");
  expect(text).not.toContain("Evet");
});

const ID = idSchemas.product.parse("p-1");
const GUARD = createIssue({ code: "E_GUARD_PRICE_DROP", row: 3 });

const toHeld = (row: number, code: string): StoredRow => ({
  cells: [`A-${row}`],
  action: "update",
  state: "held",
  payload: { product_id: ID, stock_count: 3 },
  issues: [createIssue({ code, row, message: { tr: `Fiyat ${row}`, en: "" } })],
});

/** An add, an update that a guard holds, and an update of the stock. */
async function view(): Promise<{ readonly rows: readonly ViewedRow[]; readonly tally: RunTally }> {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, {
    header: ["Ürün Kodu"],
    rows: [
      { cells: ["A-1"], action: "add", payload: CUP },
      {
        cells: ["A-2"],
        state: "held",
        action: "update",
        payload: { product_id: ID, price: priceMinor.parse(8_050) },
        changes: [{ field: "price", old: 16_100, new: 8_050 }],
        issues: [GUARD],
      },
      {
        cells: ["A-3"],
        action: "update",
        payload: { product_id: ID, stock_count: 3 },
        changes: [{ field: "stock_count", old: 4, new: 3 }],
      },
    ],
  });
  const rows = await readReportedPage(connection, run, { after: 0, limit: 10 });
  return {
    rows: await createRowViews(connection, run, "tr")(rows),
    tally: await readTally(connection, run, "tr"),
  };
}

interface DiscountedRow {
  readonly seen: Partial<StoreProduct>;
  /** The new price in minor units. */
  readonly next: number;
}

/** Updates of the price of products that the store shows at 3.990,00 and with a discount. */
async function viewPrices(products: readonly DiscountedRow[]): Promise<readonly ViewedRow[]> {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, {
    header: ["Ürün Kodu"],
    rows: products.map(({ next }, index) => ({
      cells: [`A-${index}`],
      action: "update",
      payload: { product_id: ID, price: priceMinor.parse(next) },
      changes: [{ field: "price", old: 399_000, new: next }],
    })),
  });
  await connection.verificationLog.saveBefore(
    run.id,
    products.map(({ seen }, index) => ({
      row: index + 2,
      product: { id: ID, price: 399_000, ...seen },
    })),
  );
  const known = { ...run, facts: KNOWN_UNIT };
  const rows = await readReportedPage(connection, known, { after: 0, limit: 10 });
  return await createRowViews(connection, known, "tr")(rows);
}

const KNOWN_UNIT: RunRecord["facts"] = {
  readBy: "lookups",
  priceUnit: "minor",
  planned: EMPTY_SUMMARY.planned,
};

describe("rows for a page", () => {
  it("have all values of an add, and the old and new values of an update", async () => {
    const { rows } = await view();

    expect(rows.map(({ row, title }) => [row, title])).toEqual([
      [2, CUP.title],
      [3, null],
      [4, null],
    ]);
    expect(rows[0]?.changes).toContainEqual({
      field: "stock_count",
      label: "Stok",
      before: null,
      after: String(CUP.stock_count),
      percent: null,
    });
    expect(rows[1]?.changes).toEqual([
      { field: "price", label: "Fiyat", before: "161,00", after: "80,50", percent: -50 },
    ]);
    expect(rows[2]?.changes).toMatchObject([{ before: "4", after: "3", percent: null }]);
  });

  it("tell first what the buyer pays where the store sells at a discount", async () => {
    const rows = await viewPrices([
      { seen: { has_discount: true, discount_type: 3, discount_value: 345_000 }, next: 355_189 },
      { seen: { has_discount: true, discount_type: 2, discount_value: 10 }, next: 355_189 },
      { seen: { has_discount: true, discount_type: 3, discount_value: 345_000 }, next: 344_810 },
      { seen: { has_discount: false }, next: 355_189 },
    ]);

    const told = rows.map(({ changes }) =>
      changes.map(({ label, before, after, percent }) => [
        label,
        before,
        after,
        percent === null ? null : Math.round(percent),
      ]),
    );
    expect(told).toEqual([
      [
        ["Alıcının ödediği", "3.450,00", "3.450,00", null],
        ["İndirimsiz fiyat", "3.990,00", "3.551,89", null],
      ],
      [
        ["Alıcının ödediği", "3.591,00", "3.196,70", -11],
        ["İndirimsiz fiyat", "3.990,00", "3.551,89", null],
      ],
      [
        ["Alıcının ödediği", "3.450,00", "belli değil", null],
        ["İndirimsiz fiyat", "3.990,00", "3.448,10", null],
      ],
      [["Fiyat", "3.990,00", "3.551,89", -11]],
    ]);
  });

  it("are all among those that wait for a person, whatever holds them", async () => {
    const { connection } = await createTestConnection();
    const add = { action: "add", payload: CUP, state: "held" } as const;
    const run = await storeRun(connection, {
      header: ["Ürün Kodu"],
      rows: [
        { ...add, cells: ["A-0"], issues: [createIssue({ code: "E_GUARD_DISCOUNT", row: 2 })] },
        { ...add, cells: ["A-1"], issues: [createIssue({ code: "E_CODE_SUSPECT", row: 2 })] },
        { ...add, cells: ["A-2"], issues: [GUARD] },
        { ...add, cells: ["A-3"], issues: [] },
        { cells: ["A-4"], action: "add", payload: CUP, issues: [GUARD] },
      ],
    });

    const { held } = await readTally(connection, run, "tr");

    expect(held).toMatchObject([
      { group: "alike", rows: 1 },
      { group: "price-drop", rows: 1 },
      { group: "discount-price", rows: 1 },
      { group: "other", rows: 1 },
    ]);
  });

  it("have each code once among their reasons, however many texts it has", async () => {
    const { connection } = await createTestConnection();
    const run = await storeRun(connection, {
      header: ["Ürün Kodu"],
      rows: [
        ...[2, 3, 4, 5, 6].map((row) => toHeld(row, "E_GUARD_PRICE_DROP")),
        ...[7, 8].map((row) => toHeld(row, "E_CHANGED")),
        toHeld(9, "E_UNCLEAR"),
      ],
    });

    const { reasons } = await readTally(connection, run, "tr");

    expect(reasons).toEqual([
      { code: "E_GUARD_PRICE_DROP", label: "Fiyat çok düşüyor", rows: 5 },
      { code: "E_CHANGED", label: "Fiyat 7 (ve benzerleri)", rows: 2 },
      { code: "E_UNCLEAR", label: "Fiyat 9", rows: 1 },
    ]);
  });

  it("tell of a stock that an undo empties as done once it is done", async () => {
    const { connection } = await createTestConnection();
    const emptied = { action: "update", payload: { product_id: ID, stock_count: 0 } } as const;
    const { sheet, column, cell, value } = GUARD;
    const issues = [toIssue("W_UNDO_ADD_EMPTIED", { sheet, row: GUARD.row, column, cell, value })];
    const run = await storeRun(connection, {
      header: ["Ürün Kodu"],
      rows: [
        {
          ...emptied,
          cells: ["A-1"],
          issues,
          outcome: { to: "done", cause: "answer", productId: ID },
        },
        { ...emptied, cells: ["A-2"], issues },
      ],
    });

    const rows = await readReportedPage(connection, run, { after: 0, limit: 10 });

    const told = rows.map((row) => row.issues[0]?.message.tr.split(" ").slice(-2).join(" "));
    expect(told).toEqual(["0 oldu.", "0 olacak."]);
  });

  it("are counted by guard, changed field and reason", async () => {
    const { tally } = await view();

    expect(tally.held).toMatchObject([{ group: "price-drop", rows: 1 }]);
    expect(tally.fields).toEqual([{ field: "stock_count", rows: 1 }]);
    expect(tally.reasons).toMatchObject([{ code: GUARD.code, rows: 1 }]);
    expect(tally.sent).toContainEqual(
      expect.objectContaining({ action: "update", field: "price", rows: 1 }),
    );
  });
});
