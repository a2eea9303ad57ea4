/** Finds the sync that has replaced a held row: a newer one of the same feed. */

import type { Connection } from "@catalog/connection";
import type { RowKey, RunRecord } from "@catalog/runs";

/** Id of the newer sync; `undefined` for a row that was not replaced. */
export async function findNewerSync(
  { journal }: Pick<Connection, "journal">,
  key: RowKey,
): Promise<string | undefined> {
  const last = (await journal.readEvents(key)).at(-1);
  const newer = last?.cause === "superseded-hold" ? last.evidence["run"] : undefined;
  return typeof newer === "string" ? newer : undefined;
}

/** Does the same for the rows of a run. */
export async function findNewerSyncOf(
  connection: Pick<Connection, "journal">,
  { id: runId, kind }: RunRecord,
): Promise<string | undefined> {
  if (kind !== "sync") return undefined;
  const [row] = await connection.journal.readRows(runId, { states: ["cancelled"], limit: 1 });
  return row === undefined ? undefined : await findNewerSync(connection, { runId, row: row.row });
}
