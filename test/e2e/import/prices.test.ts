import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  goodRows,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

const sentPrices = (shop: Awaited<ReturnType<typeof openTestStore>>): number[] =>
  shop.sandbox
    .products()
    .toSorted((a, b) => (a.product_code < b.product_code ? -1 : 1))
    .map(({ price }) => price);

describe("prices", () => {
  it("are sent exactly, from text cells and from number cells", async () => {
    const shop = await openTestStore();
    const prices = [
      "1.234,56",
      19.99,
      "19,99 TL",
      57.699_999_999_999_996,
      "2.500",
      0.29,
      "₺1.299,9",
    ];
    const rows = prices.map((price, index) => goodRow(index + 1, { "Fiyat *": price }));
    const file = await writeWorkbook(shop.folder, "fiyat.xlsx", rows);

    const { code } = await shop.run("import", file, "--yes", "--json");

    expect(code).toBe(0);
    expect(sentPrices(shop)).toEqual([123_456, 1999, 1999, 5770, 250_000, 29, 129_990]);
  });

  it("are refused while the column does not tell what 1.234 means", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1, { "Fiyat *": "1.234" }), goodRow(2, { "Fiyat *": "2.500" })];
    const file = await writeWorkbook(shop.folder, "fiyat.xlsx", rows);

    const { issues, exit: code } = await shop.json("import", file, "--yes");

    expect(code).toBe(3);
    expect(issues).toMatchObject([
      { cell: "H2", code: "E_NUMBER_AMBIGUOUS", value: "1.234" },
      { cell: "H3", code: "E_NUMBER_AMBIGUOUS", value: "2.500" },
    ]);
    expect(shop.sandbox.stats().adds).toBe(0);
  });

  it.each([
    ["comma", 123_400],
    ["point", 123],
  ])("are read with --decimal %s when it is given", async (decimal, expected) => {
    const shop = await openTestStore();
    const price = decimal === "comma" ? "1.234" : "1.23";
    const file = await writeWorkbook(shop.folder, "f.xlsx", [goodRow(1, { "Fiyat *": price })]);

    const { code } = await shop.run("import", file, "--yes", "--json", "--decimal", decimal);

    expect(code).toBe(0);
    expect(sentPrices(shop)).toEqual([expected]);
  });
});

describe("--decimal", () => {
  it("is stored only once its plan is accepted, and then affects ambiguous numbers only", async () => {
    const shop = await openTestStore({ products: 3 });
    const [one, two] = shop.sandbox.products().map(({ product_code }) => product_code);
    const text = (first: string, second: string): string =>
      `Ürün Kodu,Fiyat\n${one},"${first}"\n${two},"${second}"\n`;
    const point = writeText(shop.folder, "b.csv", text("52.50", "61.25"));
    const doubtful = writeText(shop.folder, "c.csv", text("52.50", "1.250"));
    const comma = writeText(shop.folder, "a.csv", text("1.250", "2.500"));
    const anyPrice = ["--allow", "price-drop,price-rise,price-scale"];

    await shop.run("plan", comma, "--decimal", "comma");
    const afterPlan = await shop.json("plan", point, ...anyPrice);
    const accepted = await shop.run("import", comma, "--decimal", "comma", "--yes", ...anyPrice);
    const afterImport = await shop.json("plan", point);
    const asked = await shop.json("plan", doubtful);

    expect(afterPlan).toMatchObject({ counts: { invalid: 0 }, issues: [] });
    expect(accepted.code).toBe(0);
    expect(afterImport).toMatchObject({
      counts: { invalid: 0 },
      notes: expect.arrayContaining([expect.stringContaining("daha önce onayladığınız")]),
    });
    const { issues } = asked;
    expect(issues.filter(({ row }: { readonly row: number }) => row === 3)).toMatchObject([
      { cell: "B3", code: "E_NUMBER_AMBIGUOUS", value: "1.250" },
    ]);
  });
});

interface Line {
  readonly code: string;
  /** Price in minor units. */
  readonly price: number;
}

