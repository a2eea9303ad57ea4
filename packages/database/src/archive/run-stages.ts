/** The stages of a run in the archive: archiving, archived, pruning, pruned. */

import type { StateCount, VerificationCounts } from "@catalog/runs";
import { type SelectQueryBuilder, sql } from "kysely";

import { toJson } from "../sql/json.ts";
import { toLiteral } from "../sql/literals.ts";
import type { ArchiveStage, Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";
import type { ArchiveContext, ArchivedRun } from "./archive-context.ts";
import { toStateCounts } from "./run-archive.ts";

/** What stays of a run when its rows are gone. */
export interface RunTotals {
  readonly states: readonly StateCount[];
  readonly verified: VerificationCounts;
}

/** A run whose rows are to be deleted. */
export interface DueRun {
  readonly runId: string;
  readonly rows: number;
  /** Size of its pieces; `null` where it is not archived yet. */
  readonly archivedBytes: number | null;
}

export interface RunStages {
  /** Enters a run; the caller has found it to be over. */
  begin(runId: string, finishedAtMs: number, totals: RunTotals): Steps<void>;
  /** Records that rows up to this one are archived or deleted. */
  advance(runId: string, archivedTo: number): Steps<void>;
  setStage(runId: string, stage: ArchiveStage): Steps<void>;
  /** From here on the rows of the run are not read any more. */
  beginPruning(runId: string, nowMs: number): Steps<void>;
  /** Finds a run whose rows are being moved or deleted. */
  findUnfinished(): Steps<ArchivedRun | undefined>;
  /** Finds the archived run that was finished first, where that was before the given time. */
  findOlder(finishedBeforeMs: number): Steps<ArchivedRun | undefined>;
  /** Finds all archived runs that were finished before the given time. */
  listArchived(finishedBeforeMs: number): Steps<readonly DueRun[]>;
}

/** Each method runs within the caller's transaction. */
export function createRunStages({ database, store }: ArchiveContext): RunStages {
  const { build } = database;
  const change = (runId: string) => build.updateTable("run_archive").where("run_id", "=", runId);
  const select = build
    .selectFrom("run_archive")
    .selectAll()
    .where("store", "=", store)
    // The condition of the index, without which all runs are visited.
    .where("stage", "<>", toLiteral("pruned"));
  return {
    *begin(runId, finishedAtMs, { states, verified }) {
      yield* database.run(
        build.insertInto("run_archive").values({
          run_id: runId,
          store,
          stage: "archiving",
          archived_to: 0,
          states_json: toJson(states),
          verified_json: toJson(verified),
          finished_at_ms: finishedAtMs,
          pruned_at_ms: null,
        }),
      );
      yield* database.run(
        build.updateTable("run").set({ archive_at_ms: null }).where("id", "=", runId),
      );
    },
    *advance(runId, archivedTo) {
      yield* database.run(change(runId).set({ archived_to: archivedTo }));
    },
    *setStage(runId, stage) {
      yield* database.run(change(runId).set({ stage }));
    },
    *beginPruning(runId, nowMs) {
      yield* database.run(change(runId).set({ stage: "pruning", pruned_at_ms: nowMs }));
    },
    findUnfinished: () =>
      database.get(select.where("stage", "in", ["archiving", "pruning"]).limit(1)),
    findOlder: (finishedBeforeMs) =>
      database.get(
        select
          .where("stage", "=", "archived")
          .where("finished_at_ms", "<", finishedBeforeMs)
          .orderBy("finished_at_ms")
          .limit(1),
      ),
    listArchived: (finishedBeforeMs) =>
      listArchived(database, select.where("finished_at_ms", "<", finishedBeforeMs)),
  };
}

function* listArchived(
  database: ArchiveContext["database"],
  older: SelectQueryBuilder<Schema, "run_archive", ArchivedRun>,
): Steps<readonly DueRun[]> {
  const bytes = sql<number>`coalesce((
    SELECT sum(length(piece)) FROM archive_piece WHERE run_id = run_archive.run_id), 0)`;
  const kept = older.where("stage", "in", ["archiving", "archived"]).orderBy("finished_at_ms");
  return (yield* database.all(kept.select(bytes.as("bytes")))).map((run) => ({
    runId: run.run_id,
    rows: toStateCounts(run).reduce((sum, { rows }) => sum + rows, 0),
    archivedBytes: run.bytes,
  }));
}
