/** The sheet that explains an exported table. */

import type { OutCell } from "@catalog/sheets";

import { headerOf, type OutColumn, type TableStyle } from "./out-column.ts";

const TEXTS = {
  tr: {
    name: "Açıklamalar",
    header: ["Sütun", "Açıklama"],
    note: "Not",
    readOnly: "Yalnızca bilgi; içe aktarma bu sütunu okumaz.",
    plain: "",
  },
  en: {
    name: "Guide",
    header: ["Column", "What it is"],
    note: "Note",
    readOnly: "For reading only; an import does not read this column.",
    plain: "",
  },
} as const;

/** A line for each remark, then one line for each column. */
export function describeColumns<Item>(
  columns: readonly OutColumn<Item>[],
  remarks: readonly string[],
  { lang }: TableStyle,
): { readonly name: string; readonly lines: readonly (readonly OutCell[])[] } {
  const texts = TEXTS[lang];
  return {
    name: texts.name,
    lines: [
      texts.header,
      ...remarks.map((remark) => [texts.note, remark]),
      ...columns.map((column) => [
        headerOf(column, lang),
        column.isReadOnly === true ? texts.readOnly : texts.plain,
      ]),
    ],
  };
}
