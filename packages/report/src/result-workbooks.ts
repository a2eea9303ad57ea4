/**
 * The workbook of all rows of a run, each with its outcome, and the one of the rows that a person
 * corrects and imports again.
 */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { findField, platforms, VALUE_KEYWORDS } from "@catalog/mapping";
import {
  readAllCodes,
  readAllRows,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";
import { writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { createActionColumns } from "./action-columns.ts";
import { findColumn, listWordsOf } from "./action-words.ts";
import { createRefusalRecordWriter } from "./refusal-record.ts";
import type { ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultText, seenText } from "./result-texts.ts";
import {
  ADDED,
  type AddedColumn,
  cellMarks,
  cellsIn,
  type CellSuggestions,
  columnsOf,
  createCellSuggestions,
  createLayout,
  createNamedRows,
  errorCells,
  type ErrorColumn,
  errorColumns,
  inputColumns,
  inputRow,
  placeCell,
  type SheetLayout,
  suggestWords,
  withTakenCells,
} from "./sheet-cells.ts";

const sheetNameOf = (run: RunRecord): string =>
  (listWordsOf(run)?.sheet ?? { tr: RESULT_TEXTS.tr.sheet, en: RESULT_TEXTS.en.sheet })[run.lang];

/** Where to write, and all rows of the run. */
interface ResultFile {
  readonly path: string;
  readonly rows: AsyncIterable<ReportedRow>;
}

/**
 * Writes the outcome and what is wrong first, beside the product code, and then the columns of the
 * input in their order. Where the input has a column of product ids, those of new products are in
 * its empty cells.
 */
export async function writeResultWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: ResultFile,
): Promise<void> {
  const input = inputColumns(run);
  const [idAt] = columnsOf(run, "product_id", input);
  const actions = createActionColumns(connection, run);
  const layout =
    actions === undefined
      ? layOutResult(run, input, idAt === undefined)
      : layOutActions(run, input, actions.headers);
  const { columns, header, sources, frozenColumns } = layout;
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns: sources });
  async function* listRows(): AsyncGenerator<number> {
    for await (const batch of readAllCodes(connection.journal, run.id)) {
      for (const { row } of batch) yield row;
    }
  }
  const nameRows = createNamedRows({ run, columns: sources, listRows });
  async function* rows(): AsyncGenerator<XlsxRow> {
    let number = 1;
    for await (const record of all) {
      number += 1;
      const named = await nameRows(record);
      const row = inputRow(sources, record);
      const isEmpty = (at: number): boolean => String(row.cells[at] ?? "").trim() === "";
      const made = await actions?.read(record);
      const own = row.cells.map((cell, at) => {
        if (!isEmpty(at)) return cell;
        if (made !== undefined) return made.own.get(sources[at] ?? ADDED) ?? cell;
        return idAt !== undefined && sources[at] === idAt ? record.productId : cell;
      });
      const added = {
        result: resultText(run, record),
        ...errorCells(run, named, cellsIn(sources, number)),
        productId: record.productId,
        seen: seenText(run.lang, record),
        place: placeCell(run, record),
        record: null,
        first: made?.added[0] ?? null,
        second: made?.added[1] ?? null,
        third: made?.added[2] ?? null,
      };
      const cells = layout.fill(own, added);
      const rowRecord = actions === undefined ? await toRecord(record, { ...row, cells }) : null;
      const filled = layout.fill(own, { ...added, record: rowRecord });
      yield { ...row, cells: filled, ...cellMarks(sources, run, named) };
    }
  }
  const name = sheetNameOf(run);
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });
}

type ResultColumn =
  | keyof ReturnType<typeof errorColumns>
  | "productId"
  | "seen"
  // What a list of actions adds.
  | "first"
  | "second"
  | "third";

/** The outcome and what is wrong beside what the row is about; no product is named. */
function layOutActions(
  run: RunRecord,
  input: readonly number[],
  headers: readonly string[],
): SheetLayout<ResultColumn> {
  const { result, error, suggestion, errorCode, place } = errorColumns(run.lang);
  const seen: AddedColumn<ResultColumn> = {
    name: "seen",
    header: RESULT_TEXTS[run.lang].columns.seen,
  };
  const names = ["first", "second", "third"] as const;
  const added = headers.map((header, at): AddedColumn<ResultColumn> => ({
    name: names[at] ?? "third",
    header,
    width: ACTION_WIDTH,
  }));
  const about = findAbout(run, input);
  return createLayout<ResultColumn>(run, {
    frozen: [{ ...result, width: ACTION_WIDTH }, ...about],
    next: [...added, error, suggestion],
    input,
    last: [seen, errorCode, place],
  });
}

/** Width of a column that holds a few words, in characters. */
const ACTION_WIDTH = 22;

/** The column that tells people which one a row is about. */
function findAbout(run: RunRecord, input: readonly number[]): readonly number[] {
  const words = listWordsOf(run);
  const at = words && findColumn(run, words.about);
  return at === undefined || !input.includes(at) ? [] : [at];
}

