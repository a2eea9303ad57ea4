/** Edits of a draft: batches that can be undone and redone. */

import { CatalogError, type Steps } from "@catalog/connection";
import type { ColumnMapping } from "@catalog/mapping";
import { z } from "zod";

import type { Rule } from "../names/value-rules.ts";
import { cellToText, createTextFold, type DraftSheet, foldRow } from "./draft-rows.ts";
import type { RowChecker } from "./row-checker.ts";
import type {
  AddedDraftColumn,
  DraftChange,
  DraftEdit,
  DraftRecord,
  DraftRepository,
  DraftRow,
  DraftTables,
} from "./stored-draft.ts";

type Column = ColumnMapping["columns"][number];

/** The new content of a cell; a number makes a number cell with the format of the one before. */
export interface CellEdit {
  readonly row: number;
  readonly column: number;
  readonly value: string | number;
}

/** What edits work on. */
export interface EditContext {
  readonly drafts: DraftRepository;
  readonly sheet: DraftSheet;
  readonly checker: Pick<RowChecker, "toKeys" | "isWhole" | "mapping">;
  readonly by: string | null;
  readonly nowMs: number;
}

/** Rows that were changed, and the codes that they have or had. */
export interface ChangedRows {
  readonly rows: readonly number[];
  readonly codeKeys: ReadonlySet<string>;
  readonly alikeKeys: ReadonlySet<string>;
  /** Whether a row has another code now. */
  readonly areCodesOther?: boolean;
  /** Whether the sheet has other columns now, so that all of it is checked again. */
  readonly areColumnsOther?: boolean;
  /** Whether the rules of the store are other ones now, so that rows are checked by those. */
  readonly areRulesOther?: boolean;
}

/** Column of the log for leaving a row out. */
const EXCLUDED = -1;
/** Column of the log for adding a column to the sheet, at no row. */
const ADDED = -2;
/** Column of the log for an answer, at no row, and for the rows that a rule reads in another way. */
const ANSWERED = -3;
/** Column of the log for the rules that a step has stored, at no row. */
const RULED = -4;
const NO_ROW = 0;
const IS_EXCLUDED = "1";

/** Reads a draft; throws `E_DRAFT_UNKNOWN`. */
export async function readDraft(
  drafts: Pick<DraftRepository, "read">,
  id: string,
): Promise<DraftRecord> {
  const draft = await drafts.read(id);
  if (draft === undefined) throw new CatalogError("E_DRAFT_UNKNOWN", id);
  return draft;
}

/** Changes a draft of this version in one transaction; throws `E_DRAFT_CHANGED`. */
export async function changeDraft<Result>(
  drafts: DraftRepository,
  { id, name }: Pick<DraftRecord, "id" | "name">,
  version: number,
  work: (tables: DraftTables) => Steps<Result>,
): Promise<Result> {
  const result = await drafts.change(id, version, function* changeOnce(tables) {
    return { value: yield* work(tables) };
  });
  if (result === undefined) throw new CatalogError("E_DRAFT_CHANGED", name);
  return result.value;
}

/** Writes texts into cells. */
export async function editCells(
  context: EditContext,
  draft: DraftRecord,
  version: number,
  edits: readonly CellEdit[],
): Promise<ChangedRows> {
  return await changeDraft(context.drafts, draft, version, function* edit(tables) {
    const log = yield* toLog(tables, context, edits);
    return yield* addBatch(tables, context, draft, log);
  });
}

/** Writes lines of the log that were made of the draft in this version. */
export async function applyLines(
  context: EditContext,
  draft: DraftRecord,
  version: number,
  log: readonly DraftEdit[],
): Promise<ChangedRows> {
  return await changeDraft(context.drafts, draft, version, (tables) =>
    addBatch(tables, context, draft, log),
  );
}

