/** Entries of archived runs and their pieces. */

import type { StateCount, VerificationCounts } from "@catalog/runs";

import { fromJson } from "../sqlite/json.ts";
import type { Database } from "../sqlite/sqlite.ts";
import type { ArchiveContext, ArchivedRun } from "./archive-context.ts";
import { type PieceContents, unpackPiece } from "./archive-piece.ts";

/** The archive of one store. */
export interface RunArchive {
  /** Finds the entry of a run; `undefined` where no row of it was archived or deleted. */
  find(runId: string): ArchivedRun | undefined;
  /** Yields the pieces of a run that have rows after the given one, in the order of the sheet. */
  readPieces(runId: string, after: number): Iterable<PieceContents>;
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
    *readPieces(runId, after) {
      let found = findPiece({ runId, after });
      while (found !== undefined) {
        yield unpack(runId, found);
        found = findPiece({ runId, after: found.last_row });
      }
    },
  };
}

/** Keeps the last piece unpacked: a report asks for a piece's rows in batches. */
function createUnpacker({ path }: Database): (runId: string, found: FoundPiece) => PieceContents {
  let last: { readonly key: string; readonly contents: PieceContents } | undefined;
  return (runId, { last_row, piece }) => {
    const key = `${runId} ${last_row}`;
    if (last?.key !== key) last = { key, contents: unpackPiece(piece, path) };
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
