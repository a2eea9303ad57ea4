/** Notes that a backup was restored, where no sign of the server or of a machine tells it. */

import { assertMigrated } from "./migrate-postgres.ts";
import { administer, commitAll } from "./pool.ts";
import { findPlace, markRestored } from "./restore-detection.ts";

/** What {@link noteRestored} has marked. */
export interface NotedRestore {
  /** Number of runs whose waiting rows are compared with the store before they are sent. */
  readonly runs: number;
}

/**
 * Marks all runs of the database, and stops what is being sent from it. Rejects with `DatabaseError`
 * where the server cannot be used or its tables are of another version.
 */
export async function noteRestored(url: string): Promise<NotedRestore> {
  return await administer({ url, command: "catalog db restored" }, async (client, address) => {
    await assertMigrated(client, address);
    const place = await findPlace(client);
    return {
      runs: await commitAll(client, () => markRestored(client, { place, generation: 0 })),
    };
  });
}
