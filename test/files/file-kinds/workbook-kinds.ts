/** Kinds of workbooks that several cells, or the whole workbook, decide. */

import { codeOf, type Facts, type Kind, type Row, rowOf, xlsxOf } from "./kind.ts";
import { type WorkbookCell, makeWorkbook, shown } from "./make-workbook.ts";

const discountRow = (cell: WorkbookCell): Row =>
  rowOf({ "İndirim Tipi": "Yüzde", "İndirim Değeri": cell });

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

const zeros = ["00123", 124, "00125"].map((code) => rowOf({ "Ürün Kodu *": code }));
const hiddenRow = rowOf();
const merged = rowOf();
const second = rowOf();
const date1904 = rowOf({ "Ürün Kodu *": shown(44_620, "yyyy\\-mm\\-dd") });
const table = (rows: readonly Row[]): readonly (readonly WorkbookCell[])[] => {
  const headers = Object.keys(rows[0] ?? {});
  return [headers, ...rows.map((row) => headers.map((header) => row[header] ?? null))];
};

/** Kinds of workbooks that the whole workbook decides. */
export const WORKBOOK_KINDS: readonly Kind[] = [
  one("fifteen percent in a percent cell", discountRow(shown(0.15, "0%")), {
    must: "sent",
    facts: { discount_value: 15 },
  }),
  one("a hundred percent in a percent cell", discountRow(shown(1, "0%")), {
    must: "refused",
  }),
  one("fifteen in a plain cell", discountRow(15), { must: "sent", facts: { discount_value: 15 } }),
  {
    name: "codes of which Excel has lost the zeros of one",
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
      { product_code: codeOf(second), title: "Deneme ürünü 1" },
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
