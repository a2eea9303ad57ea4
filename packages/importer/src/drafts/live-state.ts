/** The state of an open draft, and the steps by which its rows are read and checked. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { NumberNotations } from "@catalog/mapping";
import { rowAddress } from "@catalog/runs";
import type { ReadLimits } from "@catalog/sheets";

import type { NameSuggester } from "../names/suggestions.ts";
import { readRulesBasis } from "../plan/plan-basis.ts";
import {
  checkAllRows,
  type CheckContext,
  decideDraftNotations,
  groupDraftRows,
  knowsStore,
} from "./check-draft.ts";
import { openDraftColumns, type OpenedColumns } from "./draft-columns.ts";
import {
  cellToText,
  createDraftSheet,
  type DraftSheet,
  type DraftSource,
  readDraftFile,
  type UnreadFile,
} from "./draft-rows.ts";
import type { DraftCheckProgress, DraftRowView } from "./draft-views.ts";
import { changeDraft, readDraft } from "./edit-draft.ts";
import { createRowChecker, type RowChecker } from "./row-checker.ts";
import type { DraftRecord, DraftRow } from "./stored-draft.ts";

/** How a draft is checked. */
export interface CheckDraftOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: DraftCheckProgress) => void) | undefined;
}

/** What is in memory of an open draft. */
interface OpenParts {
  readonly sheet: DraftSheet;
  readonly columns: OpenedColumns;
  /** Missing until the columns can be used. */
  readonly checker?: RowChecker | undefined;
}

