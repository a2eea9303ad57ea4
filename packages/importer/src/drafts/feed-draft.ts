/**
 * The draft of a feed: its products that the store does not have yet wait in it for a person. It is
 * kept up to date with the feed, and corrections stay. Answers about names and columns are rules and
 * profiles of the store, so that they hold for later products as well.
 */

import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { ClientError } from "@catalog/client/errors";
import type { Connection, Steps } from "@catalog/connection";
import { type Lang, makeFolder } from "@catalog/i18n";
import type { ImageOptions } from "@catalog/images";
import { type Counts, toCounts } from "@catalog/runs";
import { type SheetRow, writeXlsx } from "@catalog/sheets";
import { z } from "zod";

import { type AppliedPlan, applyPlan } from "../apply/apply-plan.ts";
import { hashFile } from "../file/open-table.ts";
import { createTextFold, type DraftSource, foldRow, readDraftRows } from "./draft-rows.ts";
import { openDrafts } from "./drafts.ts";
import { readSource } from "./live-state.ts";
import {
  type DraftFileRow,
  type DraftRecord,
  type DraftTables,
  saveDraftSource,
} from "./stored-draft.ts";

/** A row of a feed that belongs to a new product. */
export interface NewProductRow extends Omit<DraftFileRow, "row"> {
  /** What tells it apart from the other rows in each version of the feed. */
  readonly key: string;
}

/** The new products of one version of a feed. */
interface UpdateFeedDraftOptions {
  /** Key of the feed. */
  readonly feed: string;
  /** Name of the feed for people. */
  readonly name: string;
  /** Names of the feed for price rules. */
  readonly suppliers: readonly string[];
  readonly lang: Lang;
  readonly header: readonly string[];
  readonly rows: readonly NewProductRow[];
  /** Number of the products. */
  readonly products: number;
  /** Returns the key of a stored row. */
  readonly toKey: (rows: readonly Pick<SheetRow, "cells">[]) => readonly string[];
  /** What a person has said about the columns of the feed. */
  readonly columns: ReadonlyMap<string, string>;
  readonly decimal: "comma" | "point" | undefined;
}

/** The draft that holds the new products of a feed. */
export interface FeedDraft {
  readonly id: string;
  readonly products: number;
}

const noteSchema = z.object({ id: z.string() });

const SHEET_NAMES: Readonly<Record<Lang, string>> = { tr: "Ürünler", en: "Products" };

const NAMES: Readonly<Record<Lang, (feed: string) => string>> = {
  tr: (feed) => `${feed}: yeni ürünler`,
  en: (feed) => `${feed}: new products`,
};

/**
 * Makes the draft of the feed, brings it up to date, or removes it once no product is new any more.
 * A draft whose plan is open stays as it is until that has been sent or given up.
 */
export async function updateFeedDraft(
  connection: Connection,
  options: UpdateFeedDraftOptions,
  signal?: AbortSignal,
): Promise<FeedDraft | undefined> {
  const { feedState } = connection.memory;
  const { rows, products } = options;
  const draft = await readFeedDraft(connection, options.feed);
  if (draft !== undefined && (await isBeingSent(connection, draft))) {
    return { id: draft.id, products };
  }
  if (rows.length === 0) {
    if (draft !== undefined) await removeDraft(connection, draft);
    return undefined;
  }
  const isKept = draft !== undefined && hasSameHeader(draft, options.header);
  if (isKept) await refreshDraft(connection, draft, options);
  // Corrections belong to columns, so that a feed with other ones begins a new draft.
  else if (draft !== undefined) await removeDraft(connection, draft);
  const id = isKept ? draft.id : await createFeedDraft(connection, options);
  if (!isKept) await feedState.saveNotes({ [noteKey(options.feed)]: { id } });
  await saveDraftSource(connection, id, options.suppliers);
  await checkRows(connection, id, signal);
  return { id, products };
}

/** Checks the rows, so that the draft can be sent; the page checks one whose names cannot be read. */
async function checkRows(
  connection: Connection,
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const live = await openDrafts(connection).open(id);
    // A rule that was added since may answer what was open.
    await live.renew();
    await live.check({ signal });
  } catch (error) {
    if (signal?.aborted !== true && !(error instanceof ClientError)) throw error;
  }
}

