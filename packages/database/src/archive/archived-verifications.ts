/** Results of reading back and values before updates, whether they are archived or not. */

import type { Verification, VerificationLog } from "@catalog/runs";

import { fromJson } from "../sqlite/json.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { isPruned, type RunArchive, toVerificationCounts } from "./run-archive.ts";

type ArchivedMethods = Pick<
  VerificationLog,
  "readVerifications" | "countVerifications" | "readBefore" | "readUnverified"
>;

/** Reads from the tables, and from the archive where the tables do not have all of a run. */
export function withArchivedVerifications<Tables extends ArchivedMethods>(
  { snapshot }: Pick<Database, "snapshot">,
  tables: Tables,
  archive: RunArchive,
): Tables {
  return {
    ...tables,
    async readUnverified(runId, after, limit) {
      const rows = await tables.readUnverified(runId, after, limit);
      // A run is archived only once nothing of it is left to be read back.
      return archive.find(runId) === undefined ? rows : [];
    },
    async readVerifications(runId, after, limit) {
      const read = snapshot(() => ({
        archived: collect(archive, { runId, after, limit }),
        rest: tables.readVerifications(runId, after, limit),
      }));
      return [...read.archived, ...(await read.rest)].slice(0, limit);
    },
    async countVerifications(runId) {
      const counts = await tables.countVerifications(runId);
      const found = archive.find(runId);
      return found === undefined ? counts : toVerificationCounts(found);
    },
    async readBefore(runId, rows) {
      const read = snapshot(() => ({
        archived: collectBefore(archive, runId, rows),
        // Values that an undo may need stay in the table when their run is pruned.
        rest: tables.readBefore(runId, rows),
      }));
      return new Map([...read.archived, ...(await read.rest)]);
    },
  };
}

interface Collecting {
  readonly runId: string;
  readonly after: number;
  readonly limit: number;
}

function collect(archive: RunArchive, { runId, after, limit }: Collecting): Verification[] {
  const found: Verification[] = [];
  if (!isReadable(archive, runId)) return found;
  for (const piece of archive.readPieces(runId, after)) {
    for (const { row_no, status, fields_json, looks } of piece.verifications) {
      if (found.length === limit) return found;
      if (row_no > after) found.push({ row: row_no, status, fields: fromJson(fields_json), looks });
    }
  }
  return found;
}

const isReadable = (archive: RunArchive, runId: string): boolean => {
  const entry = archive.find(runId);
  return entry !== undefined && !isPruned(entry);
};

type BeforeValues = Awaited<ReturnType<VerificationLog["readBefore"]>>;

function collectBefore(archive: RunArchive, runId: string, rows: readonly number[]): BeforeValues {
  const found = new Map();
  if (rows.length === 0 || !isReadable(archive, runId)) return found;
  const wanted = new Set(rows);
  const last = Math.max(...rows);
  let after = Math.min(...rows) - 1;
  for (const piece of archive.readPieces(runId, after)) {
    for (const { row_no, product_json } of piece.before) {
      if (wanted.has(row_no)) found.set(row_no, fromJson(product_json));
    }
    after = piece.rows.at(-1)?.row_no ?? after;
    if (after >= last) break;
  }
  return found;
}
