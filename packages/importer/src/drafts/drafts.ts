/** The drafts of a store: created, listed, opened, planned and deleted. */

import { rm } from "node:fs/promises";

import { CatalogError, type Connection } from "@catalog/connection";
import { formatNumber } from "@catalog/i18n";
import type { NamedPerson, RunRecord, RunWarning } from "@catalog/runs";
import type { ReadLimits } from "@catalog/sheets";
import pLimit from "p-limit";

import { proposePeriod } from "../apply/run-period.ts";
import { readDraftDefaults } from "../columns/column-profiles.ts";
import { planSheet } from "../plan/plan-file.ts";
import type { PlanFileOptions } from "../plan/plan-options.ts";
import { type DraftChanges, createDraftChanges } from "./draft-changes.ts";
import { givenColumns, typeNumber, toColumnsView } from "./draft-columns.ts";
import { readDraftImages } from "./draft-images.ts";
import {
  cellToText,
  createDraftSheet,
  isUnusable,
  createTextFold,
  sortRows,
  toReadingView,
} from "./draft-rows.ts";
import type {
  DraftSummaryView,
  DraftDetails,
  DraftFilter,
  DraftRowView,
  DraftColumn,
} from "./draft-views.ts";
import { type WriteDraftOptions, writeDraftWorkbook } from "./draft-workbook.ts";
import { readDraft } from "./edit-draft.ts";
import {
  readNotations,
  readSource,
  readUnread,
  type CheckDraftOptions,
  type LiveState,
  openParts,
  checkDraft,
  readRowViews,
  readUnclear,
  readNotationNotes,
  wasStoreKnown,
} from "./live-state.ts";
import { noteRunOfDraft, openDraftBasis } from "./store-draft.ts";
import {
  createDraftId,
  type DraftRecord,
  readDraftSource,
  toCountsView,
  toRunView,
} from "./stored-draft.ts";

/** The drafts of a store. Functions that take an id throw `E_DRAFT_UNKNOWN` for an unknown draft. */
interface Drafts {
  /** Stores a new draft of a file; the file is read when the draft is checked. */
  create(file: NewDraftFile): Promise<{ readonly id: string }>;
  /** Lists the drafts, the latest first. */
  list(): Promise<readonly DraftSummaryView[]>;
  /** Opens a draft; one whose rows are not checked is not checked yet. */
  open(id: string, options?: OpenDraftOptions): Promise<LiveDraft>;
  /**
   * Plans a draft whose rows are checked. Throws {@link CatalogError} `E_DRAFT_UNREADY`, and
   * `E_DRAFT_CHANGED` where it is changed while it is planned.
   */
  plan(id: string, options: PlanDraftOptions): Promise<RunRecord>;
  /** Deletes a draft with its rows; the caller deletes the file that it was made of. */
  remove(id: string): Promise<void>;
}

/** Opens the drafts of a store; nothing is read before it is asked for. */
export const openDrafts = (connection: Connection): Drafts => ({
  create: (file) => createDraft(connection, file),
  list: () => listDrafts(connection),
  open: (id, options) => openDraft(connection, id, options),
  plan: (id, options) => planDraft(connection, id, options),
  async remove(id) {
    const { drafts } = connection.memory;
    const draft = await readDraft(drafts, id);
    if (!(await drafts.remove(id))) throw new CatalogError("E_DRAFT_UNKNOWN", id);
    if (draft.basis !== null) await rm(draft.path, { force: true });
  },
});

/** An uploaded file. */
interface NewDraftFile {
  /** Absolute path of the file in the home. */
  readonly path: string;
  /** As its person knows it. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** @default nobody is named */
  readonly by?: NamedPerson | undefined;
}

async function createDraft(
  { memory: { drafts }, clock }: Connection,
  { path, name, sha256, bytes, by }: NewDraftFile,
): Promise<{ readonly id: string }> {
  const id = createDraftId(clock);
  await drafts.create({ id, path, name, sha256, bytes, createdBy: by ?? null });
  return { id };
}

async function listDrafts({
  memory: { drafts },
}: Connection): Promise<readonly DraftSummaryView[]> {
  const listed = await drafts.list();
  const ready = listed.filter(({ state }) => state === "ready").map(({ id }) => id);
  const sizes = await drafts.sizes(ready);
  return listed.map((draft): DraftSummaryView => {
    const isReady = draft.state === "ready";
    const size = sizes.get(draft.id) ?? { rows: 0, errors: 0 };
    const { id, name, state, createdAtMs, updatedAtMs, createdBy, basis } = draft;
    return {
      id,
      name,
      state,
      createdAtMs,
      updatedAtMs,
      createdBy,
      rows: isReady ? size.rows : null,
      errors: isReady ? size.errors : null,
      run: draft.run?.id ?? null,
      isUnusable: isUnusable(readUnread(draft)?.code, draft.reading),
      isOfStore: basis !== null,
    };
  });
}

/** Options of a plan; the draft has its own settings for reading the file and its columns. */
type PlanDraftOptions = Omit<
  PlanFileOptions,
  "path" | "download" | "sheet" | "decimal" | "columns" | "constants" | "profile" | "platform"
>;

