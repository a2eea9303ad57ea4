/** Finds the run that has undone another one, or one of its rows. */

import type { Connection } from "@catalog/connection";
import { type RowRecord, type RunRecord, toCounts } from "@catalog/runs";

/** The latest run that has taken back updates of `run`, and was not undone itself. */
export async function findUndo(
  connection: Pick<Connection, "runs" | "journal">,
  { id }: Pick<RunRecord, "id">,
): Promise<RunRecord | undefined> {
  for (const undo of await connection.runs.listUndos(id)) {
    const { updated } = toCounts(await connection.journal.countRows(undo.id));
    if (updated > 0 && (await findUndo(connection, undo)) === undefined) return undo;
  }
  return undefined;
}

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
