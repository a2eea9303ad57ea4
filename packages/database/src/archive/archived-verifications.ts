/** Results of reading back and values before updates, whether they are archived or not. */

import type { DoneRow, Verification, VerificationCounts, VerificationLog } from "@catalog/runs";

import type { Database } from "../sql/database.ts";
import { fromJson } from "../sql/json.ts";
import type { Steps } from "../sql/steps.ts";
import { isPruned, type RunArchive, toVerificationCounts } from "./run-archive.ts";

type BeforeValues = Awaited<ReturnType<VerificationLog["readBefore"]>>;

/** Reads results and values as the tables have them. */
export interface VerificationReads {
  readUnverified(runId: string, after: number, limit: number): Steps<readonly DoneRow[]>;
  readVerifications(runId: string, after: number, limit: number): Steps<readonly Verification[]>;
  countVerifications(runId: string): Steps<VerificationCounts>;
  readBefore(runId: string, rows: readonly number[]): Steps<BeforeValues>;
}

/** Reads from the tables, and from the archive where the tables do not have all of a run. */
export function withArchivedVerifications<Tables extends VerificationReads>(
  { execute, snapshot }: Pick<Database, "execute" | "snapshot">,
  tables: Tables,
  archive: RunArchive,
): Omit<Tables, keyof VerificationReads> & Pick<VerificationLog, keyof VerificationReads> {
  return {
    ...tables,
    readUnverified: (runId, after, limit) =>
      execute(readUnverified(tables, archive, { runId, after, limit })),
    readVerifications: (runId, after, limit) =>
      snapshot(() => readVerifications(tables, archive, { runId, after, limit })),
    countVerifications: (runId) => execute(countVerifications(tables, archive, runId)),
    readBefore: (runId, rows) => snapshot(() => readBefore(tables, archive, runId, rows)),
  };
}

function* readUnverified(
  tables: VerificationReads,
  archive: RunArchive,
  { runId, after, limit }: Collecting,
): Steps<readonly DoneRow[]> {
  const rows = yield* tables.readUnverified(runId, after, limit);
  // A run is archived only once nothing of it is left to be read back.
  return (yield* archive.find(runId)) === undefined ? rows : [];
}

function* readVerifications(
  tables: VerificationReads,
  archive: RunArchive,
  { runId, after, limit }: Collecting,
): Steps<readonly Verification[]> {
  const archived = yield* collect(archive, { runId, after, limit });
  const rest = yield* tables.readVerifications(runId, after, limit);
  return [...archived, ...rest].slice(0, limit);
}

function* countVerifications(
  tables: VerificationReads,
  archive: RunArchive,
  runId: string,
): Steps<VerificationCounts> {
  const counts = yield* tables.countVerifications(runId);
  const found = yield* archive.find(runId);
  return found === undefined ? counts : toVerificationCounts(found);
}

function* readBefore(
  tables: VerificationReads,
  archive: RunArchive,
  runId: string,
  rows: readonly number[],
): Steps<BeforeValues> {
  const archived = yield* collectBefore(archive, runId, rows);
  // Values that an undo may need stay in the table when their run is pruned.
  return new Map([...archived, ...(yield* tables.readBefore(runId, rows))]);
}

interface Collecting {
  readonly runId: string;
  readonly after: number;
  readonly limit: number;
}

function* collect(
  archive: RunArchive,
  { runId, after, limit }: Collecting,
): Steps<readonly Verification[]> {
  const found: Verification[] = [];
  if (!(yield* isReadable(archive, runId))) return found;
  let piece = yield* archive.readPiece(runId, after);
  while (piece !== undefined) {
    for (const { row_no, status, fields_json, looks } of piece.verifications) {
      if (found.length === limit) return found;
      if (row_no > after) found.push({ row: row_no, status, fields: fromJson(fields_json), looks });
    }
    piece = yield* archive.readPiece(runId, piece.lastRow);
  }
  return found;
}

function* isReadable(archive: RunArchive, runId: string): Steps<boolean> {
  const entry = yield* archive.find(runId);
  return entry !== undefined && !isPruned(entry);
}

function* collectBefore(
  archive: RunArchive,
  runId: string,
  rows: readonly number[],
): Steps<BeforeValues> {
  const found = new Map();
  if (rows.length === 0 || !(yield* isReadable(archive, runId))) return found;
  const wanted = new Set(rows);
  const last = Math.max(...rows);
  let piece = yield* archive.readPiece(runId, Math.min(...rows) - 1);
  while (piece !== undefined) {
    for (const { row_no, product_json } of piece.before) {
      if (wanted.has(row_no)) found.set(row_no, fromJson(product_json));
    }
    if (piece.lastRow >= last) break;
    piece = yield* archive.readPiece(runId, piece.lastRow);
  }
  return found;
}