/** Leaves rows out, or takes them in again. */
export async function excludeRows(
  context: EditContext,
  draft: DraftRecord,
  version: number,
  { rows, isExcluded }: { readonly rows: readonly number[]; readonly isExcluded: boolean },
): Promise<ChangedRows> {
  const after = isExcluded ? IS_EXCLUDED : null;
  return await changeDraft(context.drafts, draft, version, function* exclude(tables) {
    const stored = yield* tables.readRowsAt(draft.id, rows);
    const log = stored.map(({ row, status }): DraftEdit => ({
      row,
      column: EXCLUDED,
      before: status === "excluded" ? IS_EXCLUDED : null,
      after,
    }));
    return yield* addBatch(tables, context, draft, log);
  });
}

/** Adds an empty column after those that the sheet has. */
export async function addColumn(
  context: EditContext,
  draft: DraftRecord,
  version: number,
  column: AddedDraftColumn,
): Promise<ChangedRows> {
  const after = JSON.stringify(column);
  return await changeDraft(context.drafts, draft, version, (tables) =>
    addBatch(tables, context, draft, [{ row: NO_ROW, column: ADDED, before: null, after }]),
  );
}

/** What a person has said that an open name means. */
export interface GivenAnswer {
  readonly field: string;
  readonly value: string;
  readonly target: string;
  readonly isRemembered: boolean;
  /** Its first row, and how many there were. */
  readonly row: number;
  readonly rows: number;
}

const givenAnswer: z.ZodType<GivenAnswer> = z.object({
  field: z.string(),
  value: z.string(),
  target: z.string(),
  isRemembered: z.boolean(),
  row: z.number(),
  rows: z.number(),
});

/** Rules that a step has stored, and the batch under which they are undone. */
interface StoredRules {
  readonly batch: number;
  /** Empty in front of the step. */
  readonly rules: readonly Rule[];
}

const meaning = z.object({ target: z.string(), targetId: z.string().nullable() });

const storedRules: z.ZodType<StoredRules> = z.object({
  batch: z.number(),
  rules: z.array(
    z.object({
      key: z.string(),
      field: z.string(),
      value: z.string(),
      target: z.string(),
      targetId: z.string().nullable(),
      further: z.array(meaning).optional(),
    }),
  ),
});

/** Answers that are given in one step. */
export interface AnswerStep {
  readonly answers: readonly GivenAnswer[];
  /** Those of the answers that are remembered. */
  readonly rules: readonly Rule[];
  /** The rows that these rules read in another way. */
  readonly rows: readonly number[];
  /** The cells of the other answers. */
  readonly edits: readonly CellEdit[];
}

/** Writes answers into cells, or stores them as rules of the store; both can be undone. */
export async function answerNames(
  context: EditContext,
  draft: DraftRecord,
  version: number,
  { answers, rules, rows, edits }: AnswerStep,
): Promise<ChangedRows> {
  return await changeDraft(context.drafts, draft, version, function* answer(tables) {
    const batch = yield* tables.saveRules(rules);
    const log: readonly DraftEdit[] = [
      ...answers.map((each) => toJsonLine(ANSWERED, null, each)),
      ...(batch === undefined
        ? []
        : [toJsonLine(RULED, { batch, rules: [] } satisfies StoredRules, { batch, rules })]),
      ...rows.map((row) => ({ row, column: ANSWERED, before: null, after: "" })),
      ...(yield* toLog(tables, context, edits)),
    ];
    const changed = yield* addBatch(tables, context, draft, log);
    return { ...changed, areRulesOther: rules.length > 0 };
  });
}

const toJsonLine = (column: number, before: unknown, after: unknown): DraftEdit => ({
  row: NO_ROW,
  column,
  before: before === null ? null : JSON.stringify(before),
  after: JSON.stringify(after),
});

/** The answers that hold, in the order in which they were given. */
export async function listAnswers(
  drafts: Pick<DraftRepository, "readCellEdits">,
  { id, doneBatch }: Pick<DraftRecord, "id" | "doneBatch">,
): Promise<readonly GivenAnswer[]> {
  const log = await drafts.readCellEdits(id, { row: NO_ROW, column: ANSWERED }, doneBatch);
  return log.flatMap(({ after }) =>
    after === null ? [] : givenAnswer.parse(JSON.parse(String(after))),
  );
}

