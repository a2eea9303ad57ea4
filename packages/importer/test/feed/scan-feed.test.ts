import {
  createTestConnection,
  startMarketplaceServer,
  type TestConnection,
} from "@catalog/connection/testing";
import type { RowRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { syncFeed, type SyncResult } from "../../src/feed/sync-feed.ts";

interface Planned {
  readonly synced: SyncResult;
  /** The stored rows; those without a change are only counted. */
  readonly rows: readonly RowRecord[];
}

/** Plans these lines against a store with KOD-1 (stock 5) and KOD-2 (stock 9), and sends nothing. */
async function plan(...lines: readonly string[]): Promise<Planned> {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  const stop = new AbortController();
  const synced = await syncFeed(test.connection, {
    feed: test.write("urunler.csv", `${lines.join("\r\n")}\r\n`),
    lang: "en",
    reading: {},
    allowed: [],
    reconcileMs: 0,
    priceUnit: "minor",
    reportDir: test.folder,
    stop: stop.signal,
    onEvent: ({ event }) => (event === "planned" ? stop.abort() : undefined),
  });
  return { synced, rows: await readRows(test, synced) };
}

const readRows = async (
  { connection }: TestConnection,
  { run }: SyncResult,
): Promise<readonly RowRecord[]> =>
  run === undefined ? [] : await connection.feedJournal.readRows(run.id, { limit: 20 });

const codesOf = ({ issues }: Pick<RowRecord, "issues">): readonly string[] =>
  issues.map(({ code, cell }) => `${cell} ${code}`);

const stocksOf = (rows: readonly RowRecord[]): readonly unknown[] =>
  rows.map(({ row, payload }) => [row, payload?.stock_count]);

const SHOPIFY =
  "Handle;Title;Option1 Name;Option1 Value;Variant SKU;Variant Inventory Qty;Image Src;Image Position";

describe("syncFeed, with variants of Shopify", () => {
  it("takes each variant row by itself, and counts rows with an image only as skipped", async () => {
    const { synced, rows } = await plan(
      SHOPIFY,
      "kazak;Kazak;Beden;S;KOD-1;7;https://o.example/1.jpg;1",
      "kazak;;;M;KOD-2;8;https://o.example/2.jpg;2",
      "kazak;;;;;;https://o.example/3.jpg;3",
    );

    expect(synced.counts).toMatchObject({ rows: 3, invalid: 0, skipped: 1, pending: 2 });
    expect(stocksOf(rows)).toEqual([
      [2, 7],
      [3, 8],
    ]);
    expect(rows.map(({ payload }) => payload?.images)).toEqual([undefined, undefined]);
    expect(synced.unused).toEqual(["Title", "Image Src"]);
  });

  it("takes a variant that stands apart from its product, of which it needs nothing", async () => {
    const { synced, rows } = await plan(
      SHOPIFY,
      "kazak;Kazak;Beden;S;KOD-1;7;;",
      "bere;Bere;;Default Title;KOD-9;1;;",
      "kazak;;;M;KOD-2;8;;",
    );

    expect(synced.counts).toMatchObject({ rows: 3, invalid: 1, pending: 2 });
    expect(stocksOf(rows)).toEqual([
      [2, 7],
      [3, undefined],
      [4, 8],
    ]);
    expect(rows.flatMap((row) => codesOf(row))).toEqual(["E3 E_PRODUCT_UNKNOWN"]);
  });
});

const WOO = "ID;Type;SKU;Is featured?;In stock?;Stock;Tax class;Parent";

describe("syncFeed, with variations of WooCommerce", () => {
  it("changes no product by a parent row, whose code may be that of a product", async () => {
    const { synced, rows } = await plan(
      WOO,
      "1;variable;KOD-1;0;1;40;;",
      "2;variable;;0;1;;;",
      "11;variation;KOD-2;0;1;6;;KOD-1",
    );

    expect(synced.counts).toMatchObject({ rows: 3, invalid: 0, skipped: 2, pending: 1 });
    expect(stocksOf(rows)).toEqual([[4, 6]]);
  });

  it("takes a variation without its parent row, of which it needs nothing", async () => {
    const { rows } = await plan(WOO, "11;variation;KOD-2;0;1;6;;id:77");

    expect(stocksOf(rows)).toEqual([[2, 6]]);
  });
});

const IDEASOFT = "stockCode;label;rootProductStockCode;price1;currencyAbbr;stockAmount";

describe("syncFeed, with variants of IdeaSoft", () => {
  it("takes the currency of the parent row, as the price of a variant is in it too", async () => {
    const { rows } = await plan(IDEASOFT, "KOD-1;Fındık;0;300;USD;5", "KOD-2;250 gr;KOD-1;90;;9");

    expect(rows.map(({ payload }) => payload)).toMatchObject([
      { price: 30_000, currency: "USD" },
      { price: 9000, currency: "USD" },
    ]);
    expect(rows.flatMap((row) => codesOf(row))).toEqual([]);
  });

  it("refuses a variant whose currency only its missing parent row says", async () => {
    const { rows } = await plan(IDEASOFT, "KOD-2;250 gr;KOD-7;90;;9");

    expect(rows.map((row) => codesOf(row))).toEqual([["C2 E_VARIANT_PARENT"]]);
  });
});

describe("syncFeed, with products that are not on sale or that nobody counts", () => {
  const header =
    "Handle;Title;Option1 Value;Variant SKU;Inventory tracker;Inventory quantity;Status";

  it("sends the stock of an archived product as that of any other", async () => {
    const { synced, rows } = await plan(
      header,
      "kazak;Kazak;Default Title;KOD-1;shopify;7;archived",
      "bere;Bere;Default Title;KOD-2;shopify;8;active",
    );

    expect(synced.counts).toMatchObject({ rows: 2, invalid: 0, skipped: 0, pending: 2 });
    expect(stocksOf(rows)).toEqual([
      [2, 7],
      [3, 8],
    ]);
  });

  it("leaves a stock as it is that nobody counts", async () => {
    const { synced, rows } = await plan(
      header,
      "kazak;Kazak;Default Title;KOD-1;;0;active",
      "bere;Bere;Default Title;KOD-2;shopify;8;active",
    );

    expect(synced.counts).toMatchObject({ rows: 2, invalid: 0, pending: 1 });
    expect(stocksOf(rows)).toEqual([[3, 8]]);
  });
});

describe("syncFeed, with reduced prices between dates", () => {
  const header =
    "SKU;Stock;Regular price;Sale price;Date sale price starts;Date sale price ends;In stock?";

  it("stores no row again whose dates alone are told", async () => {
    const { synced, rows } = await plan(
      header,
      "KOD-1;5;100;;;;1",
      "KOD-2;9;;80;2017-01-01;2017-02-01;1",
    );

    expect(synced.counts).toMatchObject({ rows: 2, invalid: 0 });
    expect(rows.map(({ row }) => row)).not.toContain(3);
  });
});