const noteKey = (feed: string): string => `draft of ${feed}`;

/** The draft of a feed; `undefined` where it has none, or a person has removed it. */
export async function readFeedDraft(
  { memory: { feedState, drafts } }: Pick<Connection, "memory">,
  feed: string,
): Promise<DraftRecord | undefined> {
  const note = await feedState.readNote(noteKey(feed), noteSchema);
  return note === undefined ? undefined : await drafts.read(note.id);
}

/** A plan that nobody has sent within an hour is made again from the draft as it is then. */
const PLAN_MS = 3_600_000;

/** Whether the draft is being sent, or a person is looking at its plan. */
async function isBeingSent(
  { runs, clock }: Pick<Connection, "runs" | "clock">,
  { run }: DraftRecord,
): Promise<boolean> {
  const found = run === null ? undefined : await runs.read(run.id);
  if (found === undefined || found.state === "finished") return false;
  if (found.state === "running" || found.state === "stopped") return true;
  return clock.now() - found.createdAtMs < PLAN_MS;
}

function hasSameHeader(draft: DraftRecord, header: readonly string[]): boolean {
  const source = readSource(draft);
  if (source === undefined) return true;
  const known = source.header.cells.map((cell) => String(cell ?? ""));
  return JSON.stringify(known) === JSON.stringify(header);
}

async function removeDraft(connection: Connection, { id, path }: DraftRecord): Promise<void> {
  await openDrafts(connection).remove(id);
  if (dirname(path) === draftFolder(connection)) await rm(path, { force: true });
}

const draftFolder = ({ memory: { tableFolder } }: Pick<Connection, "memory">): string =>
  join(tableFolder, "feeds");

async function createFeedDraft(
  connection: Connection,
  options: UpdateFeedDraftOptions,
): Promise<string> {
  const { drafts } = connection.memory;
  const { feed, name, lang, columns, decimal } = options;
  const path = join(draftFolder(connection), `${feed}.xlsx`);
  const file = await writeRows(path, options);
  const { id } = await openDrafts(connection).create({ ...file, path, name: NAMES[lang](name) });
  await drafts.update(id, {
    columns: { columns: Object.fromEntries(columns), constants: {} },
    reading: decimal === undefined ? {} : { decimal },
  });
  return id;
}

/** The file of the draft holds all of its rows, for a person who has it read in another way. */
async function writeRows(
  path: string,
  { lang, header, rows }: UpdateFeedDraftOptions,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  makeFolder(dirname(path));
  await writeXlsx({
    path,
    sheets: [
      {
        name: SHEET_NAMES[lang],
        columns: header.map((text) => ({ header: text })),
        rows: (async function* eachRow() {
          for (const { cells, traits, formats } of rows) {
            yield {
              cells,
              ...(traits !== undefined && { traits }),
              ...(formats !== undefined && { formats }),
            };
          }
        })(),
      },
    ],
  });
  return { sha256: (await hashFile(path)) ?? "", bytes: (await stat(path)).size };
}

/** Adds new rows, replaces the cells of known ones, and removes those that the feed no longer has. */
async function refreshDraft(
  connection: Connection,
  draft: DraftRecord,
  options: UpdateFeedDraftOptions,
): Promise<void> {
  const { drafts } = connection.memory;
  const source = readSource(draft);
  // A draft that was not read yet is read from its file.
  if (source === undefined) {
    await drafts.update(draft.id, await writeRows(draft.path, options));
    return;
  }
  const stored = (await Array.fromAsync(readDraftRows(drafts, draft.id))).flat();
  const keys = options.toKey(stored);
  const known = new Map(stored.map((row, index) => [keys[index] ?? "", row]));
  const changes = compareRows(known, options.rows);
  if (changes === undefined && existsSync(draft.path)) return;
  const file = await writeRows(draft.path, options);
  if (changes === undefined) {
    await drafts.update(draft.id, file);
    return;
  }
  await drafts.change(draft.id, draft.version, (tables) =>
    applyChanges(tables, draft, { source, changes, file }),
  );
}

