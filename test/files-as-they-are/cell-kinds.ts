/** Kinds of cells: what a workbook shows and what it stores are not the same. */

import { codeOf, type Facts, type Kind, LISTED, type Row, rowOf, xlsxOf } from "./kind.ts";
import { type BookCell, formula, makeWorkbook, shown, typed } from "./make-workbook.ts";

interface CellKind {
  readonly name: string;
  readonly header: string;
  readonly cell: BookCell;
  readonly reads: Partial<Facts>;
  readonly must: Kind["must"];
  readonly code?: RegExp;
  /** LibreOffice calculates what is missing, and has no other format for truth. */
  readonly isXlsxOnly?: boolean;
  /** Codes with zeros before them stand apart from other digits, which would look as if they lost theirs. */
  readonly isApart?: boolean;
}

const [CODE, TITLE, MODEL, PRICE, STOCK] = [
  "Ürün Kodu *",
  "Başlık *",
  "Model *",
  "Fiyat *",
  "Stok *",
] as const;
const DISCOUNT = { "İndirim Tipi": "Yüzde" };

/** One cell each, beside a row that is otherwise good. */
export const CELL_KINDS: readonly CellKind[] = [
  {
    name: "a price shown with two decimals",
    header: PRICE,
    cell: shown(1299.9, "#,##0.00"),
    reads: { price: 129_990 },
    must: "sent",
  },
  {
    name: "a price shown in lira",
    header: PRICE,
    cell: shown(1299.9, '#,##0.00" TL"'),
    reads: { price: 129_990 },
    must: "sent",
  },
  {
    name: "a price shown with the sign of the lira",
    header: PRICE,
    cell: shown(1299.9, "[$₺-41F]#,##0.00"),
    reads: { price: 129_990 },
    must: "sent",
  },
  {
    name: "a price shown in dollars (F3)",
    header: PRICE,
    cell: shown(12.5, "[$$-409]#,##0.00"),
    reads: {},
    must: "refused",
  },
  {
    name: "a price shown as USD (F3)",
    header: PRICE,
    cell: shown(12.5, "[$USD] 0.00"),
    reads: {},
    must: "refused",
  },
  {
    name: "a price shown in euros behind (F3)",
    header: PRICE,
    cell: shown(12.5, '0.00" €"'),
    reads: {},
    must: "refused",
  },
  {
    name: "a price shown in pounds (F3)",
    header: PRICE,
    cell: shown(12.5, "[$£-809]#,##0.00"),
    reads: {},
    must: "refused",
  },
  {
    name: "a price calculated to four decimals, shown with two (F16)",
    header: PRICE,
    cell: shown(1299.6347, "#,##0.00"),
    reads: { price: 129_963 },
    must: "safe",
  },
  {
    name: "a price shown without its decimals (F16)",
    header: PRICE,
    cell: shown(1299.6, "#,##0"),
    reads: { price: 130_000 },
    must: "safe",
  },
  {
    name: "a price with binary noise",
    header: PRICE,
    cell: 19.989999999999998,
    reads: { price: 1999 },
    must: "sent",
  },
  {
    name: "a price that is a date",
    header: PRICE,
    cell: shown(46_082, "dd\\.mm\\.yyyy"),
    reads: {},
    must: "refused",
    code: /^E_CELL_DATE$/u,
  },
  {
    name: "a price in percent (F20)",
    header: PRICE,
    cell: shown(0.15, "0%"),
    reads: {},
    must: "refused",
  },
  {
    name: "a price from a formula",
    header: PRICE,
    cell: formula("499/2", "<v>249.5</v>"),
    reads: { price: 24_950 },
    must: "sent",
  },
  {
    name: "a price from a formula without a result",
    header: PRICE,
    cell: formula("499/2", ""),
    isXlsxOnly: true,
    reads: {},
    must: "refused",
  },
  {
    name: "a price that is an error",
    header: PRICE,
    cell: typed("e", "#N/A"),
    reads: {},
    must: "refused",
    code: /^E_CELL_ERROR$/u,
  },
  {
    name: "a price that is TRUE",
    header: PRICE,
    cell: typed("b", "1"),
    isXlsxOnly: true,
    reads: {},
    must: "refused",
  },
  {
    name: "a price as text in dollars",
    header: PRICE,
    cell: "12,50 $",
    reads: {},
    must: "refused",
  },
  {
    name: "a price as text in lira",
    header: PRICE,
    cell: "1.299,90 ₺",
    reads: { price: 129_990 },
    must: "sent",
  },
  {
    name: "a price in the accounting format",
    header: PRICE,
    cell: shown(75, '_-* #,##0.00\\ "₺"_-;-* #,##0.00\\ "₺"_-'),
    reads: { price: 7500 },
    must: "sent",
  },
  {
    name: "a code of digits shown with zeros before",
    header: CODE,
    cell: shown(1201, "000000"),
    reads: { product_code: "001201" },
    must: "sent",
    isApart: true,
  },
  {
    name: "a code shown with letters before (F6)",
    header: CODE,
    cell: shown(12, '"TR"0000'),
    reads: { product_code: "TR0012" },
    must: "safe",
  },
  {
    name: "a code shown with a group of letters (F6)",
    header: CODE,
    cell: shown(7, '"KSK-"000'),
    reads: { product_code: "KSK-007" },
    must: "safe",
  },
  {
    name: "a code shown in groups (F6)",
    header: CODE,
    cell: shown(1_234_567, "000 000 000"),
    reads: { product_code: "001 234 567" },
    must: "safe",
  },
  {
    name: "a code shown with a point (F6)",
    header: CODE,
    cell: shown(12_345, '000"."000'),
    reads: { product_code: "012.345" },
    must: "safe",
  },
  {
    name: "a code shown with letters behind (F6)",
    header: CODE,
    cell: shown(55, '0"-A"'),
    reads: { product_code: "55-A" },
    must: "safe",
  },
  {
    name: "a code shown with a dash (F6)",
    header: CODE,
    cell: shown(12_346, "0000-000"),
    reads: { product_code: "0012-346" },
    must: "safe",
  },
  {
    name: "a code that Excel made a date",
    header: CODE,
    cell: shown(46_082, "yyyy\\-mm\\-dd"),
    reads: {},
    must: "refused",
    code: /^E_CODE_NOT_TEXT$/u,
  },
  {
    name: "a code that Excel shows in powers of ten",
    header: CODE,
    cell: "8.69012E+12",
    reads: {},
    must: "refused",
  },
  {
    name: "a code with more digits than Excel keeps",
    header: CODE,
    cell: 12_345_678_901_234_567_000,
    reads: {},
    must: "refused",
  },
  {
    name: "a code of digits in a number cell",
    header: CODE,
    cell: 8_690_123_456_789,
    reads: { product_code: "8690123456789" },
    must: "sent",
  },
  {
    name: "a code as text with zeros before",
    header: CODE,
    cell: "000779",
    reads: { product_code: "000779" },
    must: "sent",
    isApart: true,
  },
  {
    name: "a model shown with a zero behind (F21)",
    header: MODEL,
    cell: shown(1.1, "0.00"),
    reads: { brand_model: "1.10" },
    must: "safe",
  },
  {
    name: "a model shown in thousands (F21)",
    header: MODEL,
    cell: shown(1500, "#,##0"),
    reads: { brand_model: "1.500" },
    must: "safe",
  },
  {
    name: "a model of many digits (F21)",
    header: MODEL,
    cell: 1e21,
    reads: { brand_model: "1000000000000000000000" },
    must: "safe",
  },
  {
    name: "a model that is TRUE (F21)",
    header: MODEL,
    cell: typed("b", "1"),
    isXlsxOnly: true,
    reads: { brand_model: "DOĞRU" },
    must: "safe",
  },
  {
    name: "a model in percent (F21)",
    header: MODEL,
    cell: shown(0.5, "0%"),
    reads: { brand_model: "50%" },
    must: "safe",
  },
  {
    name: "a model that is a listed one with a plus (F5)",
    header: MODEL,
    cell: `${LISTED.model}+`,
    reads: { brand_model: `${LISTED.model}+` },
    must: "safe",
  },
  {
    name: "a model with a minus before (F5)",
    header: MODEL,
    cell: "-20°C",
    reads: { brand_model: "-20°C" },
    must: "sent",
  },
  {
    name: "a brand that is a listed one with a plus (F5)",
    header: "Marka *",
    cell: `${LISTED.brand}+`,
    reads: {},
    must: "refused",
    code: /^E_BRAND_UNKNOWN$/u,
  },
  {
    name: "a title in several runs",
    header: TITLE,
    cell: {
      xml: 'inlineStr|<is><r><t>Çelik</t></r><r><t xml:space="preserve"> Kaşık</t></r></is>',
    },
    reads: { title: "Çelik Kaşık" },
    must: "sent",
  },
  {
    name: "a title with signs",
    header: TITLE,
    cell: "Pro+ %50 #1 <XL>",
    reads: { title: "Pro+ %50 #1 <XL>" },
    must: "sent",
  },
  {
    name: "a title that looks like a formula",
    header: TITLE,
    cell: "=1+1",
    reads: { title: "=1+1" },
    must: "sent",
  },
  {
    name: "a title from a formula",
    header: TITLE,
    cell: { xml: 'str|<f>"Tabak"</f><v>Tabak</v>' },
    reads: { title: "Tabak" },
    must: "sent",
  },
  {
    name: "a stock in a number cell",
    header: STOCK,
    cell: shown(1200, "#,##0"),
    reads: { stock_count: 1200 },
    must: "sent",
  },
  {
    name: "a stock shown with its unit",
    header: STOCK,
    cell: shown(12, '0" adet"'),
    reads: { stock_count: 12 },
    must: "safe",
  },
  { name: "a stock of one and a half", header: STOCK, cell: 1.5, reads: {}, must: "refused" },
  {
    name: "a stock shown rounded",
    header: STOCK,
    cell: shown(1.5, "0"),
    reads: { stock_count: 2 },
    must: "safe",
  },
  {
    name: "a stock that is a date",
    header: STOCK,
    cell: shown(12, "d mmm"),
    reads: {},
    must: "refused",
  },
];

