/** A draft that is open: its mapper and its lists of names stay in memory. */

import { CatalogError, type Connection } from "@catalog/connection";
import type { ReadLimits } from "@catalog/sheets";
import pLimit from "p-limit";

import { toCountsView, toRunView } from "./counts-view.ts";
import { createDraftChanges, type DraftChanges } from "./draft-changes.ts";
import { toColumnsView } from "./draft-columns.ts";
import type { DraftColumn, DraftDetails, DraftFilter, DraftRowView } from "./draft-views.ts";
import { type WriteDraftOptions, writeDraftWorkbook } from "./draft-workbook.ts";
import { readDraft } from "./edit-draft.ts";
import { createTextFold } from "./fold-text.ts";
import {
  checkDraft,
  type CheckDraftOptions,
  type LiveState,
  openParts,
  readNotationNotes,
  readNotations,
  readRowViews,
  readSource,
  readUnclear,
  wasStoreKnown,
} from "./live-state.ts";
import { toReadingView } from "./read-draft-file.ts";
import { typeNumber } from "./shown-numbers.ts";
import { sortRows } from "./sort-rows.ts";
import type { DraftRecord } from "./stored-draft.ts";

export { type CheckDraftOptions } from "./live-state.ts";

/** A draft in memory. One caller opens each draft once; its changes are made one after the other. */
export interface LiveDraft extends DraftChanges {
  readonly id: string;
  /** The draft but for its rows. */
  details(): Promise<DraftDetails>;
  /**
   * Goes as far as the draft can: reads the file, decides the columns, checks every row. Does nothing
   * for a draft whose rows are checked.
   */
  check(options?: CheckDraftOptions): Promise<void>;
  /** Numbers of the rows of a view, in the order of the sheet or of the cells of a column. */
  order(filter?: DraftFilter): Promise<Uint32Array>;
  /** Rows by their numbers; a number without a row is left out. */
  rows(numbers: readonly number[]): Promise<readonly DraftRowView[]>;
  /**
   * Writes the rows as they are now to a workbook. Throws `E_DRAFT_UNREADY` until they are checked,
   * and `E_DRAFT_CHANGED` where they are changed meanwhile.
   */
  write(options: WriteDraftOptions): Promise<void>;
}

export interface OpenDraftOptions {
  /** Limits of files. @default those of the sheets package */
  readonly limits?: Partial<ReadLimits> | undefined;
}

/** Opens a draft; throws `E_DRAFT_UNKNOWN`. A draft whose rows are not checked is not checked yet. */
export async function openDraft(
  connection: Connection,
  id: string,
  { limits }: OpenDraftOptions = {},
): Promise<LiveDraft> {
  const { drafts } = connection.memory;
  await readDraft(drafts, id);
  const limit = pLimit(1);
  const state: LiveState = {
    connection,
    id,
    limits,
    parts: undefined,
    readError: undefined,
    inTurn: (work) => limit(work),
    renewChecker: () => openParts(state, {}),
  };
  await openParts(state, {});
  return {
    id,
    details: () => toDetails(state),
    check: (options = {}) => state.inTurn(() => checkDraft(state, options)),
    order: (filter = {}) => readOrder(state, filter),
    rows: (numbers) => readRowViews(state, numbers),
    write: (options) => writeRows(state, options),
    ...createDraftChanges(state),
  };
}

async function writeRows(
  { connection, id, parts }: LiveState,
  options: WriteDraftOptions,
): Promise<void> {
  const { drafts } = connection.memory;
  const { name, state } = await readDraft(drafts, id);
  if (parts === undefined || state !== "ready") throw new CatalogError("E_DRAFT_UNREADY", name);
  const { sheet, columns } = parts;
  await writeDraftWorkbook({ drafts, sheet, mapping: columns.mapping }, options);
}

async function readOrder(
  { connection, id, parts }: LiveState,
  { show, code, text, sort }: DraftFilter,
): Promise<Uint32Array> {
  const { drafts } = connection.memory;
  const folded = text === undefined ? undefined : createTextFold()(text);
  const numbers = await drafts.order(id, { show, code, folded });
  if (sort === undefined || parts === undefined) return numbers;
  const notation = readNotations(await readDraft(drafts, id))?.columns.get(sort.column);
  return await sortRows(numbers, sort, { drafts, sheet: parts.sheet, notation });
}

/** The question about the numbers of a column, and its answer. */
function toUnclearView(
  draft: Pick<DraftRecord, "check" | "state" | "columns">,
  { index, header }: Pick<DraftColumn, "index" | "header">,
): DraftColumn["unclear"] {
  const found = readUnclear(draft).find((one) => one.index === index);
  if (found === undefined) return null;
  const { cells, example, readings } = found;
  const answer = draft.columns.decimals?.[header] ?? null;
  const read = { comma: typeNumber(readings.comma), point: typeNumber(readings.point) };
  return { cells, example, readings: read, answer };
}

async function toDetails({ connection, id, parts, readError }: LiveState): Promise<DraftDetails> {
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  const { state, version, doneBatch } = draft;
  const counts = state === "ready" ? await drafts.counts(id) : undefined;
  const columns =
    parts === undefined
      ? null
      : await toColumnsView(drafts, parts.sheet, parts.columns, draft.columns);
  return {
    id,
    name: draft.name,
    bytes: draft.bytes,
    sha256: draft.sha256,
    state,
    version,
    createdAtMs: draft.createdAtMs,
    updatedAtMs: draft.updatedAtMs,
    reading: toReadingView(draft, readSource(draft), readError),
    columns: columns && {
      ...columns,
      columns: columns.columns.map((column) =>
        Object.assign(column, { unclear: toUnclearView(draft, column) }),
      ),
      notes: [...columns.notes, ...readNotationNotes(draft)],
    },
    counts: counts === undefined ? null : toCountsView(counts),
    canUndo: doneBatch > 0,
    canRedo: (await drafts.lastBatch(id)) > doneBatch,
    openNames: counts?.openNames ?? 0,
    isStoreKnown: wasStoreKnown(draft),
    run: toRunView(draft),
  };
}
