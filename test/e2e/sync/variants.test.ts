import { expect, it } from "vitest";

import { readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, writeText } from "../../helpers/product-sheet.ts";
import { exportProduct, type Row, SHOPIFY_HEADERS } from "../../helpers/shopify-export.ts";

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function writeRows(shop: TestStore, rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    SHOPIFY_HEADERS.map((header) => quote(row[header] ?? "")).join(","),
  );
  return writeText(
    shop.folder,
    "shop.csv",
    `${[SHOPIFY_HEADERS.join(","), ...lines].join("\n")}\n`,
  );
}

/** The row with a stock of 3 more, where it is that of a variant. */
const withMoreStock = (row: Row): Row => {
  const stock = row["Variant Inventory Qty"];
  return stock === undefined
    ? row
    : Object.assign({}, row, { "Variant Inventory Qty": String(Number(stock) + 3) });
};

it("a sync with an export of Shopify changes the stock of each variant that it imported", async () => {
  const shop = await openTestStore();
  const before = shop.sandbox.products().length;
  const products = [6, 8].map((n) => exportProduct(n));
  const rows = products.flatMap((product) => product.rows);
  const images = rows.filter((row) => row["Variant SKU"] === undefined).length;
  const own = Object.entries(goodRow(1)).filter(([header]) =>
    /^(?:Alt|Model|Garanti|Teslimat)/u.test(header),
  );
  const missing = own.flatMap(([header, value]) => ["--set", `${header.slice(0, -2)}=${value}`]);
  const imported = await shop.run(
    "import",
    writeRows(shop, rows),
    ...missing,
    "--images",
    "off",
    "--yes",
    "--json",
  );
  const added = readStore(shop.sandbox).slice(before);

  const feed = writeRows(
    shop,
    rows.map((row) => withMoreStock(row)),
  );
  const synced = await shop.run("sync", feed, "--json", "--price-unit", "minor");

  expect([imported.code, synced.code]).toEqual([0, 0]);
  expect(images).toBeGreaterThan(0);
  expect(JSON.parse(synced.out).counts).toMatchObject({
    rows: rows.length,
    updated: added.length,
    skipped: images,
    invalid: 0,
  });
  const stocks = readStore(shop.sandbox)
    .slice(before)
    .map(({ code, stock }) => [code, stock]);
  expect(stocks).toEqual(added.map(({ code, stock }) => [code, stock + 3]));
});
