/** Finds the run that has undone another one. */

import type { Connection } from "@catalog/connection";
import { type RunRecord, toCounts } from "@catalog/runs";

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
