import { expect, it } from "vitest";

import { readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import { exportProduct, type Row, SHOPIFY_HEADERS } from "../../helpers/shopify-export.ts";
import { formatRows, MISSING_FLAGS } from "../../helpers/variant-file.ts";

const writeRows = (shop: TestStore, rows: readonly Row[]): string =>
  writeText(shop.folder, "shop.csv", formatRows(SHOPIFY_HEADERS, rows));

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
  const imported = await shop.run(
    "import",
    writeRows(shop, rows),
    ...MISSING_FLAGS,
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
