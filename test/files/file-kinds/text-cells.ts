/** Kinds of cells with names, titles and counts. */

import type { CellKind } from "./cell-kind.ts";
import { LISTED } from "./kind.ts";
import { shown, typed } from "./make-workbook.ts";

const [TITLE, MODEL, STOCK] = ["Başlık *", "Model *", "Stok *"] as const;

export const TEXT_CELLS: readonly CellKind[] = [
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
