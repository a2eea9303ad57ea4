/** A workbook of the held rows, in which a person decides which of them are released. */

import { fieldLabel, type Connection } from "@catalog/connection";
import {
  type FieldChange,
  guardOf,
  isBlocking,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxRow } from "@catalog/sheets";

import { placeCell } from "./error-cells.ts";
import { formatFieldValue, isMoney } from "./field-value.ts";
import { describeGuard } from "./guard-texts.ts";
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
import { type AddedColumn, columnsOf, createLayout, type SheetLayout } from "./sheet-layout.ts";

/** Writes a workbook of the rows that are held. */
export async function writeHeldWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: HeldFile,
): Promise<void> {
  const { verificationLog } = connection;
  const input = ownColumns(run.file.header);
  const layout = layOut(run, input);
  const { columns, header, sources, frozenColumns } = layout;
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns: sources });
  async function* rows(): AsyncGenerator<XlsxRow> {
    for await (const record of all) {
      if (record.state !== "held") continue;
      const row = inputRow(sources, record);
      const before = await verificationLog.readBefore(run.id, [record.row]);
      const added = {
        ...heldCells(run, record),
        name: before.get(record.row)?.title ?? null,
        record: await toRecord(record, row),
      };
      const cells = layout.fill(row.cells, added);
      const formats = { ...row.formats, ...moneyFormats(layout, record) };
      yield { ...row, cells, formats, ...cellMarks(sources, run, record) };
    }
  }
  const name = RESULT_TEXTS[run.lang].sheet;
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });
}

/** What a person needs to decide stands first: the product, both values, and the reason. */
function layOut(run: RunRecord, input: readonly number[]): SheetLayout<HeldColumn> {
  const { lang } = run;
  const column = (
    name: HeldColumn,
    how: Omit<AddedColumn<HeldColumn>, "name" | "header"> = {},
  ): AddedColumn<HeldColumn> => ({ name, header: HELD_HEADERS[name][lang], ...how });
  const [title] = columnsOf(run, "title", input);
  return createLayout<HeldColumn>(run, {
    frozen: [
      column("approve", { width: 10, choices: APPROVE_TEXTS[lang] }),
      ...columnsOf(run, "product_code", input),
      title ?? column("name", { width: 30 }),
    ],
    next: [
      ...(["old", "new"] as const).map((name) => column(name, { width: 15, wraps: true })),
      column("percent", { width: 14 }),
      column("guard", { width: 22, wraps: true }),
      column("reason", { width: 60, wraps: true }),
    ],
    input,
    last: [
      column("place", { width: 18 }),
      column("key", { width: 26 }),
      column("record", { width: 16 }),
    ],
  });
}

interface HeldFile {
  readonly path: string;
  /** All rows of the run. */
  readonly rows: AsyncIterable<RowRecord>;
}

type AddedHere = Exclude<HeldColumn, "name" | "record">;

function heldCells(run: RunRecord, record: RowRecord): Readonly<Record<AddedHere, OutCell>> {
  const { lang } = run;
  const shown = toShown(record);
  const guards = shown.map((issue) => describeGuard(issue)).filter((text) => text !== undefined);
  return {
    approve: null,
    ...heldValues(run, record),
    guard: toLines(guards.map((text) => text[lang])),
    reason: toLines(shown.map((issue) => issue.message[lang])),
    place: placeCell(run, record),
    key: toHeldKey(run.id, record.row),
  };
}

/** What the store has and what the row would send, as the file of held rows shows it. */
export function heldValues(
  run: RunRecord,
  record: RowRecord,
): Readonly<Record<"old" | "new" | "percent", OutCell>> {
  const compared = toShown(record).map((issue) => toCompared(run, record, issue));
  return {
    old: toValues(compared.map((each) => each.old)),
    new: toValues(compared.map((each) => each.new)),
    percent: toValues(compared.map((each) => each.percent)),
  };
}

const toShown = ({ issues }: RowRecord): readonly RowIssue[] =>
  issues.some(isBlocking) ? issues.filter(isBlocking) : issues;

/** A number where all issues are about the same one, else a line for each. */
function toValues(values: readonly OutCell[]): OutCell {
  const given = [...new Set(values.filter((value) => value !== null))];
  return given.length <= 1 ? (given[0] ?? null) : given.join("\n");
}

const MONEY_FORMAT = "#,##0.00";

/** The formats of amounts; a stock is written without decimals. */
function moneyFormats(
  { columns }: SheetLayout<HeldColumn>,
  record: RowRecord,
): Readonly<Record<number, string>> {
  const isAmount = toShown(record).some(
    (issue) =>
      issue.guard !== undefined || isMoney(onlyChange(record)?.field ?? "", record.payload),
  );
  if (!isAmount) return {};
  const { old, new: after } = HELD_HEADERS;
  const headers = new Set([old.tr, old.en, after.tr, after.en]);
  const found = columns.flatMap(({ header, isAdded }, at) =>
    isAdded === true && headers.has(header) ? [[at, MONEY_FORMAT] as const] : [],
  );
  return Object.fromEntries(found);
}

/** The change of a row that has one. */
const onlyChange = ({ changes }: RowRecord): FieldChange | undefined =>
  changes.length === 1 ? changes[0] : undefined;

/** The value in the store now, and the value that would replace it. */
function toChanged(record: RowRecord, lang: RunRecord["lang"]): ComparedValue {
  const { changes, payload } = record;
  const only = onlyChange(record);
  if (only !== undefined && typeof only.old === "number" && typeof only.new === "number") {
    const scale = isMoney(only.field, payload) ? MINOR_UNITS : 1;
    return compare(only.old / scale, only.new / scale);
  }
  const describe = (pick: (change: FieldChange) => unknown): string =>
    changes
      .map((change) => {
        const text = formatFieldValue(change.field, pick(change), { payload, lang });
        return `${fieldLabel(change.field, lang)}: ${text || "?"}`;
      })
      .join("; ");
  return { ...NOTHING, old: describe(({ old }) => old), new: describe((change) => change.new) };
}

const MINOR_UNITS = 100;

interface ComparedValue {
  readonly old: OutCell;
  readonly new: OutCell;
  readonly percent: number | null;
}

const NOTHING: ComparedValue = { old: null, new: null, percent: null };

const compare = (old: number, next: number): ComparedValue => ({
  old,
  new: next,
  percent: old === 0 ? null : Math.round(((next - old) / old) * 100),
});

/** The values that a guard compared. */
function toCompared({ lang }: RunRecord, record: RowRecord, issue: RowIssue): ComparedValue {
  const { guard } = issue;
  // The guard of discounts compares two prices of one product, of which the row changes one.
  const isOfRow = issue.code === "E_CHANGED" || guardOf(issue) === "discount-price";
  if (isOfRow) return toChanged(record, lang);
  if (guard !== undefined) {
    const { old, new: next, percent = null } = guard;
    return {
      old: old === undefined ? null : old / MINOR_UNITS,
      new: next / MINOR_UNITS,
      percent,
    };
  }
  if (guardOf(issue) !== "zero-stock") return NOTHING;
  const change = record.changes.find(({ field }) => field === "stock_count");
  if (typeof change?.old !== "number" || typeof change.new !== "number") return NOTHING;
  return compare(change.old, change.new);
}