function layOutResult(
  run: RunRecord,
  input: readonly number[],
  needsId: boolean,
): SheetLayout<ResultColumn> {
  const { result, error, suggestion, errorCode, place, record } = errorColumns(run.lang);
  const { productId, marketplaceId, seen } = RESULT_TEXTS[run.lang].columns;
  // Ids of another program may have the name already.
  const isTaken = input.some((index) => run.file.header[index] === productId);
  const id: AddedColumn<ResultColumn> = {
    name: "productId",
    header: isTaken ? marketplaceId : productId,
  };
  const seenColumn: AddedColumn<ResultColumn> = { name: "seen", header: seen };
  return createLayout<ResultColumn>(run, {
    frozen: [result, ...columnsOf(run, "product_code", input), error, suggestion],
    input,
    last: [...(needsId ? [id] : []), seenColumn, errorCode, place, record],
  });
}

interface FailedParents {
  /** Rows of the run, by number. */
  readonly rows: ReadonlySet<number>;
  /** Rows that only an earlier run has, of which this one retries rows; in their order. */
  readonly earlier: readonly RowRecord[];
  /** Whether the parents are products, which the file must not send again. */
  readonly areProducts: boolean;
}

const NONE: FailedParents = { rows: new Set(), earlier: [], areProducts: false };

/** Finds the parents of the rows in these states. */
async function findFailedParents(
  connection: Pick<Connection, "journal" | "runs">,
  run: RunRecord,
  states: readonly RowState[],
): Promise<FailedParents> {
  const { platform = platforms.none } = run.progress.reading ?? {};
  const kind = platforms.findVariantRows(platform);
  if (kind === undefined) return NONE;
  // A row that stood apart from its product would join it in the file unseen.
  const takesLost = kind === "referring";
  const rows = await readParentNumbers(connection, run, { states, takesLost });
  const [first] = rows;
  if (first === undefined) return NONE;
  const sample = await readRow(connection, run, first);
  const areProducts = sample !== undefined && isProduct(sample.record);
  const isRetry = run.progress.retryOf !== undefined;
  const earlier = isRetry ? await readEarlier(connection, run, rows) : [];
  return { rows, earlier, areProducts };
}

interface FailedVariants {
  readonly states: readonly RowState[];
  /** Whether a variant whose product is not certain has a parent. */
  readonly takesLost: boolean;
}

async function readParentNumbers(
  { journal }: Pick<Connection, "journal">,
  { id }: RunRecord,
  { states, takesLost }: FailedVariants,
): Promise<ReadonlySet<number>> {
  const rows = new Set<number>();
  for await (const records of readAllRows(journal, id, { states })) {
    for (const { row, joined } of records) {
      const { role, parentRow } = joined ?? {};
      const hasParent = parentRow !== undefined && parentRow !== row;
      if (hasParent && (takesLost || role !== "lost")) rows.add(parentRow);
    }
  }
  return rows;
}

/** Whether a parent is a product itself, as in files that do not tell parents from products. */
const isProduct = ({ joined }: Pick<RowRecord, "joined">): boolean => joined?.role !== "parent";

async function readEarlier(
  connection: Pick<Connection, "journal" | "runs">,
  run: RunRecord,
  rows: ReadonlySet<number>,
): Promise<readonly RowRecord[]> {
  const found: RowRecord[] = [];
  for (const row of rows) {
    const read = await readRow(connection, run, row);
    if (read !== undefined && read.runId !== run.id) found.push(read.record);
  }
  return found.toSorted((a, b) => a.row - b.row);
}

interface FoundRow {
  readonly runId: string;
  readonly record: RowRecord;
}

/** Reads a row of the run, or of the run whose rows it retries. */
async function readRow(
  { journal, runs }: Pick<Connection, "journal" | "runs">,
  run: RunRecord,
  row: number,
): Promise<FoundRow | undefined> {
  for (let at: RunRecord | undefined = run; at !== undefined;) {
    const [record] = await journal.readRows(at.id, { after: row - 1, limit: 1 });
    if (record?.row === row) return { runId: at.id, record };
    const { retryOf }: RunRecord["progress"] = at.progress;
    at = retryOf === undefined ? undefined : await runs.read(retryOf);
  }
  return undefined;
}

/** The column that says what is done with a row, in a file that holds parents which are products. */
interface ActionColumn {
  readonly header: string;
  /** Index among these headers; `undefined` where the column is to be added. */
  readonly at: number | undefined;
  /** Text for a row that is not sent. */
  readonly skip: string;
}

function findActionColumn(headers: readonly string[], lang: Lang): ActionColumn {
  const { tr = "", en = "" } = findField("action")?.header ?? {};
  const at = headers.findIndex((header) => header === tr || header === en);
  const skip = VALUE_KEYWORDS.action.find(({ value }) => value === "skip");
  if (skip === undefined) throw new Error("no word says that a row is not sent");
  return { header: lang === "tr" ? tr : en, at: at < 0 ? undefined : at, skip: skip[lang] };
}

/** States of rows that a person corrects in the file and imports again. */
export const FAILED_STATES: readonly RowState[] = ["invalid", "duplicate", "rejected"];