/** Writes a file with these prices. */
function pricesFile(shop: TestStore, name: string, lines: readonly Line[]): string {
  const rows = lines.map(({ code, price }) => `${code};${(price / 100).toFixed(2)}`);
  return writeText(shop.folder, name, `${["Ürün Kodu;Fiyat", ...rows].join("\n")}\n`);
}

const shown = (shop: TestStore): readonly Line[] =>
  shop.sandbox.products().map(({ product_code, price }) => ({ code: product_code, price }));

const toRow = (line: Line | undefined, factor = 1): ProductRow => ({
  "Ürün Kodu *": line?.code ?? "",
  "Fiyat *": ((line?.price ?? 0) * factor) / 100,
});

describe("a store with an unknown price unit", () => {
  it("sends no price until a person states the unit", async () => {
    const shop = await openTestStore({ products: 20 });
    const before = shown(shop);

    let run = "";
    for (const [name, factor] of Object.entries({ hundred: 100, same: 1 })) {
      const lines = before.map(({ code, price }) => ({ code, price: price * factor }));
      const file = pricesFile(shop, `${name}.csv`, lines);
      const { code, out } = await shop.run("import", file, "--yes", "--json");
      const { counts, warnings, ...document } = JSON.parse(out);
      run = document.run;
      expect([name, code, counts]).toMatchObject([name, 3, { rows: 20, updated: 0, held: 20 }]);
      expect(warnings.join(" ")).toContain("--price-unit major");
    }
    const untouched = [shown(shop), shop.sandbox.stats().updates];
    const told = await shop.json("plan", "same.csv", "--price-unit", "minor");
    const resumed = await shop.json("resume", run);
    const slipped = await shop.json("import", "hundred.csv", "--yes");

    expect(untouched).toEqual([before, 0]);
    expect(told.planned).toMatchObject({ unchanged: 20, held: 0 });
    expect(resumed).toMatchObject({
      exit: 0,
      counts: { unchanged: 20, held: 0 },
      warnings: [],
    });
    const { counts, issues } = slipped;
    expect(counts).toMatchObject({ held: 20 });
    expect(issues[0]).toMatchObject({ code: "E_GUARD_PRICE_SCALE" });
  });

  it("sends no price with --resend --yes before the unit is stated, and no wrong price afterwards", async () => {
    const shop = await openTestStore({ products: 3 });
    const before = shown(shop);
    const lines = before.map(({ code, price }, index) => ({
      code,
      price: index === 0 ? price * 100 : price + 100,
    }));
    const file = pricesFile(shop, "karma.csv", lines);
    const { run } = await shop.json("import", file, "--yes");

    const unproven = await shop.json("release", run, "--rows", "2-3", "--resend", "--yes");
    const untouched = shown(shop);
    const resumed = await shop.json("resume", run, "--price-unit", "minor");

    expect([unproven.exit, unproven.released]).toMatchObject([
      5,
      [
        { row: 2, to: "held", code: "E_RELEASE_PRICE_UNIT" },
        { row: 3, to: "held", code: "E_RELEASE_PRICE_UNIT" },
      ],
    ]);
    expect(untouched).toEqual(before);
    expect(resumed).toMatchObject({
      counts: { updated: 2, held: 1 },
      issues: [{ row: 2, code: "E_GUARD_PRICE_SCALE" }],
    });
    expect(shown(shop)).toEqual([before[0], ...lines.slice(1)]);
  });

  it("learns the unit from the products that a file adds, and sends the other rows", async () => {
    const shop = await openTestStore({ products: 3, personality: { prices: "major" } });
    const [small, slip, same] = shown(shop);
    const rows = [toRow(small, 1.2), toRow(slip, 100), toRow(same), ...goodRows(2)];
    const file = await writeWorkbook(shop.folder, "karma.xlsx", rows);

    const {
      counts,
      planned,
      issues,
      warnings,
      exit: code,
    } = await shop.json("import", file, "--yes");
    expect(planned).toMatchObject({ add: 2, update: 0, held: 3 });
    expect([code, counts]).toMatchObject([5, { added: 2, updated: 1, held: 1, unchanged: 1 }]);
    expect(issues).toMatchObject([{ row: 3, code: "E_GUARD_PRICE_SCALE" }]);
    expect(warnings).toEqual([]);
  });
});
