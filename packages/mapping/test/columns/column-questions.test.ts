import { describe, expect, it } from "vitest";

import { createColumnScan } from "../../src/columns/column-cells.ts";
import type { MapColumnsOptions } from "../../src/columns/column-mapping.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";
import type { CellValue } from "../../src/source-row.ts";
import { brief } from "../helpers/map-sheet.ts";

type Rows = readonly (readonly CellValue[])[];

/** Maps columns after examining the rows below them, as a plan does. */
function map(header: string, rows: Rows, rest: Partial<MapColumnsOptions> = {}) {
  const options = { sheet: "S", headerRow: 1, header: header.split("|"), ...rest };
  const scan = createColumnScan(mapColumns(options).watched);
  for (const row of rows) scan.observe(row);
  return mapColumns({ ...options, cells: scan.cells });
}

const choicesOf = (mapping: ReturnType<typeof mapColumns>) =>
  mapping.questions.map(({ header, choices }) => [header, ...choices.map((choice) => choice.map)]);

describe("a column of currencies", () => {
  it.each<readonly [string, Rows, readonly string[]]>([
    ["SKU|Fiyat|Birim", [["A", 1, "USD"]], ["C1 E_COLUMN_CURRENCY"]],
    [
      "SKU|Fiyat|Birim",
      [
        ["A", 1, "$"],
        ["B", 2, "£"],
        ["C", 3, ""],
      ],
      ["C1 E_COLUMN_CURRENCY"],
    ],
    [
      "SKU|Fiyat|Birim",
      [
        ["A", 1, "-"],
        ["B", 2, "Euro"],
      ],
      ["C1 E_COLUMN_CURRENCY"],
    ],
    [
      "SKU|Fiyat|Birim",
      [
        ["A", 1, "TL"],
        ["B", 2, "Adet"],
      ],
      [],
    ],
    ["SKU|Fiyat|Birim", [["A", 1, "Adet"]], []],
    [
      "SKU|Fiyat|Birim",
      [
        ["A", 1, "TL"],
        ["B", 2, "₺"],
        ["C", 3, "TRY"],
      ],
      [],
    ],
    ["SKU|Stok|Birim", [["A", 1, "USD"]], []],
    ["SKU|Fiyat|Para Birimi|Birim", [["A", 1, "TL", "USD"]], []],
    ["SKU|Fiyat|Para Birimi|Birim", [["A", 1, "", "USD"]], ["D1 E_COLUMN_CURRENCY"]],
    ["SKU|Fiyat|Para Birimi|Döviz", [["A", 1, "", "USD"]], ["D1 E_COLUMN_CURRENCY"]],
    ["SKU|Fiyat|Satış Döviz", [["A", 1, "1"]], ["C1 E_COLUMN_CURRENCY"]],
    ["SKU|Fiyat|Satış Döviz", [["A", 1, ""]], []],
    ["SKU|Fiyat|Alış Döviz|Satış Döviz", [["A", 1, "USD", "EUR"]], ["D1 E_COLUMN_CURRENCY"]],
    ["SKU|Fiyat|Döviz Kuru", [["A", 1, "41,20"]], []],
    ["SKU|Fiyat|Dövizli Fiyat", [["A", 1, "41,20"]], []],
  ])("with the header %s and the cells %j gives %j", (header, rows, expected) => {
    expect(brief(map(header, rows).issues)).toEqual(expected);
  });

  it("is found behind a hundred rows with placeholders", () => {
    const rows: Rows = [
      ...Array.from({ length: 300 }, () => ["A", 1, "-"] as const),
      ...Array.from({ length: 5 }, () => ["A", 1, "USD"] as const),
    ];

    expect(brief(map("SKU|Fiyat|X", rows).issues)).toEqual(["C1 E_COLUMN_CURRENCY"]);
  });

  it("is compared with the currency that is given for all rows", () => {
    const constants = new Map([["currency", "USD"]]);

    expect(map("SKU|Fiyat|Birim", [["A", 1, "USD"]], { constants }).issues).toEqual([]);
    expect(brief(map("SKU|Fiyat|Birim", [["A", 1, "TL"]], { constants }).issues)).toEqual([
      "C1 E_COLUMN_CURRENCY",
    ]);
  });

  it("is left out by hand without a further question", () => {
    const overrides = new Map([["Birim", "-"]]);

    expect(map("SKU|Fiyat|Birim", [["A", 1, "USD"]], { overrides }).issues).toEqual([]);
  });

  it("is unknown under another program's header as long as the file has no price", () => {
    const { columns, issues } = map("SKU|Stok|Döviz Cinsi", [["A", 1, "USD"]]);

    expect(issues).toEqual([]);
    expect(columns[2]?.target).toEqual({ kind: "unknown", suggestion: "currency" });
  });
});

