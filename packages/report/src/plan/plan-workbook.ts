/**
 * The whole plan as a workbook, made from the database alone: every row with its decision, each
 * change from old to new, and the capabilities of the fields that are sent.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { fieldLabel, type Connection } from "@catalog/connection";
import { type Lang, formatMinor } from "@catalog/i18n";
import {
  type Capability,
  capabilityOf,
  type FieldChange,
  guardOf,
  isUnsendable,
  rowAddress,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxSheet } from "@catalog/sheets";

import { toLines } from "../input-cells.ts";
import { type ColumnUse, type ColumnUses, createColumnUses } from "./column-uses.ts";
import {
  CAPABILITY_TEXTS,
  COLUMN_HEADERS,
  FIELD_HEADERS,
  NOT_SHOWN,
  NOT_USED,
  PLAN_HEADERS,
  PLAN_SHEETS,
  PLAN_TEXTS,
  type PlannedKind,
} from "./plan-texts.ts";
import { createFieldCount, type FieldCount, type SentField } from "./sent-fields.ts";

/** Widths in characters: columns of the plan, of its fields and of the columns of the file. */
const PLAN_WIDTHS = [8, 20, 16, 20, 20, 20, 16, 16, 100];
const FIELD_WIDTHS = [16, 20, 16, 14];
const COLUMN_WIDTHS = [8, 36, 24, 60];

type LearnedFields = readonly Capability[];

/**
 * Writes `plan.xlsx` with the rows as they are stored into the run's report folder; returns its
 * path.
 */
export async function writePlanWorkbook(
  connection: Connection,
  run: RunRecord,
  rows: AsyncIterable<RowRecord>,
): Promise<string> {
  // Capabilities learned after the plan are left out, so that the workbook is the same whenever it
  // is written.
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  await mkdir(run.reportDir, { recursive: true, mode: 0o700 });
  const path = join(run.reportDir, "plan.xlsx");
  const toColumns = (
    headers: typeof PLAN_HEADERS,
    widths: readonly number[],
  ): XlsxSheet["columns"] =>
    headers.map((header, index) => ({ header: header[run.lang], width: widths[index] ?? 20 }));
  const counts = createFieldCount();
  const uses = createColumnUses(run);
  const changes: XlsxSheet = {
    name: PLAN_SHEETS.changes[run.lang],
    columns: toColumns(PLAN_HEADERS, PLAN_WIDTHS),
    rows: planCells(run, rows, { learned, counts, uses }),
  };
  const fields: XlsxSheet = {
    name: PLAN_SHEETS.fields[run.lang],
    columns: toColumns(FIELD_HEADERS, FIELD_WIDTHS),
    rows: fieldCells(run, () => counts.list(learned)),
  };
  const columns: XlsxSheet = {
    name: PLAN_SHEETS.columns[run.lang],
    columns: toColumns(COLUMN_HEADERS, COLUMN_WIDTHS),
    rows: columnCells(run, () => uses.list()),
  };
  // Undone and older runs have no columns.
  const known = run.facts?.reading?.columns.used === undefined ? [] : [columns];
  await writeXlsx({ path, sheets: [changes, fields, ...known], frozenRows: 1 });
  return path;
}

interface PlanNotes {
  readonly learned: LearnedFields;
  readonly counts: FieldCount;
  readonly uses: ColumnUses;
}

async function* planCells(
  run: RunRecord,
  rows: AsyncIterable<RowRecord>,
  { counts, learned, uses }: PlanNotes,
): AsyncGenerator<readonly OutCell[]> {
  for await (const record of rows) {
    counts.observe(record);
    uses.observe(record);
    yield* toPlanCells(run, record, learned);
  }
}

function* toPlanCells(
  run: RunRecord,
  record: RowRecord,
  learned: LearnedFields,
): Generator<readonly OutCell[]> {
  const { row, code, issues } = record;
  const guards = toLines(issues.map(guardOf));
  const remarks = toLines(issues.map((issue) => issue.message[run.lang]));
  const named = run.file.sheets === undefined ? row : rowAddress(run.file, row);
  const head = [named, code, PLAN_TEXTS[toWord(record)][run.lang]] as const;
  const lines = record.changes.map((change) => toChangeCells(run, change, learned));
  const rest = [guards, remarks] as const;
  if (lines.length === 0) yield [...head, null, null, null, null, ...rest];
  for (const line of lines) yield [...head, ...line, ...rest];
}

/** Cells of the columns, read after the rows, when each column has its sample. */
async function* columnCells(
  { lang }: RunRecord,
  listUses: () => readonly ColumnUse[],
): AsyncGenerator<readonly OutCell[]> {
  for (const { letter, header, field, sample } of listUses()) {
    yield [letter, header, field === "" ? NOT_USED[lang] : field, sample];
  }
}

/** Decision of the plan for a row, whatever has happened to it since. */
function toWord(record: RowRecord): PlannedKind {
  const { state, action } = record;
  if (state === "parsed") return "skipped";
  if (isUnsendable(record)) return "unsendable";
  const isFinal =
    state === "held" ||
    state === "invalid" ||
    state === "duplicate" ||
    state === "skipped" ||
    state === "unchanged";
  return isFinal ? state : (action ?? "skipped");
}

function toChangeCells(
  { lang }: RunRecord,
  change: FieldChange,
  learned: LearnedFields,
): readonly OutCell[] {
  const { field } = change;
  const old = "old" in change ? toCell(field, change.old, lang) : NOT_SHOWN[lang];
  const capability = CAPABILITY_TEXTS[capabilityOf(learned, { action: "update", field })][lang];
  return [fieldLabel(field, lang), old, toCell(field, change.new, lang), capability];
}

/** Formats amounts for people, and a value that is not plain as it is sent. */
function toCell(field: string, value: unknown, lang: Lang): OutCell {
  if (field === "price" && typeof value === "number") return formatMinor(value, lang);
  if (typeof value === "string" || typeof value === "number") return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** Cells of the fields, read after the rows, when every field is counted. */
async function* fieldCells(
  { lang }: RunRecord,
  listFields: () => readonly SentField[],
): AsyncGenerator<readonly OutCell[]> {
  for (const { action, field, capability, rows } of listFields()) {
    const known = CAPABILITY_TEXTS[capability][lang];
    yield [PLAN_TEXTS[action][lang], fieldLabel(field, lang), known, rows];
  }
}
