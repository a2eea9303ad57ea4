/** Entries of archived runs and their pieces. */

import type { StateCount, VerificationCounts } from "@catalog/runs";

import type { Database } from "../sql/database.ts";
import { fromJson } from "../sql/json.ts";
import type { Steps } from "../sql/steps.ts";
import type { ArchiveContext, ArchivedRun } from "./archive-context.ts";
import { type PieceContents, unpackPiece } from "./archive-piece.ts";

/** A piece, and the row with which it ends. */
export interface ArchivedPiece extends PieceContents {
  readonly lastRow: number;
}

/** The archive of one store. */
export interface RunArchive {
  /** Finds the entry of a run; `undefined` where no row of it was archived or deleted. */
  find(runId: string): Steps<ArchivedRun | undefined>;
  /**
   * Reads the first piece of a run, in the order of the sheet, that has rows after the given one;
   * `undefined` where there is none.
   */
  readPiece(runId: string, after: number): Steps<ArchivedPiece | undefined>;
}

interface PieceKey {
  readonly runId: string;
  readonly after: number;
}

interface FoundPiece {
  readonly last_row: number;
  readonly piece: Uint8Array;
}

export function createRunArchive({ database, store }: ArchiveContext): RunArchive {
  const { build } = database;
  const find = database.prepareGet<{ readonly runId: string }, ArchivedRun>((arg) =>
    build
      .selectFrom("run_archive")
      .selectAll()
      .where("run_id", "=", arg("runId"))
      .where("store", "=", store),
  );
  const findPiece = database.prepareGet<PieceKey, FoundPiece>((arg) =>
    build
      .selectFrom("archive_piece")
      .select(["last_row", "piece"])
      .where("run_id", "=", arg("runId"))
      .where("last_row", ">", arg("after"))
      .orderBy("last_row")
      .limit(1),
  );
  const unpack = createUnpacker(database);
  return {
    find: (runId) => find({ runId }),
    *readPiece(runId, after) {
      const found = yield* findPiece({ runId, after });
      return found && unpack(runId, found);
    },
  };
}

/** Keeps the last piece unpacked: a report asks for a piece's rows in batches. */
function createUnpacker({ path }: Database): (runId: string, found: FoundPiece) => ArchivedPiece {
  let last: { readonly key: string; readonly contents: ArchivedPiece } | undefined;
  return (runId, { last_row: lastRow, piece }) => {
    const key = `${runId} ${lastRow}`;
    if (last?.key !== key) last = { key, contents: { ...unpackPiece(piece, path), lastRow } };
    return last.contents;
  };
}

/** Whether the rows of the run are deleted, all or some of them. */
export const isPruned = ({ stage }: ArchivedRun): boolean =>
  stage === "pruning" || stage === "pruned";

/** The counts of the run's rows by state. */
export const toStateCounts = ({ states_json }: ArchivedRun): readonly StateCount[] =>
  fromJson(states_json);

/** The counts of the results of reading back. */
export const toVerificationCounts = ({ verified_json }: ArchivedRun): VerificationCounts =>
  fromJson(verified_json);