it.each([
  ["Fiyat (USD)", "--set currency=USD"],
  ["Fiyat €", "--set currency=EUR"],
  ["GBP Fiyat", "convert the prices to TL"],
])(
  "a price whose header names another currency is refused when it is mapped as “%s” without its currency",
  (header, advice) => {
    const overrides = new Map([[header, "price"]]);
    const constants = new Map([["currency", "TL"]]);

    const mapping = map(`SKU|${header}`, [["A", 1]], { overrides });

    expect(brief(mapping.issues)).toEqual(["B1 E_HEADER_CURRENCY"]);
    expect(mapping.issues[0]?.suggestion?.en).toContain(advice);
    expect(map(`SKU|${header}`, [["A", 1]], { overrides, constants }).issues).toEqual([]);
    expect(map(`SKU|${header}|Döviz`, [["A", 1, "USD"]], { overrides }).issues).toEqual([]);
  },
);

describe("two price columns", () => {
  it("are asked about where the less certain header says more", () => {
    const rows: Rows = [["A", "100,00", "120,00"]];

    const mapping = map("SKU|Fiyat|Satış Fiyatı (KDV Dahil)", rows);

    expect(brief(mapping.issues)).toEqual(["C1 E_COLUMN_PRICE"]);
    expect(mapping.issues[0]?.message.en).toContain("(C: 120,00)");
    expect(mapping.issues[0]?.message.en).toContain("“Fiyat” (B: 100,00)");
  });

  it("are not asked about once one is chosen, or where one is empty", () => {
    const header = "SKU|Fiyat|Satış Fiyatı (KDV Dahil)";
    const overrides = new Map([["Fiyat", "price"]]);

    expect(map(header, [["A", 1, 2]], { overrides }).issues).toEqual([]);
    expect(map(header, [["A", 1, ""]]).issues).toEqual([]);
  });

  it("are resolved by the answer about a sale price, which may be the discounted price", () => {
    const header = "SKU|Fiyat|Sale price";
    const rows: Rows = [["A", 10, 8]];
    const overrides = new Map([["Sale price", "discount_value"]]);

    expect(choicesOf(map(header, rows))).toEqual([["Sale price", "price", "discount_value", "-"]]);
    expect(map(header, rows, { overrides }).columns[2]?.target).toEqual({
      kind: "field",
      field: "discount_value",
      discountType: 3,
    });
    expect(map(header, [["A", 10, ""]]).issues).toEqual([]);
    expect(map(header, [["A", 10, "Evet"]]).issues).toEqual([]);
    expect(map("SKU|Stok|Sale price", rows).issues).toEqual([]);
  });

  it("have answers that name the fields in the reader's language, and can be pasted", () => {
    const header = "SKU|Fiyat|Sale price";
    const rows: Rows = [["A", 10, 8]];
    const { tr = "", en = "" } = map(header, rows).issues[0]?.suggestion ?? {};
    const targetOf = (pasted: string) =>
      map(header, rows, { overrides: new Map([["Sale price", pasted]]) }).columns[2]?.target;
    const discount = { kind: "field", field: "discount_value", discountType: 3 };

    expect(tr).toContain('Fiyat: --map "Sale price=Fiyat" · İndirimli Fiyat: --map "Sale price=');
    expect(en).toContain('Price: --map "Sale price=Price" · Discounted Price: --map "Sale price=');
    for (const text of [tr, en]) {
      const pasted = [...text.matchAll(/--map "Sale price=([^"]+)"/gu)].map(
        ([, field = ""]) => field,
      );
      expect(pasted.join(" ")).not.toContain("_");
      expect(pasted.map((field) => targetOf(field))).toContainEqual(discount);
    }
  });

  it("are not asked about where only one header can be the price", () => {
    expect(choicesOf(map("SKU|Liste Fiyatı", [["A", 10]]))).toEqual([
      ["Liste Fiyatı", "list_price", "price", "-"],
    ]);
    expect(map("SKU|Birim Fiyat", [["A", ""]]).issues).toEqual([]);
  });
});

