/** Moves a run on in the archive, one commit at a time, until its rows are archived or deleted. */

import type { Steps } from "../sql/steps.ts";
import type { ArchiveContext, ArchivedRun, RowRange } from "./archive-context.ts";
import { createMoveRows, PIECE_ROWS } from "./move-rows.ts";
import type { RunStages } from "./run-stages.ts";

/** Moves the run on within the caller's transaction. */
export type AdvanceRun = (run: ArchivedRun) => Steps<void>;

export function createAdvanceRun(context: ArchiveContext, stages: RunStages): AdvanceRun {
  const moveRows = createMoveRows(context);
  const takePiece = createTakePiece(context);
  const deleteCells = createDeleteCells(context);
  const archive = function* archive(run: ArchivedRun): Steps<void> {
    const { run_id: runId, archived_to: archivedTo } = run;
    const moved = yield* moveRows({ runId, archivedTo, isKept: true });
    if (moved !== undefined) yield* stages.advance(runId, moved.lastRow);
    if (moved === undefined || moved.rows < PIECE_ROWS) yield* stages.setStage(runId, "archived");
  };
  const prune = function* prune(run: ArchivedRun): Steps<void> {
    const { run_id: runId, archived_to: archivedTo } = run;
    const last = yield* takePiece(runId);
    if (last !== undefined) {
      yield* deleteCells({ runId, last });
      return;
    }
    const moved = yield* moveRows({ runId, archivedTo, isKept: false });
    if (moved !== undefined) {
      yield* stages.advance(runId, moved.lastRow);
      yield* deleteCells({ runId, last: moved.lastRow });
      return;
    }
    yield* deleteCells({ runId, last: Number.MAX_SAFE_INTEGER });
    yield* deleteCalls(context, runId);
    yield* stages.setStage(runId, "pruned");
  };
  return (run) => (run.stage === "archiving" ? archive(run) : prune(run));
}

/** Deletes the first piece of a run and returns its last row; `undefined` where there is none. */
function createTakePiece({
  database,
}: ArchiveContext): (runId: string) => Steps<number | undefined> {
  const { build } = database;
  return function* takePiece(runId) {
    const first = build
      .selectFrom("archive_piece")
      .select(["id", "last_row"])
      .where("run_id", "=", runId)
      .orderBy("last_row")
      .limit(1);
    const found = yield* database.get(first);
    if (found === undefined) return undefined;
    yield* database.run(build.deleteFrom("archive_piece").where("id", "=", found.id));
    return found.last_row;
  };
}

/** Deletes the cells of rows up to one; a piece of them goes with its last row. */
function createDeleteCells({
  database,
}: ArchiveContext): (to: Pick<RowRange, "runId" | "last">) => Steps<number> {
  return database.prepare<Pick<RowRange, "runId" | "last">>((arg) =>
    database.build
      .deleteFrom("row_piece")
      .where("run_id", "=", arg("runId"))
      .where("last_row", "<=", arg("last")),
  );
}

/** The counts of calls by minute; their sum stays with the run. */
function deleteCalls({ database }: ArchiveContext, runId: string): Steps<number> {
  return database.run(database.build.deleteFrom("run_call_minute").where("run_id", "=", runId));
}