/** The state of an open draft, which its parts share. */
export interface LiveState {
  readonly connection: Connection;
  readonly id: string;
  /** Limits of files. */
  readonly limits: Partial<ReadLimits> | undefined;
  parts: OpenParts | undefined;
  /** Kept while the lists stay the same, as it reads the products of the store. */
  suggester: NameSuggester | undefined;
  /** Checks all rows in another process; `undefined` where this one does. */
  readonly checkElsewhere: ((options: CheckDraftOptions) => Promise<void>) | undefined;
  /** Runs one change or check at a time. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Why a file cannot be read, in place of the decisions of a check. */
interface FailedReading {
  readonly unread: UnreadFile;
}

/** Why the file of a draft could not be read; `undefined` where it could, or may. */
export function readUnread({
  check,
  state,
}: Pick<DraftRecord, "check" | "state">): UnreadFile | undefined {
  if (check === null || state !== "reading") return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `checkDraft`
  return (check as Partial<FailedReading>).unread;
}

type UnclearNumbers = NonNullable<ReturnType<NonNullable<NumberNotations["unclear"]>["get"]>>;

/** A column of a check whose numbers only a person can tell apart. */
interface UnclearColumn extends Omit<UnclearNumbers, "signs"> {
  readonly index: number;
}

/** The decisions of a check that are stored. */
interface DraftCheck {
  readonly decimal: NumberNotations["decimal"] | null;
  readonly columns: readonly (readonly [
    number,
    NumberNotations["columns"] extends ReadonlyMap<number, infer Notation> ? Notation : never,
  ])[];
  /** Notes on what an accepted plan has taught. @default none */
  readonly notes?: readonly Localized[] | undefined;
  /** Columns whose numbers only a person can tell apart. @default none */
  readonly unclear?: readonly UnclearColumn[] | undefined;
  /** Digest of the rules that the rows were checked by. @default not known */
  readonly basis?: string | undefined;
  /** Whether it was known which rows are new to the store. @default not known */
  readonly isStoreKnown?: boolean | undefined;
}

/** What the last check has stored; `undefined` where the rows of the draft are not checked. */
function readCheck({ check, state }: Pick<DraftRecord, "check" | "state">): DraftCheck | undefined {
  if (check === null || readUnread({ check, state }) !== undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `checkDraft`
  return check as DraftCheck;
}

/** The stored notes on the notations of a draft; none where its rows are not checked. */
export const readNotationNotes = (
  draft: Pick<DraftRecord, "check" | "state">,
): readonly Localized[] => readCheck(draft)?.notes ?? [];

/** Whether it was known which rows are new to the store when all rows were checked last. */
export const wasStoreKnown = (draft: Pick<DraftRecord, "check" | "state">): boolean =>
  readCheck(draft)?.isStoreKnown === true;

/** The stored notations of a draft; `undefined` where its rows are not checked. */
export function readNotations(
  draft: Pick<DraftRecord, "check" | "state">,
): NumberNotations | undefined {
  const found = readCheck(draft);
  if (found === undefined) return undefined;
  return { decimal: found.decimal ?? undefined, columns: new Map(found.columns) };
}

/** The stored columns whose numbers only a person can tell apart. */
export const readUnclear = (
  draft: Pick<DraftRecord, "check" | "state">,
): readonly UnclearColumn[] => readCheck(draft)?.unclear ?? [];

/** The stored sheet of a draft; `undefined` where its file could not be read yet. */
export const readSource = ({ source }: Pick<DraftRecord, "source">): DraftSource | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `checkDraft`
  source === null ? undefined : (source as DraftSource);

/** Loads what is stored of the draft into memory. */
export async function openParts(state: LiveState, { signal }: CheckDraftOptions): Promise<void> {
  const { connection, id } = state;
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  const source = readSource(draft);
  if (source === undefined) {
    state.parts = undefined;
    return;
  }
  const sheet = createDraftSheet(drafts, id, source, draft.columns);
  const columns = await openDraftColumns(connection, sheet, draft, signal);
  const notations = readNotations(draft);
  const { mapping, recalled } = columns;
  const isUsable = columns.issues.length === 0 && notations !== undefined;
  const { decimal } = recalled;
  // A check that is stopped gives up the lists that it waits for; the next one makes a new checker.
  const checker = isUsable
    ? await createRowChecker(connection, { sheet, mapping, notations, decimal, signal })
    : undefined;
  state.parts = { sheet, columns, checker };
}

/** Whether a check has begun, or has to, and has not come to its end. */
export const isCheckOpen = (draft: Pick<DraftRecord, "check" | "state">): boolean =>
  draft.state === "checking" || (draft.state === "reading" && readUnread(draft) === undefined);

/** Goes on from the state that the draft is in; each step stores how far it came. */
export async function checkDraft(state: LiveState, options: CheckDraftOptions): Promise<void> {
  const draft = await readDraft(state.connection.memory.drafts, state.id);
  if (draft.state === "ready" && state.parts?.checker !== undefined) return;
  state.suggester = undefined;
  if (state.checkElsewhere === undefined) await checkHere(state, draft, options);
  else await followCheck(state, state.checkElsewhere, options);
}

/** Takes up what the other process stores: the columns once its rows are read, all at its end. */
async function followCheck(
  state: LiveState,
  check: (options: CheckDraftOptions) => Promise<void>,
  { signal, onProgress }: CheckDraftOptions,
): Promise<void> {
  let columns: Promise<void> | undefined;
  try {
    await check({
      signal,
      onProgress(progress) {
        if (progress.step === "check") columns ??= openParts(state, {}).catch(() => undefined);
        onProgress?.(progress);
      },
    });
  } finally {
    await columns;
    await openParts(state, {});
  }
}

async function checkHere(
  state: LiveState,
  draft: DraftRecord,
  options: CheckDraftOptions,
): Promise<void> {
  const { connection, id, limits } = state;
  const { signal, onProgress } = options;
  const { drafts } = connection.memory;
  if (readSource(draft) === undefined) {
    const onRows = (done: number): void => onProgress?.({ step: "read", done, total: null });
    const read = await readDraftFile(drafts, draft, { limits, signal, onRows });
    if (!read.ok) {
      const check: FailedReading = { unread: read.unread };
      await drafts.update(id, { state: "reading", check });
      return;
    }
    await drafts.update(id, { source: read.source, check: null });
  }
  await checkColumns(state, options);
}

async function checkColumns(state: LiveState, options: CheckDraftOptions): Promise<void> {
  const { connection, id } = state;
  const { signal } = options;
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  await openParts(state, options);
  const { parts } = state;
  if (parts === undefined) return;
  const { sheet, columns } = parts;
  if (columns.issues.length > 0) {
    await drafts.update(id, { state: "columns", check: null });
    return;
  }
  await drafts.update(id, { state: "checking" });
  if (parts.checker === undefined) {
    const { decimal } = columns.recalled;
    const how = { mapping: columns.mapping, decimal, given: draft.columns.decimals };
    const { notations, notes, unclear } = await decideDraftNotations(
      connection,
      { drafts, sheet, signal },
      how,
    );
    const check: DraftCheck = {
      decimal: notations.decimal ?? null,
      columns: [...notations.columns],
      notes,
      unclear: [...unclear].map(([index, { cells, example, readings }]) => ({
        index,
        cells,
        example,
        readings,
      })),
      basis: await readRulesBasis(connection.memory),
    };
    await drafts.update(id, { check });
    await openParts(state, options);
  }
  const context = toCheckContext(state, options);
  await groupDraftRows(context);
  const isStoreKnown = await checkAllRows(context);
  const check = readCheck(await readDraft(drafts, id));
  await drafts.update(id, { state: "ready", check: check && { ...check, isStoreKnown } });
}

/** Whether the rows were checked by other rules than there are now. */
export async function isCheckOutdated({
  connection: { memory },
  id,
}: Pick<LiveState, "connection" | "id">): Promise<boolean> {
  const draft = await readDraft(memory.drafts, id);
  const basis = draft.state === "ready" ? readCheck(draft)?.basis : undefined;
  return basis !== undefined && basis !== (await readRulesBasis(memory));
}

/** Whether the plan of the draft has read the store, which was not known when its rows were checked. */
export async function isStoreKnownSince(state: LiveState): Promise<boolean> {
  const { connection, id, parts } = state;
  const draft = await readDraft(connection.memory.drafts, id);
  const isOpen = readCheck(draft)?.isStoreKnown === false && parts?.checker !== undefined;
  // A plan that is being made needs the draft as it is.
  if (!isOpen || draft.state !== "ready" || draft.run?.version !== draft.version) return false;
  return await knowsStore({ connection, checker: parts.checker });
}

/** Stores that all rows have been checked by the rules that there are now. */
export async function noteRules({
  connection: { memory },
  id,
}: Pick<LiveState, "connection" | "id">): Promise<void> {
  const check = readCheck(await readDraft(memory.drafts, id));
  if (check === undefined) return;
  const basis = await readRulesBasis(memory);
  await memory.drafts.update(id, { check: { ...check, basis } });
}

/** What checks of an open draft work on; throws where its columns are not usable. */
export function toCheckContext(state: LiveState, options: CheckDraftOptions = {}): CheckContext {
  const { connection, id, parts } = state;
  const { signal, onProgress } = options;
  if (parts?.checker === undefined) throw new Error(`draft ${id} has no usable columns`);
  const { drafts } = connection.memory;
  const rows = parts.sheet.source.rowCount;
  return {
    connection,
    drafts,
    sheet: parts.sheet,
    checker: parts.checker,
    signal,
    onRows: (done) => onProgress?.({ step: "check", done, total: rows }),
  };
}

/** Rows as a page shows them. */
export async function readRowViews(
  { connection, id, parts }: LiveState,
  numbers: readonly number[],
): Promise<readonly DraftRowView[]> {
  if (parts === undefined) return [];
  const rows = await connection.memory.drafts.readRowsAt(id, numbers);
  return rows.map((row) => toRowView(row, parts));
}

function toRowView(row: DraftRow, { sheet, checker }: OpenParts): DraftRowView {
  const effective = sheet.effective(row);
  return {
    row: row.row,
    name: rowAddress(sheet, row.row),
    cells: effective.cells.map(cellToText),
    edited: Object.keys(row.edits).map(Number),
    isExcluded: row.status === "excluded",
    readAs: (checker?.readAs(effective) ?? []).map(({ column, text }) => ({ column, text })),
    numbers: checker?.numbers(effective) ?? [],
    issues: row.issues,
  };
}

/** Stores another version of a draft whose rows must be checked again. */
export async function restartDraft(
  { connection, id }: Pick<LiveState, "connection" | "id">,
  version: number,
  change: Parameters<Connection["memory"]["drafts"]["update"]>[1],
): Promise<void> {
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  await changeDraft(drafts, draft, version, function* restart(tables) {
    // Edits name cells of the sheet that was read before.
    if (change.source === null) yield* tables.removeRows(id);
    const fresh =
      change.source === null ? { doneBatch: 0, columns: { ...draft.columns, added: [] } } : {};
    yield* tables.update(id, { state: "reading", check: null, ...fresh, ...change });
  });
}
