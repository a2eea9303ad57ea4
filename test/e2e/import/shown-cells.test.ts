import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { makeZip } from "../../files/bad-files/make-zip.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  goodRows,
  HEADERS,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** A store that has the products from `TST-00001` on. */
async function openFilledShop(count: number): Promise<TestStore> {
  const shop = await openTestStore();
  const file = await writeWorkbook(shop.folder, "liste.xlsx", goodRows(count));
  const { code } = await shop.run("import", file, "--yes", "--json");
  expect(code).toBe(0);
  return shop;
}

/** Code, price and stock of every product. */
const heldBy = (shop: TestStore): readonly (readonly unknown[])[] =>
  shop.sandbox
    .products()
    .toSorted((a, b) => (a.product_code < b.product_code ? -1 : 1))
    .map((product) => [product.product_code, product.price, product.stock_count]);

/** The issues of a plan, as `A2 E_…`. */
async function issuesOf(shop: TestStore, ...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await shop.run("plan", ...args, "--json");
  const { issues }: { issues: { cell: string; code: string }[] } = JSON.parse(out);
  return issues.map(({ cell, code }) => `${cell} ${code}`);
}

/** A CSV file without quotes, as another program would write it. */
const csvOf = (rows: readonly ProductRow[]): string =>
  [HEADERS, ...rows.map((row) => HEADERS.map((header) => row[header] ?? ""))]
    .map((cells) => `${cells.join(";")}\n`)
    .join("");

const OFFICE = "urn:oasis:names:tc:opendocument:xmlns";

/** A spreadsheet as some libraries write it, whose number cells have a value and no text. */
function odsOf(rows: readonly (readonly (string | number)[])[]): Buffer {
  const cells = rows.map((row) =>
    row.map((cell) =>
      typeof cell === "number"
        ? `<table:table-cell office:value="${cell}" office:value-type="float"/>`
        : `<table:table-cell office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`,
    ),
  );
  const lines = cells.map((row) => `<table:table-row>${row.join("")}</table:table-row>`);
  return makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" },
    {
      name: "content.xml",
      content: `<office:document-content xmlns:office="${OFFICE}:office:1.0" xmlns:table="${OFFICE}:table:1.0" xmlns:text="${OFFICE}:text:1.0"><office:body><office:spreadsheet><table:table table:name="S">${lines.join("")}</table:table></office:spreadsheet></office:body></office:document-content>`,
    },
  ]);
}

describe("cells that show something else than they store", () => {
  // Written by openpyxl and xlwt, and converted to .ods by LibreOffice.
  it.each(["shown-cells.xlsx", "shown-cells.xls", "shown-cells.ods"])(
    "are refused, and the others are sent as shown: %s",
    async (name) => {
      const shop = await openFilledShop(5);

      const issues = await issuesOf(shop, fixture(name), "--mode", "update");
      const { code } = await shop.run("import", fixture(name), "--mode", "update", "--yes");

      expect(code).toBe(5);
      expect(issues.filter((issue) => !issue.endsWith("E_PRODUCT_UNKNOWN"))).toEqual([
        "B2 E_PRICE_CURRENCY",
        "B5 E_CELL_FORMAT",
        "C6 E_NOT_INTEGER",
        "A7 E_CELL_FORMAT",
        "A8 E_CELL_FORMAT",
      ]);
      expect(heldBy(shop)).toEqual([
        ["TST-00001", 2099, 11],
        ["TST-00002", 2550, 7],
        ["TST-00003", 2400, 8],
        ["TST-00004", 2399, 14],
        ["TST-00005", 2499, 15],
      ]);
      const discounted = shop.sandbox.products().find(({ discount_type: type }) => type === 2);
      expect(discounted).toMatchObject({ product_code: "TST-00003", discount_value: 15 });
    },
  );
});

describe("number cells of an .ods file without a text", () => {
  it("are sent with the other cells of their row", async () => {
    const shop = await openFilledShop(2);
    const file = join(shop.folder, "guncelle.ods");
    writeFileSync(
      file,
      odsOf([
        ["Ürün Kodu", "Başlık", "Fiyat", "Stok"],
        ["TST-00001", "Yeni başlık", 25.5, 9],
      ]),
    );

    const { code } = await shop.run("import", file, "--mode", "update", "--yes");

    expect(code).toBe(0);
    expect(heldBy(shop)[0]).toEqual(["TST-00001", 2550, 9]);
  });
});

describe("codes that a program has protected or damaged", () => {
  it('are sent without ="…" and without an apostrophe before digits', async () => {
    const shop = await openTestStore();
    const codes = ['="00123"', '"=""00124"""', "'00125", "=A1+1"];
    const rows = codes.map((code, index) => goodRow(index + 1, { "Ürün Kodu *": code }));
    const file = writeText(shop.folder, "liste.csv", csvOf(rows.map(withoutQuotes)));

    const issues = await issuesOf(shop, file);
    const { code } = await shop.run("import", file, "--yes");

    expect(code).toBe(5);
    expect(issues).toEqual(["A5 E_FORMULA"]);
    expect(heldBy(shop).map(([product]) => product)).toEqual(["00123", "00124", "00125"]);
  });

  it("are asked about when Excel may have removed their leading zeros", async () => {
    const shop = await openTestStore();
    const codes = ["00123", 124, "00125", 12_345];
    const rows = codes.map((code, index) => goodRow(index + 1, { "Ürün Kodu *": code }));
    const file = await writeWorkbook(shop.folder, "liste.xlsx", rows);

    const issues = await issuesOf(shop, file);
    const { code } = await shop.run("import", file, "--yes");

    expect(code).toBe(5);
    expect(issues).toEqual(["A3 E_CODE_SUSPECT"]);
    expect(heldBy(shop).map(([product]) => product)).toEqual(["00123", "00125", "12345"]);
    expect(await issuesOf(shop, file, "--allow", "code-suspect")).toEqual([]);
  });
});

/** Removes characters of the description that need quotes in a CSV file. */
function withoutQuotes(row: ProductRow): ProductRow {
  return { ...row, "Açıklama *": "Uzun açıklama" };
}