interface FailedFile {
  readonly path: string;
  /** All rows of the run. */
  readonly rows: AsyncIterable<ReportedRow>;
}

/**
 * Writes a workbook that can be imported unchanged; an import does not map the added columns, which
 * say first what is wrong. Parents of failed variants are in it and are not sent again.
 */
export async function writeFailedWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: FailedFile,
): Promise<void> {
  const parents = await findFailedParents(connection, run, FAILED_STATES);
  const input = inputColumns(run);
  const shown = input.map((index) => run.file.header[index] ?? "");
  const action = parents.areProducts ? findActionColumn(shown, run.lang) : undefined;
  const layout = layOutFailed(run, input, action);
  const { header, sources, frozenColumns } = layout;
  const suggestions = createCellSuggestions(connection, run);
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns: sources });
  const toParent = (record: RowRecord): XlsxRow => toParentRow(run, record, { layout, action });
  const listRows = (): AsyncIterable<number> => listFailedRows(connection, run, parents);
  const nameRows = createNamedRows({ run, columns: sources, listRows });
  async function* rows(): AsyncGenerator<XlsxRow> {
    const earlier = [...parents.earlier];
    let number = 1;
    for await (const record of all) {
      while (earlier[0] !== undefined && earlier[0].row < record.row) {
        number += 1;
        yield* earlier.splice(0, 1).map(toParent);
      }
      const isFailed = FAILED_STATES.includes(record.state);
      if (!isFailed && !parents.rows.has(record.row)) continue;
      number += 1;
      if (!isFailed) {
        yield toParent(record);
        continue;
      }
      const named = await nameRows(record);
      const taken = withTakenCells(record);
      suggestions.note({ ...record, ...taken });
      const row = inputRow(sources, taken);
      const added = {
        result: resultText(run, record),
        ...errorCells(run, named, cellsIn(sources, number)),
        action: null,
        place: placeCell(run, record),
        record: run.progress.actions === undefined ? await toRecord(record, row) : null,
      };
      const cells = layout.fill(row.cells, added);
      yield { ...row, cells, ...cellMarks(sources, run, named) };
    }
  }
  const name = sheetNameOf(run);
  const columns = withSuggestions(layout, suggestions);
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });
}

/** The rows of the workbook in their order. */
async function* listFailedRows(
  { journal }: Connection,
  { id }: RunRecord,
  parents: FailedParents,
): AsyncGenerator<number> {
  if (parents.rows.size === 0) {
    for await (const batch of readAllCodes(journal, id, { states: FAILED_STATES })) {
      yield* batch.map(({ row }) => row);
    }
    return;
  }
  const earlier = parents.earlier.map(({ row }) => row);
  for await (const batch of readAllRows(journal, id)) {
    for (const { row, state } of batch) {
      while (earlier[0] !== undefined && earlier[0] < row) yield* earlier.splice(0, 1);
      if (FAILED_STATES.includes(state) || parents.rows.has(row)) yield row;
    }
  }
}

const withSuggestions = (
  { columns, sources }: SheetLayout<FailedColumn>,
  suggestions: CellSuggestions,
): readonly XlsxColumn[] =>
  columns.map((column, at) =>
    Object.assign({}, column, suggestions.ofColumn(sources[at] ?? ADDED)),
  );

type FailedColumn = ErrorColumn | "action";

function layOutFailed(
  run: RunRecord,
  input: readonly number[],
  action: ActionColumn | undefined,
): SheetLayout<FailedColumn> {
  const { result, error, suggestion, errorCode, place, record } = errorColumns(run.lang);
  const actionColumn: readonly AddedColumn<FailedColumn>[] = isAdded(action)
    ? [{ name: "action", header: action.header, ...suggestWords("action", run.lang) }]
    : [];
  const isList = run.progress.actions !== undefined;
  const about = isList ? findAbout(run, input) : columnsOf(run, "product_code", input);
  return createLayout<FailedColumn>(run, {
    frozen: [result, ...about, error, suggestion],
    input,
    last: [...actionColumn, errorCode, place, ...(isList ? [] : [record])],
  });
}

const isAdded = (action: ActionColumn | undefined): action is ActionColumn =>
  action !== undefined && action.at === undefined;

interface ParentFile {
  readonly layout: SheetLayout<FailedColumn>;
  readonly action: ActionColumn | undefined;
}

/** The row of a parent, with the word that keeps a product from being sent again. */
function toParentRow(run: RunRecord, record: RowRecord, { layout, action }: ParentFile): XlsxRow {
  const row = inputRow(layout.sources, record);
  const skip = action !== undefined && isProduct(record) ? action.skip : null;
  const at = action?.at === undefined ? -1 : layout.header.indexOf(action.header);
  const input = row.cells.map((cell, index) => (index === at ? skip : cell));
  const added = {
    result: null,
    errorCode: null,
    error: null,
    suggestion: RESULT_TEXTS[run.lang].parent,
    action: skip,
    place: placeCell(run, record),
    record: null,
  };
  return { ...row, cells: layout.fill(input, added) };
}
