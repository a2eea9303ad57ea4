import { priceMinor } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createPriceSamples } from "../../src/rows/pricing.ts";
import type { CellTrait, CellValue } from "../../src/source-row.ts";
import type { NumberNotations } from "../../src/values/notation.ts";
import { brief, mapOne, mapSheet } from "../helpers/map-sheet.ts";

/** The price part of a row's changes, or its issues. */
const price = async (header: string, cells: readonly CellValue[]): Promise<unknown> => {
  const row = await mapOne(`SKU|${header}`, ["K1", ...cells]);
  if (row.issues.length > 0) return brief(row.issues).join(", ");
  const { product_code: _, ...changes } = row.changes;
  return changes;
};

type Case = readonly [string, readonly CellValue[], unknown];
const discount = (type: number, value: number): object => ({
  has_discount: true,
  discount_type: type,
  discount_value: value,
});

describe("the currency of a row", () => {
  const cases: readonly Case[] = [
    ["Fiyat|Para Birimi", ["19,99", "₺"], { price: 1999, currency: "TL" }],
    ["Fiyat", ["19,99"], { price: 1999 }],
    ["Fiyat", ["19,99 TL"], { price: 1999, currency: "TL" }],
    ["Fiyat|Para Birimi", ["19,99 $", "USD"], { price: 1999, currency: "USD" }],
    ["Fiyat|Para Birimi", ["19,99 $", "TL"], "B2 E_PRICE_CURRENCY"],
    ["Fiyat|Piyasa Fiyatı", ["19,99 $", "29,99 €"], "C2 E_PRICE_CURRENCY"],
    ["Fiyat|Para Birimi", ["19,99 $", "GBP"], "C2 E_VALUE_UNKNOWN"],
  ];
  for (const [header, cells, expected] of cases) {
    it(`is as expected for ${header} ${JSON.stringify(cells)}`, async () => {
      expect(await price(header, cells)).toEqual(expected);
    });
  }
});