/** Cell kinds that stand in one sheet, each in a row of its own from row 2 on. */
export interface CellSheet {
  readonly name: "codes" | "cells";
  readonly kinds: readonly (CellKind & { readonly facts: Facts })[];
  readonly rows: readonly Row[];
}

const toSheet = (name: CellSheet["name"], kinds: readonly CellKind[]): CellSheet => ({
  name,
  kinds: kinds.map((kind, at) => ({
    ...kind,
    facts: { product_code: `${name}-${at + 1}`, ...kind.reads },
  })),
  rows: kinds.map(({ header, cell }, at) => ({
    ...rowOf(),
    [CODE]: `${name}-${at + 1}`,
    [header]: cell,
  })),
});

const isCode = ({ header, isApart = false }: CellKind): boolean => header === CODE && !isApart;

export const CELL_SHEETS: readonly CellSheet[] = [
  toSheet("codes", CELL_KINDS.filter(isCode)),
  toSheet(
    "cells",
    CELL_KINDS.filter((kind) => !isCode(kind)),
  ),
];

const discountRow = (cell: BookCell): Row => rowOf({ ...DISCOUNT, "İndirim Değeri": cell });

function one(
  name: string,
  row: Row,
  rest: Pick<Kind, "must"> & Partial<Kind> & { readonly facts?: Partial<Facts> },
): Kind {
  const { facts, ...more } = rest;
  return {
    name,
    file: "a.xlsx",
    content: () => xlsxOf([row]),
    reads: [{ product_code: codeOf(row), ...facts }],
    ...more,
  };
}

