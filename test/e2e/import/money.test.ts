import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";

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

    const { code, out } = await shop.run("import", file, "--yes", "--json");

    expect(code).toBe(3);
    const { issues } = JSON.parse(out);
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
    const afterPlan = await shop.run("plan", point, "--json", ...anyPrice);
    const accepted = await shop.run("import", comma, "--decimal", "comma", "--yes", ...anyPrice);
    const afterImport = await shop.run("plan", point, "--json");
    const asked = await shop.run("plan", doubtful, "--json");

    expect(JSON.parse(afterPlan.out)).toMatchObject({ counts: { invalid: 0 }, issues: [] });
    expect(accepted.code).toBe(0);
    expect(JSON.parse(afterImport.out)).toMatchObject({
      counts: { invalid: 0 },
      notes: expect.arrayContaining([expect.stringContaining("daha önce onayladığınız")]),
    });
    const { issues } = JSON.parse(asked.out);
    expect(issues.filter(({ row }: { readonly row: number }) => row === 3)).toMatchObject([
      { cell: "B3", code: "E_NUMBER_AMBIGUOUS", value: "1.250" },
    ]);
  });
});
