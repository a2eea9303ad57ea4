/** The biggest changes of stocks, texts and all other fields but prices, with old and new values. */

import { type Connection, fieldLabel } from "@catalog/connection";
import { rowAddress, type RunRecord } from "@catalog/runs";

import { formatFieldValue, payloadBefore } from "../field-value.ts";
import { createReadIdNames } from "../id-names.ts";
import { listChanges, type ListedChange, type RankedChanges } from "../plan/biggest-changes.ts";
import { resultText } from "../result-texts.ts";
import { escapeHtml, isolate } from "./escape.ts";
import { formatTable } from "./page-table.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

type Store = Parameters<typeof createReadIdNames>[0];

/** Formats a table with the biggest changes of each field; empty where none but prices change. */
export async function formatOtherChanges(
  connection: Store & Pick<Connection, "journal">,
  run: RunRecord,
  changes: RankedChanges,
): Promise<string> {
  // Prices have a section of their own.
  const listed = listChanges({ ...changes, prices: [] });
  if (listed.length === 0) return "";
  const texts = PAGE_TEXTS[run.lang];
  const readNames = createReadIdNames(connection, run);
  const lines: string[] = [];
  for (const change of listed) {
    const [record] = await connection.journal.readRows(run.id, { after: change.row - 1, limit: 1 });
    if (record?.row !== change.row) continue;
    const words = { lang: run.lang, names: await readNames(record) };
    const before = { payload: payloadBefore(record), ...words };
    lines.push(
      formatLine(run, change, {
        before: formatFieldValue(change.field, change.old, before),
        after: formatFieldValue(change.field, change.new, { payload: record.payload, ...words }),
        result: resultText(run.lang, record),
      }),
    );
  }
  const columns = [
    texts.code,
    texts.row,
    texts.field,
    texts.oldValue,
    texts.newValue,
    texts.result,
  ];
  const table = formatTable("others", { columns, numbers: new Set([texts.row]), lines });
  return `<section class="blocks" aria-labelledby="others-title">
<h2 id="others-title">${escapeHtml(texts.others)}</h2>
<p>${escapeHtml(texts.othersOf(countFields(run, listed)))}</p>
${table}
</section>
`;
}

/** The number of rows that change each field, such as "Title (30)". */
function countFields({ lang }: RunRecord, listed: readonly ListedChange[]): string {
  const rows = new Map(listed.map((change) => [change.field, change.rows]));
  return Array.from(rows, ([field, count]) => `${fieldLabel(field, lang)} (${count})`).join(", ");
}

interface ShownChange {
  readonly before: string;
  readonly after: string;
  readonly result: string;
}

function formatLine(
  { lang, file }: RunRecord,
  { row, code, field }: ListedChange,
  { before, after, result }: ShownChange,
): string {
  const texts = PAGE_TEXTS[lang];
  const cells = [
    [texts.field, escapeHtml(fieldLabel(field, lang))],
    [texts.oldValue, isolate(before)],
    [texts.newValue, isolate(after)],
    [texts.result, escapeHtml(result)],
  ].map(([name = "", html = ""]) => `<td data-name="${escapeHtml(name)}">${html}</td>`);
  const place = escapeHtml(rowAddress(file, row));
  return `<tr><th scope="row">${isolate(code ?? "")}</th><td class="number" data-name="${escapeHtml(texts.row)}">${place}</td>${cells.join("")}</tr>`;
}
