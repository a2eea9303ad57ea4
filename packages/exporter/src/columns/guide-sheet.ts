/** The sheet that explains an exported table. */

import type { streamXlsx } from "@catalog/sheets";

import { headerOf, type OutColumn, type TableStyle } from "./out-column.ts";

const TEXTS = {
  tr: {
    name: "Açıklamalar",
    header: ["Sütun", "Açıklama"],
    note: "Not",
    readOnly: "Yalnızca bilgi; içe aktarma bu sütunu okumaz.",
  },
  en: {
    name: "Guide",
    header: ["Column", "What it is"],
    note: "Note",
    readOnly: "For reading only; an import does not read this column.",
  },
} as const;

/** Longer explanations take several lines, in every program. */
const HELP_WIDTH = 90;

/**
 * A line for each remark, then one for each column that needs an explanation; `undefined` where
 * there is nothing to explain.
 */
export function createGuideSheet<Item>(
  columns: readonly OutColumn<Item>[],
  remarks: readonly string[],
  { lang }: TableStyle,
): Parameters<typeof streamXlsx>[0]["sheets"][number] | undefined {
  const texts = TEXTS[lang];
  const rows = [
    ...remarks.map((remark) => [texts.note, remark]),
    ...columns.flatMap((column) => {
      const own = column.isReadOnly === true ? texts.readOnly : "";
      const help = [column.help?.[lang] ?? "", own].filter((text) => text !== "").join(" ");
      return help === "" ? [] : [[headerOf(column, lang), help]];
    }),
  ];
  if (rows.length === 0) return undefined;
  const [name, help] = texts.header;
  return {
    name: texts.name,
    columns: [{ header: name }, { header: help, width: HELP_WIDTH, kind: "wrapped" }],
    rows,
  };
}
