/**
 * The whole plan as a workbook, made from the database alone: every row with its decision, each
 * change from old to new, the biggest changes, the values of each new product, the fields that are
 * sent, and which column became which field.
 */

import { join } from "node:path";

import { fieldLabel, type Connection } from "@catalog/connection";
import { type Lang, makeFolder } from "@catalog/i18n";
import {
  type Capability,
  capabilityOf,
  isUnsendable,
  type PaidPrices,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import {
  type OutCell,
  writeXlsx,
  type XlsxColumn,
  type XlsxRow,
  type XlsxSheet,
} from "@catalog/sheets";

import { PRICE_LABELS } from "../buyer-price.ts";
import { placeCell } from "../error-cells.ts";
import { payloadBefore } from "../field-value.ts";
import { describeGuard } from "../guard-texts.ts";
import { toLines } from "../input-cells.ts";
import { MINOR_UNITS } from "../money-text.ts";
import { openNamelessFile } from "../nameless-file.ts";
import { columnsOf } from "../sheet-layout.ts";
import { type ChangeRanking, createRankedChanges } from "./biggest-changes.ts";
import { toBiggestSheet } from "./biggest-sheet.ts";
import { type ColumnUse, type ColumnUses, createColumnUses } from "./column-uses.ts";
import {
  createNewProducts,
  isNewProduct,
  NEW_PRODUCT_FROZEN,
  newProductColumns,
  type NewProducts,
} from "./new-products.ts";
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
  SEE_PRODUCTS,
} from "./plan-texts.ts";
import { createFieldCount, type FieldCount, type SentField } from "./sent-fields.ts";
import { createShowValue, type ShowValue } from "./shown-values.ts";

/** Widths in characters: columns of the plan, of its fields and of the columns of the file. */
const PLAN_WIDTHS = [8, 20, 34, 16, 20, 24, 24, 26, 32, 60];
const FIELD_WIDTHS = [16, 24, 22, 14];
const COLUMN_WIDTHS = [8, 36, 24, 60];
/** Columns of the plan that hold sentences. */
const FIRST_WRAPPED = 5;
/** Row, code and title stay visible. */
const FROZEN = 3;

/** A row as it is stored, with what buyers pay where a discount makes it differ from the price. */
export interface PlannedRow extends RowRecord {
  readonly paid?: PaidPrices | undefined;
}

type LearnedFields = readonly Capability[];

/**
 * Writes `plan.xlsx` with the rows as they are stored into the run's report folder; returns its
 * path.
 */
export async function writePlanWorkbook(
  connection: Connection,
  run: RunRecord,
  rows: AsyncIterable<PlannedRow>,
): Promise<string> {
  // Capabilities learned after the plan are left out, so that the workbook is the same whenever it
  // is written.
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  makeFolder(run.reportDir);
  const path = join(run.reportDir, "plan.xlsx");
  await using file = await openNamelessFile();
  const show = createShowValue(connection, run);
  const counts = createFieldCount();
  const uses = createColumnUses(run);
  const added = createNewProducts(run, show, file);
  const [titleAt] = columnsOf(run, "title", [...run.file.header.keys()]);
  const ranking = createRankedChanges();
  const notes = { learned, counts, uses, show, added, titleAt, ranking };
  const changes: XlsxSheet = {
    name: PLAN_SHEETS.changes[run.lang],
    columns: toColumns(run, PLAN_HEADERS, PLAN_WIDTHS, FIRST_WRAPPED),
    frozenColumns: FROZEN,
    rows: planCells(run, rows, notes),
  };
  const products: XlsxSheet = {
    name: PLAN_SHEETS.products[run.lang],
    columns: newProductColumns(run),
    frozenColumns: NEW_PRODUCT_FROZEN,
    rows: added.rows(),
  };
  const fields: XlsxSheet = {
    name: PLAN_SHEETS.fields[run.lang],
    columns: toColumns(run, FIELD_HEADERS, FIELD_WIDTHS),
    rows: fieldCells(run, () => counts.list(learned)),
  };
  const columns: XlsxSheet = {
    name: PLAN_SHEETS.columns[run.lang],
    columns: toColumns(run, COLUMN_HEADERS, COLUMN_WIDTHS),
    rows: columnCells(run, () => uses.list()),
  };
  function* sheets(): Generator<XlsxSheet> {
    yield changes;
    const biggest = toBiggestSheet(connection, run, { show, changes: ranking.list() });
    if (biggest !== undefined) yield biggest;
    if (added.count > 0) yield products;
    yield fields;
    // Undos have no columns.
    if (run.facts?.reading?.columns.used !== undefined) yield columns;
  }
  await writeXlsx({ path, sheets: sheets() });
  return path;
}

