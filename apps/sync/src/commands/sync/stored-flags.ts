/** The flags of a sync as a schedule stores them. */

import type { Connection } from "@catalog/connection";
import { type Flags, UsageError } from "@catalog/console";
import { parseSyncOptions, toSyncFlags } from "@catalog/jobs";

/** Reads them, with the feed. Throws {@link UsageError} for a schedule that is not there. */
export async function readStoredFlags(
  { memory }: Pick<Connection, "memory">,
  id: string,
): Promise<Flags> {
  const found = await memory.schedules.read(id);
  if (found !== undefined)
    return { ...toSyncFlags(parseSyncOptions(found.options)), feed: found.feed };
  throw new UsageError({
    tr: `"${id}" adlı bir zamanlama yok; silinmiş olabilir.`,
    en: `There is no schedule "${id}"; it may have been removed.`,
  });
}
