/** How long rows of runs are kept, how large the home is, and what can be freed. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";

import { DatabaseError } from "../errors.ts";
import type { RepositoryOptions } from "../locks/leases.ts";
import { type Database, isFileDatabase } from "../sql/database.ts";
import { MIN_FREE_BYTES, readFreeBytes } from "../sqlite/file.ts";
import { type CompactOutcome, type DatabaseSizes, releasePages } from "../sqlite/maintenance.ts";
import type { DueRun } from "./archive.ts";
import { createRunPruner, type RunPruner, type Transact } from "./run-pruner.ts";

/** Sizes of the home, in bytes. */
export interface HomeSizes extends DatabaseSizes {
  /** All files of the home, the database and its log among them. */
  readonly homeBytes: number;
}

/** Rows that would be deleted. */
export interface PrunePreview {
  readonly runs: number;
  readonly rows: number;
  /** An estimate. */
  readonly bytes: number;
}

/** Rows that were deleted. */
export type PrunedRows = Pick<PrunePreview, "runs" | "rows">;

/** What a person asks for. */
export interface PruneOptions {
  /** Rows of runs that were finished longer ago are deleted, in milliseconds. */
  readonly keepMs: number;
  /** Ends the work after the commit under way; the next call goes on. @default never */
  readonly signal?: AbortSignal | undefined;
  /** Called after each commit with what was deleted so far. */
  readonly onProgress?: ((pruned: PrunedRows) => void) | undefined;
}

/** What the database keeps of runs that are over. */
export interface StoreStorage {
  /** How long their rows are kept, in milliseconds. */
  readonly keepMs: number;
  /**
   * Archives and prunes for a moment. It waits for no other process, and does not fail: what is left
   * is done by the next command.
   */
  pruneWhileIdle(signal?: AbortSignal): Promise<void>;
  /** Says what {@link StoreStorage.prune} would delete. Deletes nothing. */
  previewPrune(keepMs: number): Promise<PrunePreview>;
  /** Finds older runs that are kept, as rows of them wait for a person's decision. */
  listWaiting(keepMs: number): Promise<readonly string[]>;
  /** Archives and prunes all that is due. */
  prune(options: PruneOptions): Promise<PrunedRows>;
  /** Gives free space of the database back to the disk. */
  compact(): Promise<CompactOutcome>;
  /** Reads the whole database. */
  sizes(): Promise<HomeSizes>;
}

interface StorageOptions extends RepositoryOptions {
  readonly home: string;
  /** How long rows of runs are kept that are over, in days. @default 90 */
  readonly keepDays?: number | undefined;
}

const DAY_MS = 86_400_000;
const DEFAULT_KEEP_DAYS = 90;

/** A person does not notice a command that ends this much later. */
const IDLE_MS = 100;

/** A run takes five commits from its end to its deletion, so that the work never piles up. */
const IDLE_COMMITS = 40;

/** Creates the storage of a store; nothing is done yet. */
export function createStorage(options: StorageOptions): StoreStorage {
  const { database, clock, home, keepDays = DEFAULT_KEEP_DAYS } = options;
  const pruner = createRunPruner(options);
  const keepMs = keepDays * DAY_MS;
  const limits = { keepMs, maxMs: IDLE_MS, maxCommits: IDLE_COMMITS };
  return {
    keepMs,
    pruneWhileIdle: (signal) => pruneWhileIdle({ database, pruner, clock, ...limits, signal }),
    async previewPrune(kept) {
      const due = await pruner.listDue(kept);
      const rows = sumRows(due);
      const bytes = estimateFreedBytes(due, await database.readSizes());
      return { runs: due.length, rows, bytes };
    },
    listWaiting: (kept) => pruner.listWaiting(kept),
    prune: (asked) => pruneAll(pruner, asked),
    compact: () => database.compact(),
    sizes: async () => ({ ...(await database.readSizes()), homeBytes: sumFiles(home) }),
  };
}

const sumRows = (due: readonly DueRun[]): number => due.reduce((sum, { rows }) => sum + rows, 0);

async function pruneAll(
  pruner: RunPruner,
  { keepMs, signal, onProgress }: PruneOptions,
): Promise<PrunedRows> {
  let pruned: PrunedRows = { runs: 0, rows: 0 };
  await pruner.lookAgain();
  for (;;) {
    const step = signal?.aborted === true ? undefined : await pruner.advance(keepMs);
    if (step === undefined) return pruned;
    if (step.prunedRows !== null) {
      pruned = { runs: pruned.runs + 1, rows: pruned.rows + step.prunedRows };
    }
    onProgress?.(pruned);
    // Signals are noticed between commits.
    await new Promise(setImmediate);
  }
}

/** A file that another process deletes meanwhile counts as empty. */
function sumFiles(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.size ?? 0), 0);
}

/** The pruner of a store, and how much it may do. */
interface PruneWhileIdleOptions {
  readonly database: Database;
  readonly pruner: RunPruner;
  readonly clock: Clock;
  /** How long rows of finished runs are kept, in milliseconds. */
  readonly keepMs: number;
  /** No commit begins after this time, in milliseconds. */
  readonly maxMs: number;
  /** Maximum number of commits, whatever the clock says. */
  readonly maxCommits: number;
  /** @default never */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does some of the work that is due, and gives free pages back. It ends at once where another
 * process writes, the disk is nearly full or the database refuses: the next command goes on.
 */
export async function pruneWhileIdle(options: PruneWhileIdleOptions): Promise<void> {
  const { database, pruner, clock, keepMs, maxMs, maxCommits, signal } = options;
  const untilMs = clock.now() + maxMs;
  let commits = 0;
  const isOver = (): boolean => {
    commits += 1;
    return commits > maxCommits || clock.now() >= untilMs || signal?.aborted === true;
  };
  const transact: Transact = (work) => database.transactionAtOnce(work);
  try {
    if (isFileDatabase(database) && readFreeBytes(database.path) < MIN_FREE_BYTES) return;
    while (!isOver() && (await pruner.advance(keepMs, transact)) !== undefined);
    if (!isFileDatabase(database)) return;
    while (!isOver() && (await releasePages(database, transact)));
  } catch (error) {
    // Nothing that the command was asked for depends on the pruning.
    if (!(error instanceof DatabaseError)) throw error;
  }
}

/**
 * Estimates the bytes that deleting the rows of these runs would free, from the mean size of a row
 * in its tables.
 */
export function estimateFreedBytes(due: readonly DueRun[], sizes: DatabaseSizes): number {
  const { kinds, tableRows, archivedRows } = sizes;
  const rowBytes = (kinds.rows + kinds.events) / Math.max(1, tableRows);
  const cellBytes = kinds.cells / Math.max(1, tableRows + archivedRows);
  const bytes = due.map(
    ({ rows, archivedBytes }) => (archivedBytes ?? rows * rowBytes) + rows * cellBytes,
  );
  return Math.round(bytes.reduce((sum, one) => sum + one, 0));
}
