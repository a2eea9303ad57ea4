import { describe, expect, it } from "vitest";

import { goodRow, writeWorkbook } from "../helpers/product-sheet.ts";
import { openShop } from "../helpers/shop.ts";

const sentPrices = (shop: Awaited<ReturnType<typeof openShop>>): number[] =>
  shop.sandbox
    .products()
    .toSorted((a, b) => (a.product_code < b.product_code ? -1 : 1))
    .map(({ price }) => price);

describe("prices", () => {
  it("are sent exactly, from text and from number cells", async () => {
    const shop = await openShop();
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

  it("are refused while nothing in the column tells what a lone 1.234 means", async () => {
    const shop = await openShop();
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
  ])("are read with --decimal %s when that is said", async (decimal, expected) => {
    const shop = await openShop();
    const price = decimal === "comma" ? "1.234" : "1.23";
    const file = await writeWorkbook(shop.folder, "f.xlsx", [goodRow(1, { "Fiyat *": price })]);

    const { code } = await shop.run("import", file, "--yes", "--json", "--decimal", decimal);

    expect(code).toBe(0);
    expect(sentPrices(shop)).toEqual([expected]);
  });
});
