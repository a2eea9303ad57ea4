import { join } from "node:path";

import { expect, it } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import { exportProduct, type Row, SHOPIFY_HEADERS } from "../../helpers/shopify-export.ts";
import { formatRows, MISSING_FLAGS } from "../../helpers/variant-file.ts";

const withStock = (line: FeedLine, more: number): FeedLine => ({
  ...line,
  stock: line.stock + more,
});

it("the sync, the history and the run count the rows of a feed alike", async () => {
  const shop = await openTestStore({ products: 30 });
  const [first, second, ...same] = readStore(shop.sandbox);
  if (first === undefined || second === undefined) throw new Error("few");
  const changed = [withStock(first, 3), withStock(second, 4)];
  const unknown = { code: "YOK-1", stock: 4, priceMinor: 1000 };
  const feed = writeFeed(join(shop.folder, "stok.csv"), [...changed, ...same, unknown]);

  const json = (await shop.run("sync", feed, "--json", "--price-unit", "minor")).out;
  const synced = JSON.parse(json);
  const shown = await shop.run("runs", synced.run, "--lang", "en");
  const listed = await shop.run("runs", "--lang", "en");
  const summary = await shop.json("runs", synced.run);

  expect(synced.counts).toMatchObject({ rows: 31, updated: 2, unchanged: 28, invalid: 1 });
  expect(shown.out).toContain("31 rows, 3 of them kept: what was sent, held or wrong");
  expect(shown.out).toMatch(/^Result +2 updated, 28 unchanged, 1 invalid$/mu);
  expect(listed.out).toContain("sync: 31 rows, 2 updated, 28 unchanged, 1 invalid");
  expect(summary.counts).toMatchObject({ rows: 3, unchanged: 0 });
  expect(summary.file_counts).toEqual(synced.counts);
});

it("a sync that ignores unknown codes does not advise to ignore them", async () => {
  const shop = await openTestStore({ products: 30 });
  const [first, ...lines] = readStore(shop.sandbox);
  if (first === undefined) throw new Error("few");
  const fallen = { ...first, priceMinor: Math.round(first.priceMinor / 4) };
  const unknown = { code: "YOK-1", stock: 4, priceMinor: 1000 };
  const feed = writeFeed(join(shop.folder, "stok.csv"), [fallen, ...lines, unknown]);
  const sync = ["sync", feed, "--lang", "en", "--price-unit", "minor"];

  const told = await shop.run(...sync);
  const ignored = await shop.run(...sync, "--ignore-unknown-codes");

  expect([told.code, ignored.code]).toEqual([5, 5]);
  expect(told.err).toContain("--ignore-unknown-codes");
  expect(ignored.err).toContain("YOK-1");
  expect(ignored.err).not.toContain("--ignore-unknown-codes");
});

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
  const imported = await shop.json(
    "import",
    writeRows(shop, rows),
    ...MISSING_FLAGS,
    "--images",
    "off",
    "--yes",
  );
  const added = readStore(shop.sandbox).slice(before);

  const feed = writeRows(
    shop,
    rows.map((row) => withMoreStock(row)),
  );
  const synced = await shop.json("sync", feed, "--price-unit", "minor");

  expect([imported.exit, synced.exit]).toEqual([0, 0]);
  expect(images).toBeGreaterThan(0);
  expect(synced.counts).toMatchObject({
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
