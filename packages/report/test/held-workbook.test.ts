import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  readZipPart,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import type { FieldChange, RowIssue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { writeResultFiles } from "../src/result-files.ts";
import { readSheet } from "./helpers/read-workbook.ts";

/** The cells of a held row whose price would go from 1,100 to 850, by header. */
const writeHeld = (issue: Partial<RowIssue>): Promise<ReadonlyMap<unknown, unknown>> =>
  writeHeldRow([{ field: "price", old: 110_000, new: 85_000 }], [issue]);

type HeldRow = readonly [
  changes: readonly FieldChange[],
  issues: readonly Partial<RowIssue>[],
  payload?: StoredRow["payload"],
];

async function writeHeldRow(...row: HeldRow): Promise<ReadonlyMap<unknown, unknown>> {
  const [header = [], cells = []] = await readSheet(await writeHeldFile(...row));
  return new Map(header.map((name, at) => [name, cells[at]]));
}

async function writeHeldFile(...[changes, issues, payload]: HeldRow): Promise<string> {
  const row: StoredRow = {
    cells: ["KOD-1", 850],
    state: "held",
    action: "update",
    changes,
    ...(payload !== undefined && { payload }),
    issues: issues.map((issue) => createIssue(issue)),
  };
  const { connection, folder } = await createTestConnection();
  const reportDir = join(folder, "sonuc");
  const run = await storeRun(connection, {
    header: ["Stok Kodu", "Fiyat"],
    rows: [row],
    reportDir,
  });
  await writeResultFiles(connection, run);
  return join(reportDir, "held.xlsx");
}

describe("the file of held rows", () => {
  it("shows what a row changes, where a discount does not fit its new price", async () => {
    const guard = { guard: "discount-price", field: "paid_price", new: 89_950 } as const;
    const cells = await writeHeld({ code: "E_GUARD_DISCOUNT", guard });

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual([1100, 850]);
  });

  it("shows the stock that waits with a price", async () => {
    const changes = [
      { field: "price", old: 110_000, new: 85_000 },
      { field: "stock_count", old: 50, new: 0 },
    ];
    const guard = { guard: "price-drop", field: "price", old: 110_000, new: 85_000 } as const;
    const cells = await writeHeldRow(changes, [{ code: "E_GUARD_PRICE_DROP", guard }]);

    expect(cells.get("Yeni Değer")).toBe("Fiyat: 850,00\nStok: 0");
  });

  it("shows the price that waits with a stock", async () => {
    const changes = [
      { field: "price", old: 21_950, new: 22_950 },
      { field: "stock_count", old: 340, new: 0 },
    ];
    const cells = await writeHeldRow(changes, [{ code: "E_GUARD_ZERO_STOCK" }]);

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual([
      "Fiyat: 219,50\nStok: 340",
      "Fiyat: 229,50\nStok: 0",
    ]);
  });

  it("names what is unknown or empty in words, and only what the guard of discounts compares", async () => {
    const guard = { guard: "discount-price", field: "paid_price", new: 89_950 } as const;
    const changes = [
      { field: "discount_type", old: undefined, new: 3 },
      { field: "has_discount", old: false, new: true },
      { field: "sub_title", old: "", new: "Yeni" },
    ];
    const discounted = await writeHeldRow(changes, [{ code: "E_GUARD_DISCOUNT", guard }]);
    const changed = await writeHeldRow(changes, [{ code: "E_CHANGED" }]);

    expect([discounted.get("Eski Değer"), discounted.get("Yeni Değer")]).toEqual([
      "İndirim Tipi: bilinmiyor\nİndirimli mi: Hayır",
      "İndirim Tipi: İndirimli Fiyat\nİndirimli mi: Evet",
    ]);
    expect(changed.get("Eski Değer")).toBe(
      "İndirim Tipi: bilinmiyor\nİndirimli mi: Hayır\nAlt Başlık: boş",
    );
  });

  it("does not call a price that was not compared a slipped one", async () => {
    const cells = await writeHeld({ code: "E_GUARD_PRICE_UNIT" });

    expect(cells.get("Koruma")).toBe("Fiyat birimi bilinmiyor");
    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual([1100, 850]);
  });

  it("names the fields where two guards compared different ones", async () => {
    const changes = [
      { field: "price", old: 1_612_790, new: 16_128 },
      { field: "stock_count", old: 1083, new: 0 },
    ];
    const guard = {
      guard: "price-scale",
      field: "price",
      old: 1_612_790,
      new: 16_128,
      percent: -99,
    } as const;
    const cells = await writeHeldRow(changes, [
      { code: "E_GUARD_ZERO_STOCK" },
      { code: "E_GUARD_PRICE_SCALE", guard },
    ]);

    const shown = ["Eski Değer", "Yeni Değer", "Değişim (%)"].map((name) => cells.get(name));
    expect(shown).toEqual([
      "Fiyat: 16.127,90\nStok: 1.083",
      "Fiyat: 161,28\nStok: 0",
      "Fiyat: −%99\nStok: −%100",
    ]);
  });

  it("names the new price of a row that waits for the unit of prices, too", async () => {
    const changes = [
      { field: "price", old: undefined, new: 85_000 },
      { field: "stock_count", old: 5, new: 0 },
    ];
    const cells = await writeHeldRow(changes, [
      { code: "E_GUARD_PRICE_UNIT" },
      { code: "E_GUARD_ZERO_STOCK" },
    ]);

    expect(cells.get("Eski Değer")).toBe("Fiyat: bilinmiyor\nStok: 5");
    expect(cells.get("Yeni Değer")).toBe("Fiyat: 850,00\nStok: 0");
  });

  it("shows a field once that two guards compare", async () => {
    const finding = { field: "price", old: 110_000, new: 85_000, percent: -23 } as const;
    const cells = await writeHeldRow(
      [{ field: "price", old: 110_000, new: 85_000 }],
      [
        { code: "E_GUARD_PRICE_DROP", guard: { guard: "price-drop", ...finding } },
        { code: "E_GUARD_PRICE_SCALE", guard: { guard: "price-scale", ...finding } },
      ],
    );

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual([1100, 850]);
  });

  it("says that the old value is unknown where there is one field only, too", async () => {
    const unknown = [{ field: "price", old: undefined, new: 85_000 }];
    const cells = await writeHeldRow(unknown, [{ code: "E_GUARD_PRICE_UNIT" }]);

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual(["bilinmiyor", 850]);
  });

  it("shows the prices of a row whose guard knew no old price", async () => {
    const changes = [
      { field: "title", old: "Eski", new: "Yeni" },
      { field: "price", old: undefined, new: 85_000 },
    ];
    const cells = await writeHeldRow(changes, [{ code: "E_GUARD_PRICE_DROP" }]);

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual(["bilinmiyor", 850]);
  });

  it.each([
    [{ field: "price", old: undefined, new: 85_000 }, "E_GUARD_PRICE_UNIT", true],
    [{ field: "stock_count", old: 5, new: 0 }, "E_GUARD_ZERO_STOCK", false],
  ])("writes %j, one change of several, as what it is", async (change, code, isAmount) => {
    const path = await writeHeldFile([{ field: "title", old: "A", new: "B" }, change], [{ code }]);

    expect(readZipPart(path, "xl/styles.xml")?.includes("#,##0.00")).toBe(isAmount);
  });

  it("shows a rate as a rate where an amount takes its place, and compares them not", async () => {
    const payload = {
      product_id: idSchemas.product.parse("p-1"),
      discount_type: 3,
      discount_value: 8_000,
    } as const;
    const changes = [
      { field: "discount_type", old: 2, new: 3 },
      { field: "discount_value", old: 12.5, new: 8_000 },
    ];
    const cells = await writeHeldRow(changes, [{ code: "E_GUARD_DISCOUNT" }], payload);

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer"), cells.get("Değişim (%)")]).toEqual([
      "İndirim Tipi: İndirim Oranı (%)\nİndirim Değeri: 12,5",
      "İndirim Tipi: İndirimli Fiyat\nİndirim Değeri: 80,00",
      null,
    ]);
  });
});
