/** What was answered for an accepted file holds for feeds with the same headers, and for no others. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";

const UNIT = ["--price-unit", "minor"] as const;
const QUIET = ["--images", "off", "--no-verify", "--yes"] as const;

const lira = (minor: number): string => (minor / 100).toFixed(2).replace(".", ",");

/** A stock of a name that is asked about, and a cost that no header tells. */
const HEADER = "Ürün Kodu;Adet A;Adet B;Fiyat;Bize";
const ANSWERS = ["--map", "Adet B=Stok", "--map", "Adet A=-", "--map", "Bize=Maliyet"] as const;

function writeFeed({ sandbox, folder }: TestStore, header: string, costs: readonly number[]) {
  return (name: string, stock: number): string => {
    const rows = sandbox
      .products()
      .map(
        ({ product_code: code, price }, index) =>
          `${code};1;${stock};${lira(price + 100)};${lira(price * (costs[index] ?? 0))}`,
      );
    return writeText(folder, name, [header, ...rows]);
  };
}

const stocksOf = ({ sandbox }: TestStore): readonly number[] =>
  readStore(sandbox).map(({ stock }) => stock);

it("syncs a feed as an accepted import has read it, and holds what is below the cost", async () => {
  const shop = await openTestStore({ products: 3 });
  const write = writeFeed(shop, HEADER, [0.5, 2, 0.5]);
  const file = write("ilk.csv", 41);
  const open = await shop.json("sync", file, ...UNIT);
  const imported = await shop.json("import", file, ...ANSWERS, ...UNIT, ...QUIET);
  const prices = readStore(shop.sandbox).map(({ priceMinor }) => priceMinor);

  const synced = await shop.json("sync", write("sonra.csv", 42), "--lang", "en");
  const stocks = stocksOf(shop);
  const now = readStore(shop.sandbox).map(({ priceMinor }) => priceMinor);
  const shown = await shop.run("sync", write("sonra.csv", 42), "--lang", "en");
  const stated = await shop.json(
    "sync",
    write("elle.csv", 43),
    "--map",
    "Adet A=Stok",
    "--allow",
    "few-rows,moved-values,stock-rise,zero-stock",
  );
  const remembered = await shop.run("rules", "--lang", "en");
  const forgotten = await shop.json("rules", "forget", "all");
  const asked = await shop.json("sync", write("yeni.csv", 44));

  expect(open).toMatchObject({ exit: 3, error: { code: "E_FILE_COLUMNS" } });
  expect(imported).toMatchObject({ counts: { held: 1 } });
  expect(synced.error).toBeUndefined();
  expect(stocks).toEqual([42, 42, 42]);
  expect(synced).toMatchObject({ counts: { held: 1 } });
  expect(JSON.stringify(synced)).toContain("E_GUARD_BELOW_COST");
  expect([now[0], now[2]]).toEqual([(prices[0] ?? 0) + 100, (prices[2] ?? 0) + 100]);
  expect(now[1]).toBe(prices[1]);
  expect(synced.notes).toEqual([expect.stringMatching(/ilk\.csv.*“Bize” → cost/u)]);
  expect(shown.err.replaceAll(/\s+/gu, " ")).toContain("These headers are known (ilk.csv)");
  expect(stated.error).toBeUndefined();
  expect(stocksOf(shop)).toEqual([1, 1, 1]);
  expect(remembered.out.replaceAll(/\s+/gu, " ")).toContain("Bize → Cost");
  expect(forgotten).toMatchObject({ exit: 0 });
  expect(asked).toMatchObject({ exit: 3, error: { code: "E_FILE_COLUMNS" } });
});

it("asks again about other headers", async () => {
  const shop = await openTestStore({ products: 2 });
  const file = writeFeed(shop, HEADER, [0.5, 0.5])("ilk.csv", 41);
  await shop.json("import", file, ...ANSWERS, ...UNIT, ...QUIET);
  const stocks = stocksOf(shop);

  const other = writeFeed(shop, `${HEADER}2`, [0.5, 0.5])("sonra.csv", 42);
  const asked = await shop.json("sync", other);

  expect(asked).toMatchObject({ exit: 3, error: { code: "E_FILE_COLUMNS" } });
  expect(stocksOf(shop)).toEqual(stocks);
});

const list = (tag: string, rows: readonly string[]): string =>
  rows.map((row) => `<${tag}>${row}</${tag}>`).join("");

it("reads the records that an accepted import was of", async () => {
  const shop = await openTestStore({ products: 3 });
  const write = (name: string, stock: number): string => {
    const lines = shop.sandbox
      .products()
      .map(({ product_code: code }) => `<Kod>${code}</Kod><Stok>${stock}</Stok>`);
    const sets = ["S-1", "S-2", "S-3"].map(
      (code) => `<Kod>${code}</Kod><Stok>1</Stok><Not>a</Not>`,
    );
    const body = `<U>${list("Urun", lines)}</U><S>${list("Set", sets)}</S>`;
    const path = join(shop.folder, name);
    writeFileSync(path, `<?xml version="1.0"?>\n<K>${body}</K>\n`);
    return path;
  };
  const first = write("ilk.xml", 41);
  const open = await shop.json("sync", first);
  await shop.json("import", first, "--record", "K/U/Urun", ...QUIET);

  const synced = await shop.json("sync", write("sonra.xml", 42), "--lang", "en");

  expect(open).toMatchObject({ exit: 3, error: { code: "E_RECORD_CHOICE" } });
  expect(synced.error).toBeUndefined();
  expect(stocksOf(shop)).toEqual([42, 42, 42]);
  expect(synced.notes).toEqual([expect.stringContaining("“K/U/Urun”")]);
});
