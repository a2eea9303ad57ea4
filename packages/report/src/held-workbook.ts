/** A workbook of the held rows, in which a person decides which of them are released. */

import { fieldLabel, type Connection } from "@catalog/connection";
import { formatMinor } from "@catalog/i18n";
import {
  type FieldChange,
  guardOf,
  isBlocking,
  rowAddress,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { formatFieldValue } from "./field-value.ts";
import {
  APPROVE_TEXTS,
  HELD_HEADERS,
  type HeldColumn,
  ownColumns,
  toHeldKey,
} from "./held-columns.ts";
import { cellMarks, inputRow, toLines } from "./input-cells.ts";
import { createRefusalRecordWriter } from "./refusals/refusal-record-writer.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

/** Width of a column, in characters. */
const CELL_WIDTH = 18;
const WIDTHS: Partial<Readonly<Record<string, number>>> = { key: 26, reason: 100 };

const APPROVE: HeldColumn = "approve";

/** Writes a workbook of the rows that are held. */
export async function writeHeldWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: HeldFile,
): Promise<void> {
  const columns = ownColumns(run.file.header);
  const input = columns.map((index) => run.file.header[index] ?? "");
  const toRecord = createRefusalRecordWriter(connection, run, { header: input, columns });
  async function* rows(): AsyncGenerator<XlsxRow> {
    for await (const record of all) {
      if (record.state !== "held") continue;
      const row = inputRow(columns, record);
      const rowRecord = await toRecord(record, row);
      const cells = [...row.cells, ...heldCells(run, record, rowRecord)];
      yield { ...row, cells, ...cellMarks(columns, run, record) };
    }
  }
  const header: readonly XlsxColumn[] = [
    ...input.map((text) => ({ header: text, width: CELL_WIDTH })),
    ...Object.entries(HELD_HEADERS).map(([column, text]) => ({
      header: text[run.lang],
      width: WIDTHS[column] ?? CELL_WIDTH,
      choices: column === APPROVE ? APPROVE_TEXTS[run.lang] : [],
    })),
  ];
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns: header, rows: rows() };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
}

interface HeldFile {
  readonly path: string;
  /** All rows of the run. */
  readonly rows: AsyncIterable<RowRecord>;
}

function heldCells(run: RunRecord, record: RowRecord, rowRecord: OutCell): readonly OutCell[] {
  const shown = record.issues.some(isBlocking) ? record.issues.filter(isBlocking) : record.issues;
  const compared = shown.map((issue) => toCompared(run, record, issue));
  const cells: Readonly<Record<HeldColumn, OutCell>> = {
    key: toHeldKey(run.id, record.row),
    old: toLines(compared.map((each) => each.old)),
    new: toLines(compared.map((each) => each.new)),
    percent: toLines(compared.map((each) => each.percent)),
    guard: toLines(shown.map(guardOf)),
    reason: toLines(shown.map((issue) => toReason(run, record, issue))),
    record: rowRecord,
    approve: null,
  };
  return Object.values(cells);
}

/** The reason; it names the row in its sheet where the file has several. */
const toReason = ({ file, lang }: RunRecord, { row }: RowRecord, issue: RowIssue): string =>
  file.sheets === undefined
    ? issue.message[lang]
    : `${rowAddress(file, row)}: ${issue.message[lang]}`;

/** The value in the store now, and the value that would replace it. */
function toChanged({ changes, payload }: RowRecord, lang: RunRecord["lang"]): ComparedValue {
  const describe = (pick: (change: FieldChange) => unknown): string =>
    changes
      .map((change) => {
        const text = formatFieldValue(change.field, pick(change), { payload, lang });
        return `${fieldLabel(change.field, lang)}: ${text || "?"}`;
      })
      .join("; ");
  return { old: describe(({ old }) => old), new: describe((change) => change.new) };
}

interface ComparedValue {
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly percent?: string | undefined;
}

/** The values that a guard compared, formatted for people. */
function toCompared({ lang }: RunRecord, record: RowRecord, issue: RowIssue): ComparedValue {
  const { guard } = issue;
  const { changes } = record;
  if (issue.code === "E_CHANGED") return toChanged(record, lang);
  if (guard !== undefined) {
    return {
      old: guard.old === undefined ? undefined : formatMinor(guard.old, lang),
      new: formatMinor(guard.new, lang),
      percent: guard.percent === undefined ? undefined : String(guard.percent),
    };
  }
  if (guardOf(issue) !== "zero-stock") return {};
  const change = changes.find(({ field }) => field === "stock_count");
  if (typeof change?.old !== "number" || typeof change.new !== "number") return {};
  return { old: String(change.old), new: String(change.new), percent: "-100" };
}