const zeros = ["00123", 124, "00125"].map((code) => ({ ...rowOf(), "Ürün Kodu *": code }));
const hiddenRow = rowOf();
const merged = rowOf();
const second = rowOf();
const date1904 = { ...rowOf(), "Ürün Kodu *": shown(44_620, "yyyy\\-mm\\-dd") };
const table = (rows: readonly Row[]): readonly (readonly BookCell[])[] => {
  const headers = Object.keys(rows[0] ?? {});
  return [headers, ...rows.map((row) => headers.map((header) => row[header] ?? null))];
};

/** What a whole workbook decides. */
export const BOOK_KINDS: readonly Kind[] = [
  one("fifteen percent in a percent cell (F20)", discountRow(shown(0.15, "0%")), {
    must: "sent",
    facts: { discount_value: 15 },
  }),
  one("a hundred percent in a percent cell (F20)", discountRow(shown(1, "0%")), {
    must: "refused",
  }),
  one("fifteen in a plain cell", discountRow(15), { must: "sent", facts: { discount_value: 15 } }),
  {
    name: "codes of which Excel has lost the zeros of one (F22)",
    file: "a.xlsx",
    content: () => xlsxOf(zeros),
    reads: [{ product_code: "00123" }, { product_code: "00125" }],
    must: "sent",
  },
  {
    name: "a hidden row",
    file: "a.xlsx",
    content: () => makeWorkbook({ rows: table([hiddenRow]), hidden: new Set([2]) }),
    reads: [{ product_code: codeOf(hiddenRow) }],
    must: "safe",
  },
  {
    name: "merged titles",
    file: "a.xlsx",
    content: () =>
      makeWorkbook({
        rows: table([merged, { ...second, "Başlık *": null }]),
        after: '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>',
      }),
    reads: [
      { product_code: codeOf(merged) },
      { product_code: codeOf(second), title: String(merged["Başlık *"]) },
    ],
    must: "safe",
  },
  {
    name: "a date in a code under the calendar of 1904",
    file: "a.xlsx",
    content: () => makeWorkbook({ rows: table([date1904]), isDate1904: true }),
    reads: [],
    must: "refused",
    code: /^E_CODE_NOT_TEXT$/u,
  },
  {
    name: "a price list of a supplier on the sheet before",
    file: "a.xlsx",
    content: () =>
      makeWorkbook({
        rows: table([second]),
        first: { name: "Kapak", rows: [["Fiyat listesi"], ["2026"]] },
      }),
    reads: [{ product_code: codeOf(second) }],
    must: "safe",
  },
];
