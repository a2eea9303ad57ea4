import { join } from "node:path";

import { writeXlsx } from "@catalog/sheets";
import { expect, it } from "vitest";

import { columnOf, readFirstSheet } from "../../helpers/independent-readers.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeSheets } from "../../helpers/product-sheet.ts";

const FLAGS = ["--yes", "--json", "--images", "off", "--concurrency", "1"];

async function call(shop: TestStore, ...args: readonly string[]) {
  const { out, err } = await shop.run(...args);
  expect(out, err).not.toBe("");
  return JSON.parse(out);
}

const importAll = async (shop: TestStore, file: string, ...flags: readonly string[]) =>
  await call(shop, "import", file, "--sheet", "all", ...FLAGS, ...flags);

const placesIn = async (path: string): Promise<readonly string[]> =>
  columnOf(await readFirstSheet(path), "Dosyadaki Satır");

interface Located {
  readonly code: string;
  readonly sheet: string;
  readonly cell: string;
  readonly sheet_row: number;
}

const placesOf = (issues: readonly Located[]): readonly string[] =>
  issues.map(({ code, sheet, sheet_row: row }) => `${sheet} ${row} ${code}`);

const priceOf = (number: number, price: number): ProductRow =>
  goodRow(number, { "Fiyat *": price });

it("a retry of a row on one of several sheets names it by its sheet, as the first run does", async () => {
  const shop = await openTestStore();
  const none = { "İndirim Tipi": "", "İndirim Değeri": "" };
  const discounted = { "Fiyat *": 150, "İndirim Tipi": "İndirimli Fiyat", "İndirim Değeri": 120 };
  await importAll(
    shop,
    await writeSheets(shop.folder, "ilk.xlsx", {
      Yaz: [goodRow(1, none), goodRow(2, none)],
      "Kış 2026": [goodRow(6, none), goodRow(7, discounted)],
    }),
  );
  // The marketplace refuses a price below the discounted one.
  const prices = {
    Yaz: [priceOf(1, 22), priceOf(2, 23)],
    "Kış 2026": [priceOf(6, 27), priceOf(7, 100)],
  };

  const file = await writeSheets(shop.folder, "fiyat.xlsx", prices);
  const first = await importAll(shop, file, "--allow", "price-drop,discount-price");
  const retried = await call(shop, "retry", first.run, "--yes", "--json");

  expect(first.counts).toMatchObject({ rows: 4, updated: 3, rejected: 1 });
  expect(placesOf(first.issues)).toEqual([expect.stringContaining("Kış 2026 3 ")]);
  expect(await placesIn(first.files.failed)).toEqual(["'Kış 2026'!3"]);
  expect([retried.error, retried.counts]).toMatchObject([undefined, { rows: 1, rejected: 1 }]);
  expect(placesOf(retried.issues)).toEqual(placesOf(first.issues));
  expect(await placesIn(retried.files.failed)).toEqual(["'Kış 2026'!3"]);
});

it("held rows on several sheets are released and undone under the names of their sheets", async () => {
  const shop = await openTestStore();
  const rows = [goodRow(1), goodRow(2), goodRow(6)];
  const write = (name: string, prices: readonly number[]): Promise<string> => {
    const [a, b, c] = rows.map((row, index) =>
      Object.assign({}, row, { "Fiyat *": prices[index] ?? 0 }),
    );
    return writeSheets(shop.folder, name, { Yaz: [a ?? {}, b ?? {}], "Kış 2026": [c ?? {}] });
  };
  const pricesNow = () =>
    shop.sandbox
      .products()
      .slice(-3)
      .map(({ price }) => price);
  await importAll(shop, await write("ilk.xlsx", [100, 100, 100]));

  const held = await importAll(shop, await write("sonra.xlsx", [101, 102, 20]));
  const heldPrices = pricesNow();
  const released = await call(
    shop,
    "release",
    held.run,
    "--rows",
    "'Kış 2026'!2",
    "--resend",
    "--yes",
    "--json",
  );
  const releasedPrices = pricesNow();
  const undone = await call(shop, "undo", held.run, "--yes", "--json");

  expect(held.counts).toMatchObject({ updated: 2, held: 1 });
  expect(placesOf(held.issues)).toEqual(["Kış 2026 2 E_GUARD_PRICE_DROP"]);
  expect(heldPrices).toEqual([10_100, 10_200, 10_000]);
  expect(released.counts).toMatchObject({ updated: 3, held: 0 });
  expect(releasedPrices).toEqual([10_100, 10_200, 2000]);
  expect(undone.counts).toMatchObject({ rows: 3, updated: 3 });
  expect(await placesIn(undone.files.result)).toEqual(["Yaz!2", "Yaz!3", "'Kış 2026'!2"]);
  expect(pricesNow()).toEqual([10_000, 10_000, 10_000]);
});

const woo = (row: ProductRow): ProductRow => ({ "Is featured?": 0, "Tax class": "", ...row });

const toWoo = (code: string): readonly ProductRow[] => [
  woo({ Type: "variable", SKU: code, Name: code, Stock: 9, "In stock?": 1, Parent: "" }),
  woo({ Type: "variation", SKU: `${code}-S`, Stock: "parent", "In stock?": 1, Parent: code }),
];

it("an issue of a variant names its parent row by the sheet", async () => {
  const shop = await openTestStore();
  const path = join(shop.folder, "woo.xlsx");
  const headers = Object.keys(toWoo("K")[0] ?? {});
  const sheets = ["Yaz", "Kış 2026"].map((name) => ({
    name,
    columns: headers.map((header) => ({ header })),
    rows: toWoo(name).map((row) => headers.map((header) => row[header] ?? null)),
  }));
  await writeXlsx({ path, sheets });

  const { issues } = await call(shop, "plan", path, "--sheet", "all", "--json");

  const shared = issues.filter(({ code }: Located) => code === "E_STOCK_STATE");
  expect(placesOf(shared)).toEqual(["Yaz 3 E_STOCK_STATE", "Kış 2026 3 E_STOCK_STATE"]);
  expect(shared[1].message.tr).toContain("'Kış 2026'!2. satır");
});
