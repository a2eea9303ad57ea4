import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  readZipPart,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { readBiggestChanges } from "../../src/plan/biggest-changes.ts";
import { writePlanWorkbook } from "../../src/plan/plan-workbook.ts";
import { reportedRows } from "../../src/testing/reported-rows.ts";
import { factsOf } from "../helpers/facts.ts";

const price = (old: number, next: number): NonNullable<StoredRow["changes"]> => [
  { field: "price", old, new: next },
];

const ROWS: readonly StoredRow[] = [
  {
    cells: ["A", 1],
    changes: [...price(10_000, 9_000), { field: "brand_model", new: "=1+1" }],
  },
  {
    cells: ["B", 1],
    state: "held",
    changes: price(10_000, 1_000),
    issues: [createIssue({ code: "E_GUARD_PRICE_DROP" })],
  },
  { cells: ["C", 1], action: "add" },
  { cells: ["D", 1], state: "invalid", issues: [createIssue()] },
  { cells: ["E", 1], changes: [{ field: "stock_count", old: 4, new: 0 }] },
];

async function readSheet(path: string, name: string): Promise<readonly unknown[][]> {
  await using sheet = await openSheet({ path, sheet: name });
  const rows: unknown[][] = [];
  for await (const { cells } of sheet.rows()) rows.push([...cells]);
  return rows;
}

