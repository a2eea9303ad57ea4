/** Finds the run that has undone another one, or one of its rows. */

import type { Connection } from "@catalog/connection";
import {
  countSentStock,
  type Journal,
  readAllRows,
  type RowRecord,
  type RunRecord,
  toCounts,
} from "@catalog/runs";

/** The undo of a run, and how much of the run it has taken back. */
export interface RunUndo {
  readonly run: RunRecord;
  /** Rows that are as they were before the run. A row that was restored in part counts as well. */
  readonly restored: number;
  /** Rows that the run has sent, before the undo or after it. */
  readonly sent: number;
}

/** A run whose undo is looked for. */
type SentRun = Pick<RunRecord, "id" | "facts">;

/** The latest undo of `run` that was not wholly undone itself. It may leave rows of the run. */
export async function findUndo(
  connection: Pick<Connection, "runs" | "journal">,
  run: SentRun,
): Promise<RunUndo | undefined> {
  const { runs, journal } = connection;
  for (const undo of await runs.listUndos(run.id)) {
    const { updated, unchanged } = toCounts(await journal.countRows(undo.id));
    if (updated === 0) continue;
    const redone = (await findUndo(connection, undo))?.restored ?? 0;
    if (redone >= updated) continue;
    // Rows of which an earlier undo has made what they were are unchanged in this one.
    const restored = updated + unchanged - redone - (await countSentSince(journal, run, undo));
    return { run: undo, restored, sent: await countSent(journal, run) };
  }
  return undefined;
}

/** Whether the undo has left rows that the run has sent, or rows were sent after it. */
export const isPartialUndo = ({ restored, sent }: RunUndo): boolean => restored < sent;

/** Only runs that have split a row send its parts at two times. */
const hasSplitRows = ({ facts }: SentRun): boolean => (facts?.planned.stock ?? 0) > 0;

async function countSent(journal: Journal, run: SentRun): Promise<number> {
  const { added, updated } = toCounts(await journal.countRows(run.id));
  const stock = hasSplitRows(run) ? await countSentStock({ journal, runId: run.id }) : 0;
  return added + updated + stock;
}

/** Counts the rows whose stock the undo has taken back, and whose rest was sent after it. */
async function countSentSince(journal: Journal, run: SentRun, undo: RunRecord): Promise<number> {
  if (!hasSplitRows(run)) return 0;
  let sent = 0;
  for await (const rows of readAllRows(journal, run.id, { states: ["done"] })) {
    for (const { row, updatedAtMs } of rows) {
      if (updatedAtMs <= undo.createdAtMs) continue;
      const [record] = await journal.readRows(undo.id, { after: row - 1, limit: 1 });
      if (record?.row === row && RESTORED.has(record.state)) sent += 1;
    }
  }
  return sent;
}

const RESTORED: ReadonlySet<RowRecord["state"]> = new Set(["done", "unchanged"]);

/** The undo of a row: the run that sent it, and the row of that run. */
export interface RowUndo {
  readonly run: RunRecord;
  readonly record: RowRecord;
}

/** The latest undo that has changed the product of the row, and was not undone itself. */
export async function findRowUndo(
  connection: Pick<Connection, "runs" | "journal">,
  { id }: Pick<RunRecord, "id">,
  row: number,
): Promise<RowUndo | undefined> {
  for (const run of await connection.runs.listUndos(id)) {
    // An undo keeps the row numbers of the run that it undoes.
    const [record] = await connection.journal.readRows(run.id, { after: row - 1, limit: 1 });
    if (record?.row !== row || record.state !== "done") continue;
    if ((await findRowUndo(connection, run, row)) === undefined) return { run, record };
  }
  return undefined;
}
