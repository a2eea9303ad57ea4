import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createCodeColumn } from "../../src/product-codes.ts";
import type { CellValue } from "../../src/source-row.ts";
import { createCellDisplays } from "../../src/values/shown-cells.ts";
import { id } from "../helpers/catalog.ts";
import { brief, mapOne } from "../helpers/map-sheet.ts";

const displays = createCellDisplays();

const shownOf = (value: number | string, code: string): string | undefined => {
  const display = displays.displayOf(value, code);
  return display === "unknown" ? display : display?.shown.en;
};

/** Compared with what LibreOffice 7.4 writes for such cells to a CSV file. */
const SHOWN: readonly (readonly [code: string, value: number, shown: string])[] = [
  ["#,##0.00", 1299.6347, "1,299.63"],
  ["0.00", 1.1, "1.10"],
  ["0.00", 19.989_999_999_999_998, "19.99"],
  ["[$$-409]#,##0.00", 12.5, "$12.50"],
  ["[$€-2]\\ #,##0.00", 12.5, "€ 12.50"],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 12.5, "$12.50"],
  ['_-* #,##0.00\\ "₺"_-', 12.5, "12.50 ₺"],
  ["#,##0.00\\ [$₺-41F]", 12.5, "12.50 ₺"],
  ["[$-41F]#,##0.00", 1212.5, "1,212.50"],
  ["[$₺-tr-TR]#,##0.00", 1299.9, "₺1,299.90"],
  ["_-[$₺-tr-TR]* #,##0.00_-", 1299.9, "₺1,299.90"],
  ["[$-tr-TR,1]0000000", 4711, "0004711"],
  ["#,##0.00\\ [$USD]", 12.5, "12.50 USD"],
  ["0.00 TL", 5, "5.00 TL"],
  ["£#,##0.00", 5, "£5.00"],
  ["0%", 0.15, "15%"],
  ["%0", 0.15, "%15"],
  ['0"%"', 15, "15%"],
  ["0.00%", 0.1234, "12.34%"],
  ['"TR"0000', 12, "TR0012"],
  ["000 000 000", 1_234_567, "001 234 567"],
  ['000"."000', 12_345, "012.345"],
  ["0000-000", 12_345, "0012-345"],
  ["(000) 000-0000", 5_551_234_567, "(555) 123-4567"],
  ["0,", 12_345, "12"],
  ['0.0,,"M"', 1_234_567, "1.2M"],
  ["# ?/?", 2.5, "2 1/2"],
  ["0.00E+00", 8_690_123_456_789, "8.69E+12"],
  ['[>100]0.00;"az"', 50, "az"],
  ['[=1]"Evet";[=0]"Hayır"', 0, "Hayır"],
  [";;;", 5, ""],
  ["0;;", 0, ""],
  ["00000;-00000", 12, "00012"],
  ["[Red]0.00", 5, "5.00"],
  ["#,##0", 1299.6, "1,300"],
  ["0*x", 5, "unknown"],
  ['General" TL"', 12.5, "12.5 TL"],
];

describe("the display of a cell", () => {
  it.each(SHOWN)("in format %s, holding %d, is %s", (code, value, shown) => {
    expect(shownOf(value, code)).toBe(shown);
  });

  it("uses the signs of either notation", () => {
    expect(displays.displayOf(1299.9, '#,##0.00 "TL"')).toMatchObject({
      shown: { tr: "1.299,90 TL", en: "1,299.90 TL" },
    });
  });

  it("distinguishes a point in quotes from the decimal sign", () => {
    expect(displays.displayOf(12_345, '000"."000')).toMatchObject({ number: undefined });
    expect(displays.displayOf(12.345, "00.000")).toMatchObject({ number: { digits: "12.345" } });
  });

  it.each(["General", "general", "GENERAL", "@"])("equals the number in format %s", (code) => {
    expect(displays.displayOf(8_690_123_456_789, code)).toBeUndefined();
  });

  it.each(["#,##0.00 USD", "0.00 EUR", "YTL 0.00"])(
    "has a currency that stands without quotes: %s",
    (code) => {
      expect(shownOf(5, code)).toMatch(/^(?:5\.00 (?:USD|EUR)|YTL 5\.00)$/u);
    },
  );

  it.each(["0.00 zloty ymd", "__proto__", "constructor", '0"', `0"${"x".repeat(300)}"`])(
    "is unknown for an invalid format: %s",
    (code) => {
      expect(shownOf(5, code)).toBe("unknown");
    },
  );

  it("includes the text that a format adds to a text", () => {
    expect(shownOf("0012", '"TR-"@')).toBe("TR-0012");
    expect(shownOf("0012", '0;0;0;"gizli"')).toBe("gizli");
  });
});