describe("the list price of a row", () => {
  const cases: readonly Case[] = [
    ["Fiyat|Piyasa Fiyatı", ["80", "100"], { price: 10000, ...discount(3, 8000) }],
    ["Fiyat|Piyasa Fiyatı", ["80", ""], { price: 8000 }],
    ["Fiyat|Piyasa Fiyatı", ["80", "80"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", "70"], "C2 E_DISCOUNT"],
    ["Fiyat|Piyasa Fiyatı", ["80", "0"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", "0,00 TL"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", "₺0.00"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", 0], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", "-"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", "—"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı", ["80", "-5"], "C2 E_PRICE_NOT_POSITIVE"],
    ["Fiyat|Piyasa Fiyatı", ["80", "yok"], "C2 E_NOT_A_NUMBER"],
    ["Stok|Piyasa Fiyatı", ["5", "0"], { stock_count: 5 }],
    [
      "Fiyat|Piyasa Fiyatı|İndirimli Fiyat",
      ["80", "0", "60"],
      { price: 8000, ...discount(3, 6000) },
    ],
    [
      "Fiyat|Piyasa Fiyatı|İndirimli Fiyat",
      ["80", "100", "0"],
      { price: 10000, ...discount(3, 8000) },
    ],
    ["Fiyat|Piyasa Fiyatı|İndirimli Fiyat", ["80", "0", "-"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı|İndirimli Fiyat", ["80", "100", "60"], "D2 E_DISCOUNT"],
    ["Fiyat|Piyasa Fiyatı", ["", "70"], "C2 E_DISCOUNT"],
    ["Fiyat|Piyasa Fiyatı", ["x", "70"], "B2 E_NOT_A_NUMBER"],
    ["Fiyat|Piyasa Fiyatı", ["80", "<SİL>"], { price: 8000, has_discount: false }],
    ["Fiyat|Piyasa Fiyatı|İndirim Tutarı", ["80", "100", "5"], "D2 E_DISCOUNT"],
    ["Fiyat|Piyasa Fiyatı|İndirim Tipi", ["80", "100", "Oran"], "D2 E_DISCOUNT"],
    ["Fiyat|Piyasa Fiyatı|İndirim Değeri", ["80", "100", "<SİL>"], "C2 E_DISCOUNT"],
    ["Fiyat|Piyasa Fiyatı|İndirim Tipi", ["80", "100", "<SİL>"], "C2 E_DISCOUNT"],
    [
      "Fiyat|Piyasa Fiyatı|İndirim Değeri",
      ["80", "80", "<SİL>"],
      { price: 8000, has_discount: false },
    ],
    [
      "Fiyat|Piyasa Fiyatı|İndirim Tipi",
      ["80", "100", "İndirimli Fiyat"],
      { price: 10000, ...discount(3, 8000) },
    ],
  ];
  for (const [header, cells, expected] of cases) {
    it(`is as expected for ${header} ${JSON.stringify(cells)}`, async () => {
      expect(await price(header, cells)).toEqual(expected);
    });
  }
});

describe("the discount of a row", () => {
  const both = "Fiyat|İndirim Tipi|İndirim Değeri";
  const cases: readonly Case[] = [
    [both, ["100", "İndirim Tutarı", "9,50"], { price: 10000, ...discount(1, 950) }],
    [both, ["100", "İndirim Oranı (%)", "20"], { price: 10000, ...discount(2, 20) }],
    [both, ["100", "%", "%20"], { price: 10000, ...discount(2, 20) }],
    [both, ["100", "İndirimli Fiyat", 79.9], { price: 10000, ...discount(3, 7990) }],
    [both, ["", "Tutar", "9,50"], discount(1, 950)],
    [both, ["100", "", ""], { price: 10000 }],
    [both, ["100", "Oran", "0"], "D2 E_DISCOUNT"],
    [both, ["100", "Oran", "100"], "D2 E_DISCOUNT"],
    [both, ["100", "Oran", 0.2], "D2 E_DISCOUNT"],
    [both, ["100", "Oran", "12,5"], "D2 E_DISCOUNT"],
    [both, ["100", "Tutar", "100"], "D2 E_DISCOUNT"],
    [both, ["100", "İndirimli Fiyat", "120"], "D2 E_DISCOUNT"],
    [both, ["100", "", "10"], "D2 E_DISCOUNT"],
    [both, ["100", "Oran", ""], "D2 E_DISCOUNT"],
    [both, ["100", "bedava", "10"], "C2 E_VALUE_UNKNOWN"],
    [both, ["100", "Oran", "<SİL>"], { price: 10000, has_discount: false }],
    [both, ["100", "<SİL>", "10"], "D2 E_DISCOUNT"],
    ["Fiyat|İndirim Tipi|İndirim Oranı", ["100", "<SİL>", "20"], "D2 E_DISCOUNT"],
    [both, ["100", "<SİL>", ""], { price: 10000, has_discount: false }],
    [both, ["x", "Tutar", "10"], "B2 E_NOT_A_NUMBER"],
    ["Fiyat|İndirim Tipi", ["100", "Oran"], "C2 E_DISCOUNT"],
    ["Fiyat|İndirim Oranı", ["100", "20"], { price: 10000, ...discount(2, 20) }],
    ["Fiyat|İndirimli Fiyat", ["100", "80"], { price: 10000, ...discount(3, 8000) }],
    ["Fiyat|İndirimli Fiyat", ["100", "100,00"], { price: 10000, has_discount: false }],
    ["Fiyat|İndirimli Fiyat", ["100", "0"], { price: 10000, has_discount: false }],
    ["Fiyat|İndirimli Fiyat", ["100", "-"], { price: 10000, has_discount: false }],
    ["Fiyat|İndirimli Fiyat", ["100", ""], { price: 10000 }],
    ["Fiyat|İndirimli Fiyat", ["100", "120"], "C2 E_DISCOUNT"],
    ["Fiyat|İndirim Tutarı", ["100", "100"], "C2 E_DISCOUNT"],
    ["Fiyat|İndirim Tipi|İndirim Oranı", ["100", "Tutar", "20"], "C2 E_DISCOUNT"],
  ];
  for (const [header, cells, expected] of cases) {
    it(`is as expected for ${header} ${JSON.stringify(cells)}`, async () => {
      expect(await price(header, cells)).toEqual(expected);
    });
  }
});

it("the amounts of a row that do not fit together are named in one notation, whatever the cell has", async () => {
  const list = await mapOne("SKU|Fiyat|Piyasa Fiyatı", ["K1", 34990, 1429.9]);
  const off = await mapOne("SKU|Fiyat|İndirim Tutarı", ["K1", 1000, "1500 TL"]);

  expect(list.issues[0]?.message).toEqual({
    tr: "Piyasa fiyatı (1.429,90), fiyattan (34.990,00) düşük olamaz.",
    en: "The list price (1,429.90) cannot be below the price (34,990.00).",
  });
  expect(off.issues[0]?.message.tr).toBe(
    "İndirim değeri (1.500,00), fiyattan (1.000,00) düşük olmalı.",
  );
});

it("the location of what a buyer pays is the price beside a list price, else the discount", async () => {
  const list = await mapOne("SKU|Fiyat|Piyasa Fiyatı", ["K1", "80", "100"]);
  const discounted = await mapOne("SKU|Fiyat|İndirimli Fiyat", ["K1", "100", "80"]);
  const plain = await mapOne("SKU|Fiyat", ["K1", "100"]);

  const cells = [list, discounted, plain].map((row) => row.locationOf("discount_value")?.cell);
  expect(cells).toEqual(["B2", "C2", undefined]);
});

/** The prices of a column in minor units, or their issues. */
const column = async (prices: readonly CellValue[], decimal?: "comma" | "point") => {
  const rows = prices.map((value, index) => [`K${index}`, value]);
  const header = "SKU|Fiyat";
  const sheet = await mapSheet(
    decimal === undefined ? { header, rows } : { header, rows, decimal },
  );
  return sheet.rows.map((row) => row.issues[0]?.code ?? row.changes.price);
};

describe("a column of prices", () => {
  it("is refused where no cell distinguishes thousands from decimals", async () => {
    expect(await column(["1.234", "2.500", 19.9])).toEqual([
      "E_NUMBER_AMBIGUOUS",
      "E_NUMBER_AMBIGUOUS",
      1990,
    ]);
  });

  it("is read with the decimal sign that the user named", async () => {
    expect(await column(["1.234", "2.500"], "comma")).toEqual([123400, 250000]);
    expect(await column(["1.234", "2.5"], "point")).toEqual(["E_PRICE_PRECISION", 250]);
  });

  it("is refused at the cells of the less frequent notation", async () => {
    expect(await column(["1.299,90", "2,5", "1,299.90", "1.234"])).toEqual([
      129990,
      250,
      "E_NUMBER_MIXED",
      "E_NUMBER_AMBIGUOUS",
    ]);
  });

  it("names a cell of each notation, with the signs", async () => {
    const { rows } = await mapSheet({
      header: "Ürün Kodu|Fiyat",
      rows: [
        ["K1", "1.250,00"],
        ["K2", "52.50"],
      ],
    });

    expect(rows[1]?.issues[0]?.message.tr).toBe(
      "Bu sütunda iki ayrı sayı yazımı var: “52.50” ondalık nokta, B2 “1.250,00” ise ondalık virgül ile yazılmış.",
    );
  });

  it("is refused at every unambiguous cell when both notations are equally frequent", async () => {
    expect(await column(["2,5", "2.5", "7"])).toEqual(["E_NUMBER_MIXED", "E_NUMBER_MIXED", 700]);
  });
});

const NOTATIONS: NumberNotations = {
  decimal: undefined,
  columns: new Map([[1, { decimal: "comma", isMixed: false }]]),
};

const sample = (header: readonly string[], cells: readonly (readonly (string | number)[])[]) => {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header });
  const prices = createPriceSamples(mapping, NOTATIONS);
  for (const [index, row] of cells.entries()) {
    prices.note(
      { row: index + 2, cells: row },
      { changes: { price: priceMinor.parse(1), currency: "USD" } },
    );
  }
  return prices.samples;
};

it("shows the first three distinct prices, in the currency of the cell or the row", () => {
  const prices = ["1.299,90 TL", "x", "2.500", "2.500", 19.5, "7"].map((text) => ["K", text]);

  expect(sample(["SKU", "Fiyat"], prices)).toEqual([
    { text: "1.299,90 TL", isNumberCell: false, minor: 129_990, currency: "TL" },
    { text: "2.500", isNumberCell: false, minor: 250_000, currency: "USD" },
    { text: "19.5", isNumberCell: true, minor: 1950, currency: "USD" },
  ]);
});

it("shows no sample for a file without prices", () => {
  expect(sample(["SKU", "Stok"], [["K", 5]])).toEqual([]);
});

it.each([
  ["Fiyat", "5,00", undefined, true],
  ["Fiyat (TL)", "5,00", undefined, undefined],
  ["Fiyat", "5,00 TL", undefined, undefined],
  ["Fiyat", "5,00", "USD", undefined],
] as const)("knows whether TL is assumed: %s, %s, %s", (header, text, currency, isAssumed) => {
  const prices = createPriceSamples(
    mapColumns({ sheet: "S", headerRow: 1, header: ["SKU", header] }),
    NOTATIONS,
  );

  prices.note(
    { row: 2, cells: ["K", text] },
    { changes: { price: priceMinor.parse(1), currency } },
  );

  expect(prices.samples[0]?.isAssumed).toBe(isAssumed);
});

const FORMULA: Readonly<Record<number, CellTrait>> = { 1: "formula" };

/** The price of a row in minor units, or its issues. */
async function read(
  value: number,
  format: string,
  traits: Readonly<Record<number, CellTrait>> = FORMULA,
): Promise<unknown> {
  const row = await mapOne("SKU|Fiyat", ["K1", value], { formats: { 1: format }, traits });
  return row.issues.length > 0 ? brief(row.issues).join(", ") : row.changes.price;
}

describe("a price that a formula computes", () => {
  it.each([
    [1299.6347, "#,##0.00", 129963],
    [1299.6347, '#,##0.00" TL"', 129963],
    [1299.635, "#,##0.00", 129964],
    [0.1 + 0.2, "0.00", 30],
  ])("is read as the cell displays it where that is two decimals: %s as %s", async (...given) => {
    const [value, format, expected] = given;

    expect(await read(value, format)).toBe(expected);
  });

  it.each([
    [1299.6347, "#,##0", "B2 E_PRICE_PRECISION"],
    [1299.6, "#,##0", "B2 E_CELL_FORMAT"],
    [1299.6347, "0.0", "B2 E_PRICE_PRECISION"],
    [1299.6347, "0.000", "B2 E_PRICE_PRECISION"],
    [1299.6347, "General", "B2 E_PRICE_PRECISION"],
    [0.129_963_47, "0.00%", "B2 E_PRICE_PRECISION"],
    [1_299_634.7, "0.00,", "B2 E_CELL_FORMAT"],
    [0.001, "0.00", "B2 E_PRICE_PRECISION"],
    [1299.6347, '[$$-409]#,##0.00"x"', "B2 E_PRICE_PRECISION"],
  ])("is an issue where the cell displays anything else: %s as %s", async (...given) => {
    const [value, format, expected] = given;

    expect(await read(value, format)).toBe(expected);
  });

  it("is an issue in a cell without a formula", async () => {
    expect(await read(1299.6347, "#,##0.00", {})).toBe("B2 E_PRICE_PRECISION");
  });
});