describe("quantity and discount columns", () => {
  it("are mapped to the stock and to a discount in a shop's export", () => {
    const { issues, columns } = map("SKU|Price|Quantity|İndirim Oranı", [["A", 1, 2, 3]]);

    expect(issues).toEqual([]);
    expect(columns.slice(2).map(({ target }) => target)).toMatchObject([
      { field: "stock" },
      { field: "discount_value", discountType: 2 },
    ]);
  });

  it("are asked about in a supplier's order or price list", () => {
    const mapping = map("SKU|Unit Price|Quantity|İndirim Oranı|Amount", [["A", 1, 2, 3, 4]]);

    expect(choicesOf(mapping)).toEqual([
      ["Quantity", "stock", "-"],
      ["İndirim Oranı", "discount_value", "-"],
    ]);
  });

  it("keep the kind of discount that their header states when a person maps them", () => {
    const overrides = new Map([["İndirim Oranı", "discount_value"]]);

    const { columns } = map("SKU|Tutar|İndirim Oranı", [["A", 1, 10]], { overrides });

    expect(columns[2]?.target).toMatchObject({ field: "discount_value", discountType: 2 });
  });
});

describe("a column of bare numbers", () => {
  it.each([
    ["Garanti", "İthalatçı Garantili", []],
    ["Garanti", 24, []],
    ["Garanti", 2, ["B1 E_COLUMN_NUMBERS"]],
    ["Garanti", "3", ["B1 E_COLUMN_NUMBERS"]],
    ["Garanti Türü", 2, ["B1 E_COLUMN_NUMBERS"]],
    ["warrantyType", 2, ["B1 E_COLUMN_NUMBERS"]],
    ["discountType", 1, ["B1 E_COLUMN_NUMBERS"]],
    ["İndirim Türü", 1, ["B1 E_COLUMN_NUMBERS"]],
    ["Garanti Tipi", 2, []],
    ["Garanti Tipi *", 2, []],
    ["warranty_type", 2, []],
    ["Discount Type", 1, []],
  ])("with the header “%s” and the cells %j gives %j", (header, value, expected) => {
    expect(brief(map(`SKU|${header}`, [["A", value]]).issues)).toEqual(expected);
  });

  it("is asked about where the numbers stand behind a thousand words", () => {
    const rows: Rows = [...Array.from({ length: 1000 }, () => ["A", "Yok"] as const), ["B", 2]];

    expect(brief(map("SKU|Garanti", rows).issues)).toEqual(["B1 E_COLUMN_NUMBERS"]);
  });

  it("is read as types below a machine key or a header that a person has mapped", () => {
    const overrides = new Map([["Garanti", "warranty_type"]]);

    expect(map("SKU|Garanti", [["A", 2]], { overrides }).issues).toEqual([]);
  });
});

it("a column that is not used is reported with the column that is used, each with its values", () => {
  const rows: Rows = [
    ["A", 120, 3],
    ["B", 90, 5],
    ["C", 80, 3],
    ["D", 70, 9],
  ];

  const { warnings, columns } = map("SKU|Stok Adedi|Stok (Min)", rows);

  expect(columns[2]?.target).toEqual({ kind: "unused" });
  expect(warnings.map(({ message }) => message)).toEqual([
    {
      tr: "“Stok (Min)” sütunu (C: 3 · 5 · 9) kullanılmadı: “Stok” alanı “Stok Adedi” (B: 120 · 90 · 80) sütunundan alındı.",
      en: "The column “Stok (Min)” (C: 3 · 5 · 9) was not used: “Stock” was taken from “Stok Adedi” (B: 120 · 90 · 80).",
    },
  ]);
});

describe("columns that a profile maps without a person's confirmation", () => {
  it("are in doubt where their header is", () => {
    const overrides = new Map([
      ["Kod", "product_code"],
      ["Fiyat (USD)", "price"],
      ["Adet", "stock"],
      ["Garanti", "warranty_type"],
    ]);
    const header = "Kod|Fiyat (USD)|Adet|Garanti";
    const rows: Rows = [["A", "12,50", 3, 2]];

    const sure = map(header, rows, { overrides, constants: new Map([["currency", "USD"]]) });
    const unconfirmed = new Set(overrides.keys());
    const unsure = map(header, rows, { overrides, unconfirmed });

    expect(sure.issues).toEqual([]);
    expect(brief(unsure.issues)).toEqual([
      "B1 E_COLUMN_UNSURE",
      "C1 E_COLUMN_UNSURE",
      "D1 E_COLUMN_NUMBERS",
    ]);
    expect(unsure.columns[0]?.target).toEqual({ kind: "field", field: "product_code" });
  });

  it("do not suppress the question about a sale price", () => {
    const overrides = new Map([["Fiyat", "price"]]);
    const unconfirmed = new Set(["Fiyat"]);
    const rows: Rows = [["A", 10, 8]];

    expect(map("SKU|Fiyat|Sale price", rows, { overrides }).issues).toEqual([]);
    expect(brief(map("SKU|Fiyat|Sale price", rows, { overrides, unconfirmed }).issues)).toEqual([
      "C1 E_COLUMN_PRICE",
    ]);
  });
});
