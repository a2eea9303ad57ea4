/** Gives up rows of a plan that a person does not want to be sent this time. */

import type { Connection } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

/** Rows of a plan, and the person who gives them up. */
export interface SetAsideOptions {
  readonly run: Pick<RunRecord, "id">;
  /** Numbers of rows. */
  readonly rows: readonly number[];
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives up those of the rows that are ready, and returns their number; other rows stay as they are.
 * A row is held on the way, so that it is not sent if the process dies in between. The caller holds
 * the lock of the store.
 */
export async function setAside(
  { journal }: Pick<Connection, "journal">,
  { run, rows, by, signal }: SetAsideOptions,
): Promise<number> {
  let given = 0;
  for (const row of rows) {
    signal?.throwIfAborted();
    const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
    if (record?.row !== row || record.state !== "ready") continue;
    const key = { runId: run.id, row };
    const evidence = { by };
    await journal.recordOutcome(
      { ...key, from: "ready" },
      { to: "held", cause: "set-aside", evidence },
    );
    await journal.recordOutcome(
      { ...key, from: "held" },
      { to: "cancelled", cause: "released-cancel", evidence },
    );
    given += 1;
  }
  return given;
}
