/** Shows which column became which field, with a sample. */

import type { Connection } from "@catalog/connection";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import { type ColumnUse, createColumnUses } from "@catalog/report";
import { readAllRows, type RunRecord } from "@catalog/runs";

/** Rows that are read for samples; a column that is empty in all of them is shown without one. */
const MAX_ROWS = 1_000;

const MAX_HEADER_WIDTH = 32;
const MAX_FIELD_WIDTH = 24;

/** Reads the table of a run; empty for a run whose columns are not known. */
export async function readColumnUses(
  { journal }: Pick<Connection, "journal">,
  run: RunRecord,
): Promise<readonly ColumnUse[]> {
  const uses = createColumnUses(run);
  let rows = 0;
  for await (const records of readAllRows(journal, run.id)) {
    for (const record of records) uses.observe(record);
    rows += records.length;
    if (rows >= MAX_ROWS || uses.isComplete()) break;
  }
  return uses.list();
}

const width = (words: readonly string[], max: number): number =>
  Math.min(max, Math.max(...words.map((text) => text.length)));

/** Formats the table in lines of at most `columns`. */
export function formatColumnUses(
  uses: readonly ColumnUse[],
  { lang, columns }: { readonly lang: Lang; readonly columns: number },
): string {
  if (uses.length === 0) return "";
  const texts = TEXTS[lang];
  const headers = width(
    uses.map(({ header }) => header),
    MAX_HEADER_WIDTH,
  );
  const fields = width(
    uses.map(({ field }) => field || texts.unused),
    MAX_FIELD_WIDTH,
  );
  const lines = uses.map(({ letter, header, field, sample }) => {
    const target = (field || texts.unused).padEnd(fields);
    const line = `  ${letter.padEnd(3)}${header.padEnd(headers)}  → ${target}  ${sample}`;
    return `${wrapText(line.trimEnd(), { columns, indent: 5 })}\n`;
  });
  return `\n${texts.title}\n${lines.join("")}`;
}

const TEXTS = {
  tr: { title: "Hangi sütun hangi alan (örnek değerle)", unused: "kullanılmadı" },
  en: { title: "Which column is which field (with a sample)", unused: "not used" },
} as const;