/** Returns whether there are rules among the edits. One that was changed elsewhere since stays. */
function* applyRules(tables: DraftTables, log: readonly DraftEdit[]): Steps<boolean> {
  const stored = log.flatMap(({ column, after }) =>
    column === RULED && after !== null ? [storedRules.parse(JSON.parse(String(after)))] : [],
  );
  for (const { batch, rules } of stored) {
    if (rules.length === 0) yield* tables.undoRules(batch);
    else yield* tables.saveRules(rules, batch);
  }
  return stored.length > 0;
}

/** Undoes the last batch that holds, or does the next one again. */
export async function moveBatch(
  context: EditContext,
  draft: DraftRecord,
  version: number,
  direction: "undo" | "redo",
): Promise<ChangedRows> {
  const isUndo = direction === "undo";
  return await changeDraft(context.drafts, draft, version, function* move(tables) {
    const batch = isUndo ? draft.doneBatch : draft.doneBatch + 1;
    const log = batch < 1 ? [] : yield* tables.readBatch(draft.id, batch);
    if (log.length === 0) return NOTHING_CHANGED;
    const changed = yield* applyLog(tables, context, draft, isUndo ? turn(log) : log);
    yield* tables.update(draft.id, {
      doneBatch: isUndo ? batch - 1 : batch,
      ...toUnchecked(changed),
    });
    return changed;
  });
}

/** The edits that take these back. */
const turn = (log: readonly DraftEdit[]): readonly DraftEdit[] =>
  log
    .map(({ before, after, ...cell }) => Object.assign({ before: after, after: before }, cell))
    .toReversed();

/** Numbers are read by all cells of their column, so that other columns are decided anew. */
const toUnchecked = ({ areColumnsOther }: ChangedRows): DraftChange =>
  areColumnsOther === true ? { state: "checking", check: null } : { state: "checking" };

const NOTHING_CHANGED: ChangedRows = { rows: [], codeKeys: new Set(), alikeKeys: new Set() };

/** Logs a batch after the last one that holds; batches that were undone are forgotten. */
function* addBatch(
  tables: DraftTables,
  context: EditContext,
  draft: DraftRecord,
  log: readonly DraftEdit[],
): Steps<ChangedRows> {
  const { id, doneBatch } = draft;
  const { by, nowMs: atMs } = context;
  const made = log.filter(({ before, after }) => before !== after);
  if (made.length === 0) return NOTHING_CHANGED;
  const batch = doneBatch + 1;
  yield* tables.dropBatchesAfter(id, doneBatch);
  yield* tables.logEdits(id, made, { batch, by, atMs });
  const changed = yield* applyLog(tables, context, draft, made);
  yield* tables.update(id, { doneBatch: batch, ...toUnchecked(changed) });
  return changed;
}

/** A text that the cell of a whole row has anyway takes its edit back. */
function* toLog(
  tables: DraftTables,
  context: EditContext,
  edits: readonly CellEdit[],
): Steps<readonly DraftEdit[]> {
  const last = new Map(edits.map((edit) => [`${edit.row} ${edit.column}`, edit]));
  const byRow = Map.groupBy(last.values(), ({ row }) => row);
  const log: DraftEdit[] = [];
  for (const numbers of inBatches([...byRow.keys()])) {
    for (const row of yield* tables.readRowsAt(context.sheet.draft, numbers)) {
      for (const edit of byRow.get(row.row) ?? []) log.push(...toLine(context, row, edit));
    }
  }
  return log;
}

/** The line of the log for a cell; none where there is no such cell. */
export function toLine(
  { sheet, checker }: Pick<EditContext, "sheet" | "checker">,
  row: DraftRow,
  { column, value }: Pick<CellEdit, "column" | "value">,
): readonly DraftEdit[] {
  if (column >= MAX_COLUMNS) return [];
  const isWhole = checker.isWhole(sheet.effective({ ...row, edits: {} }));
  const own = row.cells[column] ?? null;
  // A code that is a number may have lost its zeros; typed again, it is a text.
  const isRetyped = typeof own === "number" && isCode(checker.mapping.columns[column]);
  const isSame = own === value || (typeof value === "string" && cellToText(own) === value);
  const before = row.edits[column] ?? null;
  return [{ row: row.row, column, before, after: isWhole && !isRetyped && isSame ? null : value }];
}

