/** A kind of cell whose displayed text differs from its stored value. */

import { type Facts, type Kind, LISTED, type Row, rowOf } from "./kind.ts";
import { formula, shown, typed, type WorkbookCell } from "./make-workbook.ts";

interface CellKind {
  readonly name: string;
  readonly header: string;
  readonly cell: WorkbookCell;
  readonly reads: Partial<Facts>;
  readonly must: Kind["must"];
  readonly code?: RegExp;
  /** Not for LibreOffice, which calculates missing results and has only one format of booleans. */
  readonly isXlsxOnly?: boolean;
  /**
   * In a sheet of its own: among codes with leading zeros, other digits would look as if they had
   * lost theirs.
   */
  readonly isApart?: boolean;
}

/* Kinds of cells with product codes. */

const CODE = "Ürün Kodu *";

const CODE_CELLS: readonly CellKind[] = [
  {
    name: "a code of digits shown with zeros before",
    header: CODE,
    cell: shown(1201, "000000"),
    reads: { product_code: "001201" },
    must: "sent",
    isApart: true,
  },
  {
    name: "a code shown with letters before",
    header: CODE,
    cell: shown(12, '"TR"0000'),
    reads: { product_code: "TR0012" },
    must: "safe",
  },
  {
    name: "a code shown with a group of letters",
    header: CODE,
    cell: shown(7, '"KSK-"000'),
    reads: { product_code: "KSK-007" },
    must: "safe",
  },
  {
    name: "a code shown in groups",
    header: CODE,
    cell: shown(1_234_567, "000 000 000"),
    reads: { product_code: "001 234 567" },
    must: "safe",
  },
  {
    name: "a code shown with a point",
    header: CODE,
    cell: shown(12_345, '000"."000'),
    reads: { product_code: "012.345" },
    must: "safe",
  },
  {
    name: "a code shown with letters behind",
    header: CODE,
    cell: shown(55, '0"-A"'),
    reads: { product_code: "55-A" },
    must: "safe",
  },
  {
    name: "a code shown with a dash",
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
];

/* Kinds of cells with prices. */

const PRICE = "Fiyat *";

const MONEY_CELLS: readonly CellKind[] = [
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
    name: "a price shown in dollars",
    header: PRICE,
    cell: shown(12.5, "[$$-409]#,##0.00"),
    reads: { price: 1250, currency: "USD" },
    must: "safe",
  },
  {
    name: "a price shown as USD",
    header: PRICE,
    cell: shown(12.5, "[$USD] 0.00"),
    reads: { price: 1250, currency: "USD" },
    must: "safe",
  },
  {
    name: "a price shown in euros behind",
    header: PRICE,
    cell: shown(12.5, '0.00" €"'),
    reads: { price: 1250, currency: "EUR" },
    must: "safe",
  },
  {
    name: "a price shown in pounds",
    header: PRICE,
    cell: shown(12.5, "[$£-809]#,##0.00"),
    reads: {},
    must: "refused",
  },
  {
    name: "a price calculated to four decimals, shown with two",
    header: PRICE,
    cell: shown(1299.6347, "#,##0.00"),
    reads: { price: 129_963 },
    must: "safe",
  },
  {
    name: "a price shown without its decimals",
    header: PRICE,
    cell: shown(1299.6, "#,##0"),
    reads: { price: 129_960 },
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
    name: "a price in percent",
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
    reads: { price: 1250, currency: "USD" },
    must: "safe",
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
];

/* Kinds of cells with names, titles and counts. */

const [TITLE, MODEL, STOCK] = ["Başlık *", "Model *", "Stok *"] as const;

const TEXT_CELLS: readonly CellKind[] = [
  {
    name: "a model shown with a zero behind",
    header: MODEL,
    cell: shown(1.1, "0.00"),
    reads: { brand_model: "1.10" },
    must: "safe",
  },
  {
    name: "a model shown in thousands",
    header: MODEL,
    cell: shown(1500, "#,##0"),
    reads: { brand_model: "1.500" },
    must: "safe",
  },
  {
    name: "a model of many digits",
    header: MODEL,
    cell: 1e21,
    reads: { brand_model: "1E+21" },
    must: "safe",
  },
  {
    name: "a model that is TRUE",
    header: MODEL,
    cell: typed("b", "1"),
    isXlsxOnly: true,
    reads: { brand_model: "DOĞRU" },
    must: "safe",
  },
  {
    name: "a model in percent",
    header: MODEL,
    cell: shown(0.5, "0%"),
    reads: { brand_model: "50%" },
    must: "safe",
  },
  {
    name: "a model that is a listed one with a plus",
    header: MODEL,
    cell: `${LISTED.model}+`,
    reads: { brand_model: `${LISTED.model}+` },
    must: "safe",
  },
  {
    name: "a model with a minus before",
    header: MODEL,
    cell: "-20°C",
    reads: { brand_model: "-20°C" },
    must: "sent",
  },
  {
    name: "a brand that is a listed one with a plus",
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

/** Cell kinds in one sheet, each in a row of its own from row 2 on. */
export interface CellSheet {
  readonly name: "codes" | "cells";
  readonly kinds: readonly (CellKind & { readonly facts: Facts })[];
  readonly rows: readonly Row[];
}

function toSheet(name: CellSheet["name"], kinds: readonly CellKind[]): CellSheet {
  const codes = kinds.map((_, at) => `${name}-${at + 1}`);
  const toFacts = ({ reads }: CellKind, at: number): Facts => ({
    product_code: codes[at] ?? "",
    ...reads,
  });
  const toRow = ({ header, cell }: CellKind, at: number): Row =>
    rowOf({ "Ürün Kodu *": codes[at], [header]: cell });
  const withFacts = (kind: CellKind, at: number): CellSheet["kinds"][number] =>
    Object.assign({}, kind, { facts: toFacts(kind, at) });
  return { name, kinds: kinds.map(withFacts), rows: kinds.map(toRow) };
}

const isApart = (kind: CellKind): boolean => kind.isApart === true;

export const CELL_SHEETS: readonly CellSheet[] = [
  toSheet(
    "codes",
    CODE_CELLS.filter((kind) => !isApart(kind)),
  ),
  toSheet("cells", [...MONEY_CELLS, ...CODE_CELLS.filter(isApart), ...TEXT_CELLS]),
];
