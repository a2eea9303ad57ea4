/**
 * Keeps the file from growing for ever. A day after a run is over its rows are archived: moved into
 * compressed pieces, from which they are read as before. When they were kept long enough they are
 * deleted; the line of the run with its counts, adds that take their codes and what was sent last
 * for each product stay. Rows of a plan that never sent anything are deleted without an archive.
 * Nothing of any other run that is not over is touched.
 */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";

import { DatabaseError } from "../errors.ts";
import type { RepositoryOptions } from "../locks/leases.ts";
import { type Database, isFileDatabase, type Steps } from "../sql/database.ts";
import { MIN_FREE_BYTES, readFreeBytes } from "../sqlite/file.ts";
import { type CompactOutcome, type DatabaseSizes, releasePages } from "../sqlite/maintenance.ts";
import { createRunStages, type DueRun, type RunStages, toStateCounts } from "./archive.ts";
import {
  type Candidate,
  createRunCandidates,
  createRunJudge,
  createSupersededHolds,
  type RunCandidates,
  type RunJudge,
  type SupersededHolds,
} from "./judge-runs.ts";
import { type AdvanceRun, createAdvanceRun } from "./move-rows.ts";

/** How a commit is made. @default the process waits for others that write */
type Transact = <Result>(work: () => Steps<Result>) => Promise<Result>;

/** Archives and prunes runs of one store, in short commits. */
export interface RunPruner {
  /**
   * Makes one commit of the work that is due. Returns what it did; `undefined` where nothing is
   * left to be done. Several processes may call it at a time.
   */
  advance(keepMs: number, transact?: Transact): Promise<PruneStep | undefined>;
  /** Makes runs due that were put off. */
  lookAgain(): Promise<void>;
  /** Finds runs whose rows would be deleted, those first that {@link RunPruner.advance} takes. */
  listDue(keepMs: number): Promise<readonly DueRun[]>;
  /** Finds finished runs of that age that are kept, as rows of them wait for a person. */
  listWaiting(keepMs: number): Promise<readonly string[]>;
}

/** What one commit did to a run. */
interface PruneStep {
  readonly runId: string;
  /** Number of the rows whose deletion has just begun; `null` for every other step. */
  readonly prunedRows: number | null;
}

const DAY_MS = 86_400_000;

/** A run of the last day is likely to be reported or undone, which is faster from the tables. */
const ARCHIVE_AFTER_MS = DAY_MS;

/** A run that is not over is looked at again after its age, within these limits. */
const MIN_LOOK_AGAIN_MS = DAY_MS;
const MAX_LOOK_AGAIN_MS = 7 * DAY_MS;

interface PrunerParts {
  readonly clock: Clock;
  readonly stages: RunStages;
  readonly candidates: RunCandidates;
  readonly advanceRun: AdvanceRun;
  readonly holds: SupersededHolds;
  readonly judge: RunJudge["judge"];
}

export function createRunPruner({ database, clock, store }: RepositoryOptions): RunPruner {
  const context = { database, store: database.storeKey(store) };
  const stages = createRunStages(context);
  const candidates = createRunCandidates(context);
  const advanceRun = createAdvanceRun(context, stages);
  const holds = createSupersededHolds({ ...context, clock });
  const { judge, waits } = createRunJudge({ database, clock, store }, holds);
  const parts = { clock, stages, candidates, advanceRun, holds, judge };
  return {
    async advance(keepMs, transact = (work) => database.transactionUnsynced(work)) {
      const step = await transact(() => goOn(parts, keepMs));
      if (step !== undefined) return step;
      const due = await database.execute(candidates.findDue(clock.now()));
      return due && (await begin({ ...parts, transact }, due, keepMs));
    },
    async lookAgain() {
      const beforeMs = clock.now() - ARCHIVE_AFTER_MS;
      await database.transactionUnsynced(() => candidates.makeDue(beforeMs));
    },
    async listDue(keepMs) {
      const nowMs = clock.now();
      const due = [...(await database.execute(stages.listArchived(nowMs - keepMs)))];
      const older = await database.execute(candidates.listOlder(nowMs - ARCHIVE_AFTER_MS));
      for (const run of older) {
        const ageMs = nowMs - run.updated_at_ms;
        const judged = await judge(run, { ageMs, keepMs, isWithoutHolds: true });
        if (judged?.isPruned !== true) continue;
        due.push({ runId: run.id, rows: sumRows(judged.states), archivedBytes: null });
      }
      return due;
    },
    async listWaiting(keepMs) {
      const older = await database.execute(candidates.listOlder(clock.now() - keepMs));
      const waiting: string[] = [];
      for (const run of older) if (await waits(run)) waiting.push(run.id);
      return waiting;
    },
  };
}

/** Goes on with a run whose rows are being moved or deleted, or begins to delete those of an old one. */
function* goOn(
  { clock, stages, advanceRun }: PrunerParts,
  keepMs: number,
): Steps<PruneStep | undefined> {
  const nowMs = clock.now();
  const unfinished = yield* stages.findUnfinished();
  if (unfinished !== undefined) {
    yield* advanceRun(unfinished);
    return { runId: unfinished.run_id, prunedRows: null };
  }
  const old = yield* stages.findOlder(nowMs - keepMs);
  if (old === undefined) return undefined;
  yield* stages.beginPruning(old.run_id, nowMs);
  return { runId: old.run_id, prunedRows: sumRows(toStateCounts(old)) };
}

/**
 * Enters a run into the archive where it may be archived; else it is looked at again later. Rows
 * that a newer sync has replaced are cancelled before.
 */
async function begin(
  parts: PrunerParts & { readonly transact: Transact },
  due: Candidate,
  keepMs: number,
): Promise<PruneStep> {
  const { clock, stages, candidates, holds, judge, transact } = parts;
  const nowMs = clock.now();
  const ageMs = nowMs - due.updated_at_ms;
  const isOld = ageMs >= ARCHIVE_AFTER_MS;
  const judged = isOld ? await judge(due, { ageMs, keepMs }) : undefined;
  const runId = due.id;
  return await transact(function* enter(): Steps<PruneStep> {
    const step = { runId, prunedRows: null };
    const now = yield* candidates.read(runId);
    // Another process has entered it.
    if (now === undefined) return step;
    const isChanged = now.updated_at_ms !== due.updated_at_ms || now.state !== due.state;
    if (isOld && !isChanged && (yield* holds.cancel(due)) > 0) {
      // After all others that are due: the run with the newest event is not archived.
      yield* candidates.postpone(runId, nowMs);
      return step;
    }
    if (judged === undefined || isChanged) {
      yield* candidates.postpone(runId, nowMs + toLookAgainMs(due, ageMs));
      return step;
    }
    yield* stages.begin(runId, due.updated_at_ms, judged);
    if (!judged.isPruned) return step;
    yield* stages.beginPruning(runId, nowMs);
    return { runId, prunedRows: sumRows(judged.states) };
  });
}

function toLookAgainMs({ state }: Candidate, ageMs: number): number {
  // After the clock was put back, the age is unknown.
  if (state === "finished" && ageMs >= 0 && ageMs < ARCHIVE_AFTER_MS)
    return ARCHIVE_AFTER_MS - ageMs;
  return Math.min(Math.max(ageMs, MIN_LOOK_AGAIN_MS), MAX_LOOK_AGAIN_MS);
}

const sumRows = (counts: readonly { readonly rows: number }[]): number =>
  counts.reduce((sum, { rows }) => sum + rows, 0);

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
  /** Ends the work after the commit under way; the next call continues. @default never */
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
 * process writes, the disk is nearly full or the database refuses: the next command continues.
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
