/** Registers the schedule of a command, so that the page shows it and may pause it. */

import type { Connection } from "@catalog/connection";
import { hashName } from "@catalog/importer";
import type { SyncOptions } from "@catalog/jobs";

export interface RegisteredSchedule {
  readonly id: string;
  readonly feed: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly options: SyncOptions;
}

/** Id of the schedule of a command: the same for the same feed and times. */
export const nameSchedule = ({
  feed,
  pattern,
  timeZone,
}: {
  readonly feed: string;
  readonly pattern: string;
  readonly timeZone: string;
}): string => hashName(`${feed} ${pattern} ${timeZone}`);

/**
 * Stores the schedule, whose progress and pause stay where it is known. One of the same feed with
 * other times, which no process runs any more, is removed.
 */
export async function registerSchedule(
  { memory, locks }: Pick<Connection, "memory" | "locks">,
  schedule: RegisteredSchedule,
): Promise<void> {
  const { schedules } = memory;
  const { id, feed } = schedule;
  const known = await schedules.list();
  for (const other of known) {
    const isReplaced = other.madeBy === "command" && other.feed === feed && other.id !== id;
    if (isReplaced && (await locks.scheduleHolder(other.id)) === undefined)
      await schedules.remove(other.id);
  }
  await schedules.save({ ...schedule, madeBy: "command", isSpread: false });
}