describe("isExact", () => {
  const cases = [
    ["0.00", 349.9, true],
    ["#,##0.00", 1299.63, true],
    ["#,##0.00", 1299.6347, false],
    ["#,##0", 1299.6, false],
    ["0", 25, true],
    ["0%", 1, false],
    ['0" adet"', 1, false],
    ["00000", 12, false],
  ] as const;
  it.each(cases)("in format %s, holding %d, is %s", (code, value, isExact) => {
    expect(displays.isExact(value, code)).toBe(isExact);
  });
});

type ShownCell = readonly [value: CellValue, format: string];

/** The changes of a row with one number cell, besides its code, or its issues. */
async function read(
  header: string,
  [value, format]: ShownCell,
  rest: readonly CellValue[] = [],
): Promise<unknown> {
  const row = await mapOne(`SKU|${header}`, ["K1", value, ...rest], { formats: { 1: format } });
  if (row.issues.length > 0) return brief(row.issues).join(", ");
  const { product_code: _, ...changes } = row.changes;
  return changes;
}

/** The code of a row, or its issues. */
async function readCode(value: CellValue, format: string): Promise<unknown> {
  const row = await mapOne("SKU|Başlık", [value, "x"], { formats: { 0: format } });
  return row.issues.length > 0 ? brief(row.issues).join(", ") : row.code;
}

const rate = (value: number): object => ({
  has_discount: true,
  discount_type: 2,
  discount_value: value,
});

const period = (months: number): object => ({ warranty_period: months });