/** Rows that are read and written at a time, so that the memory of a step of any size is bounded. */
const BATCH_ROWS = 500;

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += BATCH_ROWS) yield items.slice(at, at + BATCH_ROWS);
}

const isCode = (column: Column | undefined): boolean =>
  column?.target.kind === "field" && column.target.field === "product_code";

const MAX_COLUMNS = 16_384;

/** Writes the results of logged edits into their rows, with the keys of the rows. */
function* applyLog(
  tables: DraftTables,
  { sheet, checker }: EditContext,
  { id: draft, columns }: Pick<DraftRecord, "id" | "columns">,
  log: readonly DraftEdit[],
): Steps<ChangedRows> {
  const added = log.filter(({ column }) => column === ADDED);
  if (added.length > 0) {
    yield* tables.update(draft, { columns: { ...columns, added: withAdded(columns, added) } });
    return { ...NOTHING_CHANGED, areColumnsOther: true };
  }
  const areRulesOther = yield* applyRules(tables, log);
  const byRow = Map.groupBy(log, ({ row }) => row);
  const rows: number[] = [];
  const codeKeys = new Set<string>();
  const alikeKeys = new Set<string>();
  let areCodesOther = false;
  const foldText = createTextFold();
  for (const numbers of inBatches([...byRow.keys()])) {
    const stored = yield* tables.readRowsAt(draft, numbers);
    const changed = stored.map((row) => withLog(row, byRow.get(row.row) ?? []));
    yield* tables.saveChanges(
      draft,
      changed.map((row) => ({
        row: row.row,
        edits: row.edits,
        folded: foldRow(foldText, sheet.effective(row).cells),
      })),
    );
    // What rows take from others is found anew for the whole sheet, where it has such rows.
    const keys = changed.map((row) => Object.assign(checker.toKeys(row), { joined: row.joined }));
    yield* tables.saveKeys(
      draft,
      keys.filter((each, at) => isOther(each, stored[at])),
    );
    areCodesOther ||= keys.some((each, at) => isOtherCode(each, stored[at]));
    for (const { codeKey, alikeKey } of [...stored, ...keys]) {
      if (codeKey !== null) codeKeys.add(codeKey);
      if (alikeKey !== null) alikeKeys.add(alikeKey);
    }
    for (const { row } of stored) rows.push(row);
  }
  return { rows, codeKeys, alikeKeys, areCodesOther, areRulesOther };
}

type Keys = Pick<DraftRow, "status" | "codeKey" | "alikeKey">;

const isOtherCode = (keys: Keys, before: Keys | undefined): boolean =>
  keys.codeKey !== before?.codeKey || keys.alikeKey !== before.alikeKey;

const isOther = (keys: Keys, before: Keys | undefined): boolean =>
  keys.status !== before?.status || isOtherCode(keys, before);

/** The row after these edits of it. */
function withLog(row: DraftRow, log: readonly DraftEdit[]): DraftRow {
  const edits: Record<number, string | number> = { ...row.edits };
  let isExcluded = row.status === "excluded";
  for (const { column, after } of log) {
    if (column === ANSWERED) continue;
    if (column === EXCLUDED) isExcluded = after !== null;
    else if (after === null) Reflect.deleteProperty(edits, column);
    else edits[column] = after;
  }
  if (isExcluded) return { ...row, edits, status: "excluded" };
  return { ...row, edits, status: row.status === "excluded" ? "ok" : row.status };
}

/** What {@link addColumn} has logged. */
const addedColumn: z.ZodType<AddedDraftColumn> = z.object({
  header: z.string(),
  field: z.string(),
});

/** A batch that is taken back takes the last column away, as edits of its cells were before it. */
function withAdded(
  { added = [] }: Pick<DraftRecord["columns"], "added">,
  log: readonly DraftEdit[],
): readonly AddedDraftColumn[] {
  const columns = [...added];
  for (const { after } of log) {
    if (after === null) columns.pop();
    else columns.push(addedColumn.parse(JSON.parse(String(after))));
  }
  return columns;
}