interface RowChanges {
  readonly added: readonly DraftFileRow[];
  readonly changed: readonly DraftFileRow[];
  readonly removed: readonly number[];
  /** Rows and cells of the longest row, after the changes. */
  readonly rowCount: number;
  readonly maxWidth: number;
}

/** `undefined` where nothing differs. */
function compareRows(
  stored: ReadonlyMap<string, DraftFileRow>,
  rows: readonly NewProductRow[],
): RowChanges | undefined {
  const known = new Map(stored);
  const added: DraftFileRow[] = [];
  const changed: DraftFileRow[] = [];
  let last = 1;
  for (const { row } of stored.values()) last = Math.max(last, row);
  for (const { key, ...row } of rows) {
    const before = known.get(key);
    known.delete(key);
    if (before === undefined) {
      last += 1;
      added.push({ ...row, row: last });
    } else if (toText(before) !== toText(row)) changed.push({ ...row, row: before.row });
  }
  const removed = [...known.values()].map(({ row }) => row);
  if (added.length + changed.length + removed.length === 0) return undefined;
  const maxWidth = rows.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  return { added, changed, removed, rowCount: rows.length, maxWidth };
}

/** A reader leaves empty cells at the end out. */
export function trimCells(cells: DraftFileRow["cells"]): DraftFileRow["cells"] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null && cell !== "") + 1);
}

const toText = ({ cells, traits, formats }: Omit<DraftFileRow, "row">): string =>
  JSON.stringify([trimCells(cells), traits ?? {}, formats ?? {}]);

function* applyChanges(
  tables: DraftTables,
  { id }: DraftRecord,
  {
    source,
    changes: { added, changed, removed, rowCount, maxWidth },
    file,
  }: {
    readonly source: DraftSource;
    readonly changes: RowChanges;
    readonly file: { readonly sha256: string; readonly bytes: number };
  },
): Steps<void> {
  const foldText = createTextFold();
  const folded = (row: DraftFileRow) =>
    Object.assign({ folded: foldRow(foldText, row.cells) }, row);
  yield* tables.removeRowsAt(id, removed);
  yield* tables.replaceCells(id, changed.map(folded));
  yield* tables.appendRows(id, added.map(folded));
  const width = Math.max(source.maxWidth, maxWidth);
  // All rows are checked anew, as they may have the codes and the numbers of each other.
  yield* tables.update(id, {
    ...file,
    source: { ...source, rowCount, maxWidth: width },
    state: "checking",
    check: null,
  });
}

interface SendFeedDraftOptions {
  readonly id: string;
  readonly lang: Lang;
  /** Absolute folder of the result files; `{run}` stands for the run's id. */
  readonly reportDir: string;
  /** @default images are neither checked nor uploaded */
  readonly images?: ImageOptions | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** What became of the rows of a draft that could be sent. */
export interface SentFeedDraft extends Pick<AppliedPlan, "run" | "end" | "reason"> {
  readonly counts: Counts;
}

/**
 * Adds the products of the draft about which nothing is open, as an import of the draft does; the
 * others stay in it. Returns `undefined` where there are none, or the draft has not changed since it
 * was planned last. Throws `DatabaseError` `E_STORE_BUSY` while another run works on the store.
 */
export async function sendFeedDraft(
  connection: Connection,
  { id, lang, reportDir, images, stop }: SendFeedDraftOptions,
): Promise<SentFeedDraft | undefined> {
  const { drafts } = connection.memory;
  const draft = await drafts.read(id);
  if (draft?.state !== "ready" || draft.run?.version === draft.version) return undefined;
  const { ok, warn } = await drafts.counts(id);
  if (ok + warn === 0) return undefined;
  await using lock = await connection.locks.store("catalog sync");
  const how = { command: "import", mode: "add", lang, reportDir, images, signal: stop } as const;
  const onRun = (run: string): Promise<void> => lock.nameRun(run);
  const { id: runId } = await openDrafts(connection).plan(id, { ...how, onRun });
  const { run, end, reason } = await applyPlan(connection, { runId, stop });
  return { run, end, reason, counts: toCounts(await connection.journal.countRows(runId)) };
}
