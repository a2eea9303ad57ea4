import { join } from "node:path";

import { openSheet, writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { writeText } from "../helpers/product-sheet.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

/** A store with products at 100,00 and a stock of 5, whose price unit is set. */
async function openFilled(count: number): Promise<Filled> {
  const shop = await openShop({ products: count });
  writeText(shop.folder, "catalog.config.json", '{"priceUnit":"minor"}');
  const codes = shop.sandbox.products().map(({ product_code }) => product_code);
  const lines = codes.map((code) => `${code};100,00;5`);
  const file = feed(shop, "ilk.csv", ["Ürün Kodu;Fiyat;Stok", ...lines]);
  const allow = "price-drop,price-rise,price-scale,discount-price";
  const { code, err } = await shop.run("import", file, "--yes", "--allow", allow);
  expect([code, err]).toEqual([0, expect.anything()]);
  const before = shop.sandbox.stats().updates;
  return {
    shop,
    codeOf: (n) => codes[n - 1] ?? "",
    updates: () => shop.sandbox.stats().updates - before,
  };
}

interface Filled {
  readonly shop: Shop;
  readonly codeOf: (number: number) => string;
  /** Updates sent since. */
  readonly updates: () => number;
}

const feed = (shop: Shop, name: string, lines: readonly string[]): string =>
  writeText(shop.folder, name, `${lines.join("\n")}\n`);

/** Writes the file of held rows once more, with a word in the last cell of some of them. */
async function mark(path: string, words: Readonly<Record<string, string>>): Promise<string> {
  await using sheet = await openSheet({ path });
  const header = sheet.header.cells.map(String);
  const rows: (string | number | boolean | null)[][] = [];
  for await (const { cells } of sheet.rows()) {
    const all = header.map((_, index) => cells[index] ?? null);
    all[header.length - 1] = words[String(all[0])] ?? null;
    rows.push(all);
  }
  const out = path.replace(".xlsx", "-onay.xlsx");
  const columns = header.map((text) => ({ header: text }));
  await writeXlsx({ path: out, sheets: [{ name: "Ürünler", columns, rows }] });
  return out;
}

describe("a guard", { timeout: 90_000 }, () => {
  it.each([
    ["price-drop", "49,99", "E_GUARD_PRICE_DROP"],
    ["price-rise", "300,01", "E_GUARD_PRICE_RISE"],
    ["price-scale", "10000,00", "E_GUARD_PRICE_SCALE"],
    ["price-scale", "1,00", "E_GUARD_PRICE_SCALE"],
  ])("holds back a price: %s to %s", async (_, price, code) => {
    const { shop, codeOf, updates } = await openFilled(4);
    const file = feed(shop, "fiyat.csv", ["Ürün Kodu;Fiyat", `${codeOf(1)};${price}`]);

    const held = await shop.run("import", file, "--yes", "--json");

    const document = JSON.parse(held.out);
    expect(held.code).toBe(3);
    expect(document.counts).toMatchObject({ rows: 1, held: 1 });
    expect(document.issues[0].code).toBe(code);
    expect(updates()).toBe(0);

    const all = "price-drop,price-rise,price-scale";
    const allowed = await shop.run("import", file, "--yes", "--json", "--allow", all);
    expect(JSON.parse(allowed.out).counts).toMatchObject({ updated: 1, held: 0 });
    expect([allowed.code, updates()]).toEqual([0, 1]);
  });

  it("holds back a price that falls to what its discount leaves", async () => {
    const { shop, codeOf, updates } = await openFilled(4);
    const header = "Ürün Kodu;Fiyat;İndirim Tipi;İndirim Değeri";
    const first = feed(shop, "a.csv", [header, `${codeOf(1)};100,00;İndirimli Fiyat;90,00`]);
    expect((await shop.run("import", first, "--yes")).code).toBe(0);
    const file = feed(shop, "b.csv", ["Ürün Kodu;Fiyat", `${codeOf(1)};85,00`]);

    const { code, out } = await shop.run("import", file, "--yes", "--json");

    expect([code, JSON.parse(out).issues[0].code]).toEqual([3, "E_GUARD_DISCOUNT"]);
    expect(updates()).toBe(1);
  });

  it("holds back a file that empties too many stocks, and sends the rest", async () => {
    const { shop, codeOf, updates } = await openFilled(20);
    const stocks = Array.from({ length: 20 }, (_, index) => (index < 7 ? 0 : 500));
    const lines = stocks.map((stock, index) => `${codeOf(index + 1)};${stock}`);
    const file = feed(shop, "stok.csv", ["Ürün Kodu;Stok", ...lines]);

    const { code, out } = await shop.run("import", file, "--yes", "--json");

    expect([code, JSON.parse(out).counts]).toMatchObject([5, { updated: 13, held: 7 }]);
    expect(updates()).toBe(13);
    expect(shop.sandbox.inspect().violations).toEqual([]);
  });

  it("takes its limits from the configuration file, and keeps them with the run", async () => {
    const { shop, codeOf } = await openFilled(4);
    const file = feed(shop, "fiyat.csv", ["Ürün Kodu;Fiyat", `${codeOf(1)};89,00`]);
    writeText(
      shop.folder,
      "catalog.config.json",
      '{"priceUnit":"minor","guards":{"priceDropPercent":10}}',
    );

    const { code, out } = await shop.run("import", file, "--yes", "--json");

    expect([code, JSON.parse(out).counts]).toMatchObject([3, { held: 1 }]);
  });

  it("refuses a limit that makes no sense, and a word that allows nothing", async () => {
    const { shop, codeOf } = await openFilled(4);
    const file = feed(shop, "fiyat.csv", ["Ürün Kodu;Fiyat", `${codeOf(1)};89,00`]);

    const allow = await shop.run("plan", file, "--allow", "price-fall");
    writeText(shop.folder, "catalog.config.json", '{"guards":{"priceDrop":10}}');
    const limit = await shop.run("plan", file);

    expect([allow.code, limit.code]).toEqual([2, 2]);
  });
});

describe("the file of held rows", { timeout: 90_000 }, () => {
  const PRICES = ["10,00", "20,00", "30,00", "110,00"];

  async function holdThree(): Promise<Filled & { run: string; held: string }> {
    const filled = await openFilled(4);
    const { shop, codeOf } = filled;
    const lines = PRICES.map((price, index) => `${codeOf(index + 1)};${price}`);
    const file = feed(shop, "fiyat.csv", ["Ürün Kodu;Fiyat", ...lines]);
    const document = JSON.parse((await shop.run("import", file, "--yes", "--json")).out);
    expect(document.counts).toMatchObject({ updated: 1, held: 3 });
    return { ...filled, run: document.run, held: document.files.held };
  }

  it("releases exactly the rows that come back marked, each once", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const approved = await mark(held, { [codeOf(1)]: "Evet", [codeOf(3)]: "x" });

    const first = await shop.run("release", run, "--approved", approved, "--yes", "--json");
    const again = await shop.run("release", run, "--approved", approved, "--yes", "--json");

    expect(JSON.parse(first.out).counts).toMatchObject({ updated: 3, held: 1 });
    expect([first.code, again.code]).toEqual([5, 5]);
    expect(JSON.parse(again.out)).toMatchObject({ released: [], refused: [{}, {}] });
    expect(updates()).toBe(3);
    const shown = Object.fromEntries(
      shop.sandbox.products().map(({ product_code, price }) => [product_code, price]),
    );
    expect(shown).toMatchObject({
      [codeOf(1)]: 1_000,
      [codeOf(2)]: 10_000,
      [codeOf(3)]: 3_000,
      [codeOf(4)]: 11_000,
    });
  });

  it("says old, new, percent, guard and reason of each row", async () => {
    const { held } = await holdThree();

    await using sheet = await openSheet({ path: held });
    const rows: unknown[] = [];
    for await (const { cells } of sheet.rows()) rows.push(cells.slice(2, 7));

    expect(sheet.header.cells.slice(3)).toEqual([
      "Eski Değer",
      "Yeni Değer",
      "Değişim (%)",
      "Koruma",
      "Neden",
      "Onay",
    ]);
    expect(rows[1]).toEqual([
      expect.stringMatching(/^r-.*#3$/u),
      "100,00",
      "20,00",
      "-80",
      "price-drop",
    ]);
  });

  it("follows no mark that is unclear, of another run, or on a row that was edited", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const unclear = await mark(held, { [codeOf(1)]: "belki" });

    const word = await shop.run("release", run, "--approved", unclear, "--yes", "--json");
    const file = await shop.run(
      "release",
      run,
      "--approved",
      join(shop.folder, "fiyat.csv"),
      "--yes",
    );

    expect([word.code, file.code]).toEqual([5, 3]);
    expect(word.err).toContain("belki");
    expect(file.err).toContain("held.xlsx");
    expect(updates()).toBe(1);
  });

  it("holds an approved row again whose price was changed elsewhere meanwhile", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const other = feed(shop, "elle.csv", ["Ürün Kodu;Fiyat", `${codeOf(1)};120,00`]);
    expect((await shop.run("import", other, "--yes")).code).toBe(0);
    const approved = await mark(held, { [codeOf(1)]: "Evet" });

    const { code, out } = await shop.run("release", run, "--approved", approved, "--yes", "--json");

    expect([code, JSON.parse(out).counts]).toMatchObject([5, { updated: 1, held: 3 }]);
    expect(updates()).toBe(2);
  });

  it("can be imported again as it is, without a warning for its own columns", async () => {
    const { shop, held } = await holdThree();

    const { out } = await shop.run("plan", held, "--json");

    expect(JSON.parse(out)).toMatchObject({ counts: { rows: 3, held: 3 }, warnings: [] });
  });
});

describe("a partial sheet", { timeout: 90_000 }, () => {
  it("sends the product's id and the price, and nothing that stands in no column", async () => {
    const { shop, codeOf } = await openFilled(1);
    const before = shop.sandbox.products()[0];
    const file = feed(shop, "fiyat.csv", ["Ürün Kodu;Fiyat;Başlık", `${codeOf(1)};90,00;`]);

    expect((await shop.run("import", file, "--yes")).code).toBe(0);

    const [after] = shop.sandbox.products();
    expect(after).toEqual({ ...before, price: 9_000 });
  });
});