async function planDraft(
  connection: Connection,
  id: string,
  options: PlanDraftOptions,
): Promise<RunRecord> {
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  const [source, notations] = [readSource(draft), readNotations(draft)];
  if (draft.state !== "ready" || source === undefined || notations === undefined) {
    throw new CatalogError("E_DRAFT_UNREADY", draft.name);
  }
  const { version, reading, columns, basis } = draft;
  const { excluded } = await drafts.counts(id);
  const asked: PlanFileOptions = {
    ...options,
    // A product that is gone is not added again.
    mode: basis === null ? options.mode : "update",
    path: draft.path,
    decimal: reading.decimal,
    columns: givenColumns(columns),
    constants: new Map(Object.entries(columns.constants)),
    defaults: options.defaults ?? (await readDraftDefaults(connection.memory.profiles, columns)),
    async onRun(runId) {
      await proposePeriod(connection, runId, draft.period);
      await options.onRun?.(runId);
    },
  };
  const sheet = createDraftSheet(drafts, id, source, columns);
  const run = await planSheet(connection, asked, {
    sheet,
    file: {
      path: draft.path,
      name: draft.name,
      sha256: draft.sha256,
      kind: source.kind,
      sheet: source.kind === "csv" ? draft.name : source.sheet,
      ...(source.sheets !== undefined && { sheets: source.sheets }),
      headerRow: source.header.row,
      header: sheet.fileHeader.cells.map(cellToText),
      ...(columns.added !== undefined && { added: columns.added.length }),
    },
    suppliers: await readDraftSource(connection, draft),
    ...(await openDraftBasis(connection, draft)),
    reading: source.description,
    notations,
    draft: { id, version, excluded },
    warnings: warnOfExcluded(excluded),
    assertUnchanged: async () => assertVersion(await drafts.read(id), draft),
  });
  await drafts.update(id, { run: { id: run.id, version } });
  await noteRunOfDraft(connection, id, run.id);
  return run;
}

function assertVersion(now: DraftRecord | undefined, { name, version }: DraftRecord): void {
  if (now?.version !== version) throw new CatalogError("E_DRAFT_CHANGED", name);
}

/** Rows that a person left out are named, so that no product is lost unseen. */
function warnOfExcluded(rows: number): readonly RunWarning[] {
  if (rows === 0) return [];
  const [tr, en] = [formatNumber(rows, "tr"), formatNumber(rows, "en")];
  return [
    {
      code: "W_ROWS_EXCLUDED",
      message: {
        tr: `Taslakta ${tr} satır çıkarıldı; bu satırlar planda yok.`,
        en: `${en} ${rows === 1 ? "row was" : "rows were"} left out in the draft and ${rows === 1 ? "is" : "are"} not in the plan.`,
      },
    },
  ];
}

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
  /** The images that a row or one of its cells names; `undefined` for a row that is not there. */
  images(
    asked: Parameters<typeof readDraftImages>[1],
  ): Promise<Awaited<ReturnType<typeof readDraftImages>>>;
  /**
   * Writes the rows as they are now to a workbook. Throws `E_DRAFT_UNREADY` until they are checked,
   * and `E_DRAFT_CHANGED` where they are changed meanwhile.
   */
  write(options: WriteDraftOptions): Promise<void>;
}

interface OpenDraftOptions {
  /**
   * Has another process check the draft by this id, which takes as long as reading all its rows; the
   * draft is then read again. @default this process checks it
   */
  readonly checkElsewhere?: ((options: CheckDraftOptions) => Promise<void>) | undefined;
  /** Limits of files. @default those of the sheets package */
  readonly limits?: Partial<ReadLimits> | undefined;
}

async function openDraft(
  connection: Connection,
  id: string,
  { limits, checkElsewhere }: OpenDraftOptions = {},
): Promise<LiveDraft> {
  const { drafts } = connection.memory;
  await readDraft(drafts, id);
  const limit = pLimit(1);
  const state: LiveState = {
    connection,
    id,
    limits,
    parts: undefined,
    checkElsewhere,
    suggester: undefined,
    inTurn: (work) => limit(work),
  };
  await openParts(state, {});
  return {
    id,
    details: () => toDetails(state),
    check: (options = {}) => state.inTurn(() => checkDraft(state, options)),
    order: (filter = {}) => readOrder(state, filter),
    rows: (numbers) => readRowViews(state, numbers),
    images: (asked) => readDraftImages(state, asked),
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

async function toDetails({ connection, id, parts }: LiveState): Promise<DraftDetails> {
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  const { state, version, doneBatch } = draft;
  const counts = state === "ready" ? await drafts.counts(id) : undefined;
  const columns =
    parts === undefined
      ? null
      : await toColumnsView(connection.memory, parts.sheet, parts.columns, draft.columns);
  return {
    id,
    name: draft.name,
    bytes: draft.bytes,
    sha256: draft.sha256,
    state,
    version,
    createdAtMs: draft.createdAtMs,
    updatedAtMs: draft.updatedAtMs,
    reading: toReadingView(draft, readSource(draft), readUnread(draft)),
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
    shownAtMs: draft.basis?.readAtMs ?? null,
    period: draft.period,
  };
}
