/** Runs the schedules of the store while the page's server is open. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { runStoreSchedules, type StartCommand } from "@catalog/jobs";

export interface ServeSchedulesOptions {
  readonly startCommand: StartCommand;
  readonly lang: Lang;
  /** Takes an error that nobody expected. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Starts the store's syncs until `stop` aborts, unless another process does. A sync under way goes
 * on by itself. Never rejects.
 */
export async function serveSchedules(
  connection: Connection,
  { startCommand, lang, onBug }: ServeSchedulesOptions,
  stop: AbortSignal,
): Promise<void> {
  try {
    const options = { command: "catalog web", startCommand, lang, stop, stopsSyncs: false };
    await runStoreSchedules(connection, options);
  } catch (error) {
    onBug(error);
  }
}