describe("a currency in a number format", () => {
  const DOLLARS = [
    "[$$-409]#,##0.00",
    '"$"#,##0.00',
    "[$USD] 0.00",
    '0.00" USD"',
    "#,##0.00 USD",
    '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  ];
  it.each([...DOLLARS, "[$€-2]\\ #,##0.00", '#,##0.00\\ "€"'])(
    "is an issue where the row is in TL: %s",
    async (format) => {
      expect(await read("Fiyat", [12.5, format])).toBe("B2 E_PRICE_CURRENCY");
      expect(await read("Fiyat|Para Birimi", [12.5, format], ["TL"])).toBe("B2 E_PRICE_CURRENCY");
    },
  );

  it.each(DOLLARS)("agrees with the currency column: %s", async (format) => {
    expect(await read("Fiyat|Para Birimi", [12.5, format], ["USD"])).toEqual({
      price: 1250,
      currency: "USD",
    });
  });

  it.each([
    '#,##0.00\\ "₺"',
    "#,##0.00\\ [$₺-41F]",
    '0.00" TL"',
    "[$TRY] 0.00",
    "#,##0.00\\ [$YTL-41F]",
    '_-* #,##0.00\\ "TL"_-',
    '0.00" TL (KDV dahil)"',
    '"₺"0.00" TL"',
  ])("changes nothing where the row has it already: %s", async (format) => {
    expect(await read("Fiyat", [12.5, format])).toEqual({ price: 1250 });
  });

  it.each(["£#,##0.00", '0.00" kr"', '0.00" TL + KDV"', '"$"0.00" TL"'])(
    "is refused where it is not known: %s",
    async (format) => {
      expect(await read("Fiyat", [12.5, format])).toBe("B2 E_CELL_FORMAT");
    },
  );

  it("applies to every amount", async () => {
    expect(await read("Piyasa Fiyatı|Fiyat", [12.5, '"$"0.00'], [10])).toBe("B2 E_PRICE_CURRENCY");
    expect(await read("İndirim Tutarı|Fiyat", [12.5, '"$"0.00'], [100])).toBe(
      "B2 E_PRICE_CURRENCY",
    );
  });

  it("is reported with the displayed amount, in either language", async () => {
    const { issues } = await mapOne("SKU|Fiyat", ["K1", 1212.5], { formats: { 1: '"$"#,##0.00' } });

    expect(issues).toMatchObject([
      {
        value: "1212.5",
        message: {
          tr: "Hücrede “$1.212,50” görünüyor; bu para birimi, satırın para birimiyle (TL) aynı değil.",
          en: "The cell shows “$1,212.50”, which is not in the row's currency (TL).",
        },
      },
    ]);
  });

  it("is refused beside another currency in the text", async () => {
    const row = await mapOne("SKU|Fiyat|Piyasa Fiyatı", ["K1", 12.5, "20 $"], {
      formats: { 1: '0.00" TL"' },
    });

    expect(brief(row.issues)).toEqual(["C2 E_PRICE_CURRENCY"]);
  });
});

describe("an amount in a number cell", () => {
  const cases: readonly (readonly [format: string, value: number, expected: unknown])[] = [
    ["0.00", 349.9, { price: 34_990 }],
    ["#,##0.00", 1299.9, { price: 129_990 }],
    ["#,##0.00_);[Red]\\(#,##0.00\\)", 1299.9, { price: 129_990 }],
    ["# ##0.00", 1299.9, { price: 129_990 }],
    ["0.##", 349.9, { price: 34_990 }],
    ["0.00", 19.989_999_999_999_998, { price: 1999 }],
    ["@", 349.9, { price: 34_990 }],
    ["General", 349.9, { price: 34_990 }],
    ["[>100]0.00;0.0", 350, { price: 35_000 }],
    ["#,##0", 1299.6, "B2 E_CELL_FORMAT"],
    ["0.0", 349.95, "B2 E_CELL_FORMAT"],
    ["#,##0.00", 1299.6347, "B2 E_PRICE_PRECISION"],
    ["0,", 12_345, "B2 E_CELL_FORMAT"],
    ['0"00"', 12, "B2 E_CELL_FORMAT"],
    ['0" bin"', 12, "B2 E_CELL_FORMAT"],
    ['0"k"', 12, "B2 E_CELL_FORMAT"],
    ['0.0,,"M"', 1_200_000, "B2 E_CELL_FORMAT"],
    ['000"."000', 12_345, "B2 E_CELL_FORMAT"],
    ["# ?/?", 2.5, "B2 E_CELL_FORMAT"],
    ["0%", 0.5, "B2 E_CELL_FORMAT"],
    ['[>100]0.00;"sorunuz"', 50, "B2 E_CELL_FORMAT"],
    [";;;", 50, "B2 E_CELL_FORMAT"],
    ["0.00 zloty ymd", 50, "B2 E_CELL_FORMAT"],
    ["0.00", -5, "B2 E_PRICE_NOT_POSITIVE"],
  ];
  it.each(cases)("in format %s, holding %d, is %j", async (format, value, expected) => {
    expect(await read("Fiyat", [value, format])).toEqual(expected);
  });

  it("is refused with both readings where it is displayed rounded", async () => {
    const formats = { 1: "#,##0", 2: "#,##0.00" };
    const { issues } = await mapOne("SKU|Fiyat|Piyasa Fiyatı", ["K1", 1299.6, 1299.6347], {
      formats,
    });

    expect(issues.map(({ message }) => message.tr)).toEqual([
      "Hücrede “1.300” görünüyor ama içindeki değer “1299,6”.",
      "Hücrede “1.299,63” görünüyor ama içindeki sayı “1299,6347”; ikiden çok ondalık basamağı var.",
    ]);
  });
});

describe("a stock count in a number cell", () => {
  const cases: readonly (readonly [format: string, value: number, expected: unknown])[] = [
    ["0", 25, { stock_count: 25 }],
    ["#,##0", 1250, { stock_count: 1250 }],
    ['0 "adet"', 25, { stock_count: 25 }],
    ['0" Ad."', 25, { stock_count: 25 }],
    ["00000", 25, { stock_count: 25 }],
    ["0", 2.5, "B2 E_NOT_INTEGER"],
    ["0,", 25_000, "B2 E_CELL_FORMAT"],
    ['0" koli"', 25, "B2 E_CELL_FORMAT"],
    ["0%", 1, "B2 E_CELL_FORMAT"],
    ['"var";;"yok"', 25, "B2 E_CELL_FORMAT"],
  ];
  it.each(cases)("in format %s, holding %d, is %j", async (format, value, expected) => {
    expect(await read("Stok", [value, format])).toEqual(expected);
  });
});

describe("a discount rate in a number cell", () => {
  const cases: readonly (readonly [format: string, value: number, expected: unknown])[] = [
    ["0%", 0.15, rate(15)],
    ["0.00%", 0.07, rate(7)],
    ["%0", 0.15, rate(15)],
    ['0"%"', 15, rate(15)],
    ["0", 15, rate(15)],
    ["General", 15, rate(15)],
    ["General", 0.15, "B2 E_DISCOUNT"],
    ["0%", 1, "B2 E_DISCOUNT"],
    ["0%", 15, "B2 E_DISCOUNT"],
    ["0.0%", 0.155, "B2 E_DISCOUNT"],
    ["0%", 0.155, "B2 E_CELL_FORMAT"],
    ['0.00" TL"', 15, "B2 E_CELL_FORMAT"],
  ];
  it.each(cases)("in format %s, holding %d, is %j", async (format, value, expected) => {
    expect(await read("İndirim Oranı", [value, format])).toEqual(expected);
  });
});

describe("a product code in a number cell", () => {
  const cases: readonly (readonly [format: string, value: CellValue, expected: string])[] = [
    ["General", 12, "12"],
    ["0", 8_690_123_456_789, "8690123456789"],
    ["@", 8_690_123_456_789, "8690123456789"],
    ["00000;-00000", 12, "00012"],
    ["[$-41F]00000", 12, "00012"],
    ['"TR"0000', 12, "A2 E_CELL_FORMAT"],
    ['"KSK-"000', 7, "A2 E_CELL_FORMAT"],
    ["000 000 000", 1_234_567, "A2 E_CELL_FORMAT"],
    ['000"."000', 12_345, "A2 E_CELL_FORMAT"],
    ['0"-A"', 55, "A2 E_CELL_FORMAT"],
    ["0000-000", 12_345, "A2 E_CELL_FORMAT"],
    ["#,##0", 1500, "A2 E_CELL_FORMAT"],
    ["0.00", 5, "A2 E_CELL_FORMAT"],
    ["0.00E+00", 8_690_123_456_789, "A2 E_CELL_FORMAT"],
    ["0%", 1, "A2 E_CELL_FORMAT"],
    ['"$"0', 12, "A2 E_CELL_FORMAT"],
    [";;;", 12, "A2 E_CELL_FORMAT"],
    ["0", 12.4, "A2 E_CODE_NOT_TEXT"],
    ['"TR-"@', "0012", "A2 E_CELL_FORMAT"],
    ["@", "0012", "0012"],
  ];
  it.each(cases)("in format %s, holding %j, is %s", async (format, value, expected) => {
    expect(await readCode(value, format)).toBe(expected);
  });

  it("is refused with both readings where they differ", async () => {
    const { issues } = await mapOne("SKU", [12], { formats: { 0: '"TR"0000' } });

    expect(issues).toMatchObject([
      {
        cell: "A2",
        value: "12",
        message: {
          tr: "Hücrede “TR0012” görünüyor ama içindeki değer “12”.",
          en: "The cell shows “TR0012” but holds “12”.",
        },
      },
    ]);
  });

  it("is refused by createCodeColumn too", () => {
    const mapping = mapColumns({ sheet: "S", headerRow: 1, header: ["SKU"] });
    const codes = createCodeColumn("S", mapping);

    expect(codes.read({ row: 2, cells: [12], formats: { 0: '"TR"0000' } })).toBeUndefined();
    expect(codes.read({ row: 2, cells: [12], formats: { 0: "00000;0" } })?.code).toBe("00012");
  });
});

describe("a text in a number cell", () => {
  const cases: readonly (readonly [format: string, value: CellValue, expected: string])[] = [
    ["General", 1.1, "1.1"],
    ["General", 0.1 + 0.2, "0.3"],
    ["General", 2024, "2024"],
    ["0.00", 1.1, "1.10"],
    ["0.000", 1.5, "1.500"],
    ["00000", 12, "00012"],
    ["#,##0", 1500, "B2 E_CELL_FORMAT"],
    ["#,##0", 150, "150"],
    ["0", 1.5, "B2 E_CELL_FORMAT"],
    ["0%", 0.5, "B2 E_CELL_FORMAT"],
    ['"TR"0000', 12, "B2 E_CELL_FORMAT"],
    ["General", 1e21, "B2 E_CELL_FORMAT"],
    ["General", true, "B2 E_CELL_FORMAT"],
    ['@" (yeni)"', "Kaşık", "B2 E_CELL_FORMAT"],
  ];
  it.each(cases)("in format %s, holding %j, is %s", async (format, value, expected) => {
    for (const [header, field] of [
      ["Model", "brand_model"],
      ["Başlık", "title"],
    ] as const) {
      const found = await read(header, [value, format]);
      expect(found).toEqual(expected.startsWith("B2 ") ? expected : { [field]: expected });
    }
  });

  it("is ignored in a column that is not sent", async () => {
    const row = await mapOne("SKU|Not|Benim sütunum", ["K1", 12, 12], {
      formats: { 1: '"TR"0', 2: '"TR"0' },
    });

    expect(row.issues).toEqual([]);
  });
});

describe("a keyword in a number cell", () => {
  const cases: readonly (readonly [header: string, cell: ShownCell, expected: unknown])[] = [
    ["Garanti Süresi", [24, "General"], period(24)],
    ["Garanti Süresi", [24, "0.00"], period(24)],
    ["Garanti Süresi", [24, '0 "Ay"'], period(24)],
    ["Garanti Süresi", [2, '0" Yıl"'], period(24)],
    ["Garanti Süresi", [24, '0" Yıl"'], "B2 E_VALUE_UNKNOWN"],
    ["Garanti Süresi", [23.7, '0" Ay"'], "B2 E_CELL_FORMAT"],
    ["Garanti Süresi", [23.7, "0"], "B2 E_CELL_FORMAT"],
    ["Garanti Tipi", [2, "0.0"], { warranty_type: 2 }],
    ["Kişiselleştirme", [1, '"Evet";;"Hayır"'], { custom_order_input: true }],
    ["Kişiselleştirme", [0, '"Evet";;"Hayır"'], { custom_order_input: false }],
    ["Kişiselleştirme", [1, '"Hayır";;"Evet"'], { custom_order_input: false }],
    ["Kişiselleştirme", [true, "General"], { custom_order_input: true }],
    ["Garanti Süresi", [24, ";;;"], "B2 E_CELL_FORMAT"],
  ];
  it.each(cases)("in the column %s, holding %j, is %j", async (header, cell, expected) => {
    expect(await read(header, cell)).toEqual(expected);
  });

  it("is looked up as displayed, then as stored", async () => {
    const header = "SKU|Kategori|Özellik: Renk";
    const cells = ["K1", "Ev > Mutfak > Kaşık", 42];
    const shown = await mapOne(header, cells, { formats: { 2: '"Siyah"' } });
    const other = await mapOne(header, cells, { formats: { 2: '0" numara"' } });

    expect(shown.changes.properties).toEqual([{ property_id: id(0x31), option_id: id(0x42) }]);
    expect(other.issues).toMatchObject([{ code: "E_OPTION_UNKNOWN", value: "42 numara" }]);
  });
});