describe("the plan workbook", () => {
  it("states what was known when the plan was made, whatever is learned later", async () => {
    const { connection, folder } = await createTestConnection();
    const rows = [{ cells: ["E"], changes: [{ field: "stock_count", old: 4, new: 0 }] }];
    const stored = await storeRun(connection, { header: ["Kod"], rows, reportDir: folder });
    const capabilities = await connection.verificationLog.readCapabilities();
    const run = { ...stored, facts: factsOf({ capabilities }) };
    const before = readFileSync(
      await writePlanWorkbook(connection, run, reportedRows(connection, run)),
    );
    const proven = { action: "update", field: "stock_count", state: "proven" } as const;
    await connection.verificationLog.saveCapabilities([proven]);

    const after = readFileSync(
      await writePlanWorkbook(connection, run, reportedRows(connection, run)),
    );

    expect(after.equals(before)).toBe(true);
  });

  it("holds each row with its decision, and each change from old to new", async () => {
    const { connection, folder } = await createTestConnection();
    const reportDir = join(folder, "out");
    const run = await storeRun(connection, {
      header: ["Kod", "Fiyat"],
      rows: ROWS,
      reportDir,
      lang: "en",
    });
    await connection.verificationLog.saveCapabilities([
      { action: "update", field: "stock_count", state: "refused" },
    ]);

    const path = await writePlanWorkbook(connection, run, reportedRows(connection, run));

    const rows = await readSheet(path, "Plan");
    const unseen = "(not shown by the store's listing)";
    const documented = "yes, documented";
    expect(rows.map((cells) => [...cells, null, null, null, null, null].slice(0, 9))).toEqual([
      [2, "A", null, "Update", "Price", 100, 90, documented, null],
      [2, "A", null, "Update", "Model", unseen, "=1+1", documented, null],
      [3, "B", null, "Hold", "Price", 100, 10, documented, "Price falls too far"],
      [
        4,
        "C",
        expect.any(String),
        "Add",
        "All fields are on the sheet “New Products”",
        null,
        null,
        null,
        null,
      ],
      [5, "D", null, "Invalid", null, null, null, null, null],
      [6, "E", null, "Update", "Stock", 4, 0, "no, tried", null],
    ]);
    const sheet = readZipPart(path, "xl/worksheets/sheet1.xml");
    expect(sheet).toContain('<pane xSplit="3" ySplit="1" topLeftCell="D2"');
    expect(readZipPart(path, "xl/styles.xml")).toContain('formatCode="#,##0.00"');
    const fields = await readSheet(path, "Fields");
    expect(fields).toContainEqual(["Update", "Stock", "no, tried", expect.any(Number)]);
    expect(fields).toContainEqual(["Add", "Title", "yes, documented", 1]);
  });

  it("shows every new product in a row, with names for ids and amounts as numbers", async () => {
    const { connection, folder } = await createTestConnection();
    const rows: readonly StoredRow[] = [{ cells: ["C"], action: "add" }];
    const run = await storeRun(connection, {
      header: ["Kod"],
      rows,
      reportDir: folder,
      lang: "en",
    });
    const [record] = await connection.journal.readRows(run.id, { limit: 1 });
    const body: Readonly<Record<string, unknown>> = { ...record?.payload };
    const { names } = connection.memory;
    const category = { id: body["category_id"], name: "Cup", category_path: "Home > Cup" };
    await names.write(`${connection.baseUrl} categories`, [category]);
    const brand = { id: body["brand_id"], name: "Acme" };
    await names.write(`${connection.baseUrl} brands ${String(category.id)}`, [brand]);

    const path = await writePlanWorkbook(connection, run, reportedRows(connection, run));

    const [cells = []] = await readSheet(path, "New Products");
    expect(cells.slice(2, 5)).toEqual([body["title"], "Home > Cup", "Acme"]);
    expect(cells[6]).toBe(Number(body["price"]) / 100);
    expect(cells[9]).toBe(body["stock_count"]);
  });

  it("has a sheet with the biggest changes of every field, and what the plan does with them", async () => {
    const { connection, folder } = await createTestConnection();
    const titles = [
      ["Lale Serisi Fincan", "Lale Serisi Kupa"],
      ["Lale Serisi Tabak", "Beden"],
      ["Lale Serisi Sürahi", "Lale Serisi Sürahi 1 L"],
      ["Lale Serisi Kase", "Renk Kase"],
    ];
    const rows: readonly StoredRow[] = [
      { cells: ["A"], changes: [...price(10_000, 9_000), { field: "brand_model", new: "M" }] },
      { cells: ["B"], changes: [{ field: "stock_count", old: 4, new: 0 }] },
      { cells: ["X"], state: "invalid", issues: [createIssue()], changes: price(10, 90) },
      ...titles.map(([old, next], n): StoredRow => ({
        cells: [`T${n}`],
        state: n === 1 ? "held" : "ready",
        changes: [{ field: "title", old, new: next }],
      })),
    ];
    const run = await storeRun(connection, {
      header: ["Kod"],
      rows,
      reportDir: folder,
      lang: "en",
    });

    const path = await writePlanWorkbook(connection, run, reportedRows(connection, run));

    expect(await readSheet(path, "Biggest Changes")).toEqual([
      ["Price", 1, 2, "A", 100, 90, -10, "Update"],
      ["Stock", 1, 3, "B", 4, 0, -100, "Update"],
      ["Title", 4, 6, "T1", "Lale Serisi Tabak", "Beden", null, "Hold"],
      ["Title", 4, 8, "T3", "Lale Serisi Kase", "Renk Kase", null, "Update"],
      ["Title", 4, 5, "T0", "Lale Serisi Fincan", "Lale Serisi Kupa", null, "Update"],
    ]);
  });

  it("tells what the buyer pays where the store sells at a discount", async () => {
    const { connection, folder } = await createTestConnection();
    const stored = await storeRun(connection, {
      header: ["Kod"],
      rows: [{ cells: ["A"], changes: price(399_000, 1_000_000) }],
      reportDir: folder,
      lang: "en",
    });
    const run = { ...stored, facts: factsOf() };
    const discount = { has_discount: true, discount_type: 2, discount_value: 10 };
    const product = { id: idSchemas.product.parse("p-1"), price: 399_000, ...discount };
    await connection.verificationLog.saveBefore(run.id, [{ row: 2, product }]);

    const path = await writePlanWorkbook(connection, run, reportedRows(connection, run));

    expect(await readSheet(path, "Biggest Changes")).toEqual([
      ["Buyer pays", 1, 2, "A", 3591, 9000, 150.6, "Update"],
      ["Price before discount", 1, 2, "A", 3990, 10_000, null, "Update"],
    ]);
    const plan = await readSheet(path, "Plan");
    expect(plan.map((cells) => cells.slice(4, 7))).toEqual([
      ["Buyer pays", 3591, 9000],
      ["Price before discount", 3990, 10_000],
    ]);
  });

  it("has no such sheet where nothing changes", async () => {
    const { connection, folder } = await createTestConnection();
    const rows: readonly StoredRow[] = [{ cells: ["C"], action: "add" }];
    const run = await storeRun(connection, {
      header: ["Kod"],
      rows,
      reportDir: folder,
      lang: "en",
    });

    const path = await writePlanWorkbook(connection, run, reportedRows(connection, run));

    await expect(readSheet(path, "Biggest Changes")).rejects.toThrow();
  });

  it("says of a stock that goes without its price that it is sent", async () => {
    const { connection, folder } = await createTestConnection();
    const changes = [...price(10_000, 1_000), { field: "stock_count", old: 4, new: 0 }];
    const run = await storeRun(connection, {
      header: ["Kod"],
      rows: [
        {
          cells: ["A"],
          state: "held",
          action: "update",
          payload: { product_id: idSchemas.product.parse("p-1"), stock_count: 0 },
          changes,
          issues: [createIssue({ code: "E_GUARD_PRICE_DROP" })],
        },
      ],
      reportDir: folder,
    });

    const { prices, stocks } = await readBiggestChanges(connection, run);

    expect([prices[0]?.isHeld, stocks[0]?.isHeld]).toEqual([true, false]);
  });

  it("lists the biggest changes first, by their factor", async () => {
    const { connection, folder } = await createTestConnection();
    const jumps: readonly (readonly [number, number])[] = [
      [100, 99],
      [100, 250],
      [100, 30],
      [100, 101],
      [100, 102],
      [100, 103],
    ];
    const rows = jumps.map(([old, next], n): StoredRow => ({
      cells: [`K${n}`],
      changes: price(old, next),
    }));
    const run = await storeRun(connection, { header: ["Kod"], rows, reportDir: folder });

    const { prices, stocks, rows: counts } = await readBiggestChanges(connection, run);

    expect(prices.map(({ row }) => row)).toEqual([4, 3, 7, 6, 2]);
    expect([stocks, counts]).toEqual([[], { price: 6, stock_count: 0 }]);
  });
});
