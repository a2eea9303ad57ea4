/** Kinds of cells with product codes. */

import type { CellKind } from "./cell-kind.ts";
import { shown } from "./make-workbook.ts";

const CODE = "Ürün Kodu *";

export const CODE_CELLS: readonly CellKind[] = [
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