const toColumns = (
  { lang }: RunRecord,
  headers: typeof PLAN_HEADERS,
  widths: readonly number[],
  firstWrapped = Infinity,
): readonly XlsxColumn[] =>
  headers.map((header, index) => ({
    header: header[lang],
    width: widths[index] ?? 20,
    wraps: index >= firstWrapped,
  }));

interface PlanNotes {
  readonly learned: LearnedFields;
  readonly counts: FieldCount;
  readonly uses: ColumnUses;
  readonly show: ShowValue;
  readonly added: NewProducts;
  readonly titleAt: number | undefined;
  readonly ranking: ChangeRanking;
}

async function* planCells(
  run: RunRecord,
  rows: AsyncIterable<PlannedRow>,
  notes: PlanNotes,
): AsyncGenerator<XlsxRow> {
  for await (const record of rows) {
    notes.counts.observe(record);
    notes.uses.observe(record);
    if (CHANGING.has(toWord(record))) notes.ranking.observe(record, record.paid);
    if (isNewProduct(record)) await notes.added.observe(record);
    yield* toPlanCells(run, record, notes);
  }
}

async function* toPlanCells(
  run: RunRecord,
  record: PlannedRow,
  { learned, show, titleAt }: PlanNotes,
): AsyncGenerator<XlsxRow> {
  const { lang } = run;
  const { code, issues, payload, changes, cells, paid } = record;
  const guards = issues.map((issue) => describeGuard(issue)).filter((text) => text !== undefined);
  const title = payload?.title ?? (titleAt === undefined ? null : (cells[titleAt] ?? null));
  const head = [placeCell(run, record), code, title, PLAN_TEXTS[toWord(record)][lang]];
  const rest = [
    toLines(guards.map((text) => text[lang])),
    toLines(issues.map((issue) => issue.message[lang])),
  ];
  if (changes.length === 0) {
    yield [...head, isNewProduct(record) ? SEE_PRODUCTS[lang] : null, null, null, null, ...rest];
  }
  if (paid !== undefined) {
    yield { cells: [...head, ...toPaidCells(paid, lang), ...rest], formats: CHANGE_FORMATS };
  }
  for (const change of changes) {
    const { field } = change;
    const before =
      "old" in change
        ? await show({ ...record, payload: payloadBefore(record) }, field, change.old)
        : { cell: NOT_SHOWN[lang] };
    const after = await show(record, field, change.new);
    const capability = CAPABILITY_TEXTS[capabilityOf(learned, { action: "update", field })][lang];
    const shown = [labelOf(field, record, lang), before.cell, after.cell, capability];
    const formats = after.isAmount === true ? CHANGE_FORMATS : {};
    yield { cells: [...head, ...shown, ...rest], formats };
  }
}

function toPaidCells({ old, new: next }: PaidPrices, lang: Lang): readonly OutCell[] {
  const after = next === undefined ? PRICE_LABELS.unsure[lang] : next / MINOR_UNITS;
  return [PRICE_LABELS.paid[lang], old / MINOR_UNITS, after, null];
}

/** The price of a product with a discount is called the price before it. */
const labelOf = (field: string, { paid }: PlannedRow, lang: Lang): string =>
  field === "price" && paid !== undefined ? PRICE_LABELS.list[lang] : fieldLabel(field, lang);

/** Decisions for rows whose changes are sent, at once or after a person's approval. */
const CHANGING: ReadonlySet<PlannedKind> = new Set(["update", "held"]);

/** The formats of the old and the new value where they are amounts. */
const CHANGE_FORMATS: Readonly<Record<number, string>> = { 5: "#,##0.00", 6: "#,##0.00" };

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
