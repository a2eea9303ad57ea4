/**
 * The biggest changes of stocks, texts and all other fields but prices, with old and new values;
 * and old prices of rows that were planned before the unit of the listing's prices was known.
 */

import { type Connection, fieldLabel } from "@catalog/connection";
import { readPriceTag, rowAddress, type RowRecord, type RunRecord } from "@catalog/runs";

import { createReadIdNames, formatFieldValue, payloadBefore } from "../field-values.ts";
import { listChanges, type ListedChange, type RankedChanges } from "../plan/biggest-changes.ts";
import { resultText } from "../result-texts.ts";
import { escapeHtml, formatTable, isolate } from "./markup.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

/** The row with the old price that its plan read, where only the unit was unknown at that time. */
export async function withOldPrice<Row extends Pick<RowRecord, "row" | "changes">>(
  { verificationLog }: Connection,
  { id, facts }: RunRecord,
  row: Row,
): Promise<Row> {
  const isUnread = row.changes.some(({ field, old }) => field === "price" && old === undefined);
  const priceUnit = facts?.priceUnit ?? "unknown";
  if (!isUnread || priceUnit === "unknown") return row;
  const seen = (await verificationLog.readBefore(id, [row.row])).get(row.row);
  if (seen === undefined) return row;
  const { price: old } = readPriceTag({ seen, priceUnit });
  const changes = row.changes.map((change) =>
    change.field === "price" ? { ...change, old } : change,
  );
  return { ...row, changes };
}

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
