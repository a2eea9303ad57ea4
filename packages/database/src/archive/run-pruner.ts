/**
 * Keeps the file from growing for ever. A day after a run is over its rows are archived: moved into
 * compressed pieces, from which they are read as before. When they were kept long enough they are
 * deleted; the line of the run with its counts, adds that take their codes and what was sent last
 * for each product stay. Rows of a plan that never sent anything are deleted without an archive.
 * Nothing of any other run that is not over is touched.
 */

import type { Clock } from "@catalog/clock";
import type { StateCount } from "@catalog/runs";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Steps } from "../sql/database.ts";
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
export type Transact = <Result>(work: () => Steps<Result>) => Promise<Result>;

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

const sumRows = (states: readonly StateCount[]): number =>
  states.reduce((sum, { rows }) => sum + rows, 0);
