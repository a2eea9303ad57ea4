/** Runs the schedules of the store while the page's server is open. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { createWorkSlots, runWork, type StartCommand } from "@catalog/jobs";

/** Syncs of a store exclude each other. */
const MAX_SYNCS = 1;

export interface ServeSchedulesOptions {
  readonly startCommand: StartCommand;
  readonly lang: Lang;
  /** Takes an error that nobody expected. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Starts the store's syncs until `stop` aborts, unless another process of this machine does. A sync under way goes
 * on by itself. Never rejects.
 */
export async function serveSchedules(
  connection: Connection,
  { startCommand, lang, onBug }: ServeSchedulesOptions,
  stop: AbortSignal,
): Promise<void> {
  try {
    const { baseUrl, storeId, clock } = connection;
    const open = async (): Promise<Connection> => ({
      ...connection,
      [Symbol.asyncDispose]: async () => undefined,
    });
    await runWork(connection, [{ baseUrl, storeId, startCommand, open }], {
      command: "catalog web",
      clock,
      kinds: new Set(["sync"]),
      lang,
      stop,
      stopsCommands: false,
      slots: createWorkSlots(MAX_SYNCS),
    });
  } catch (error) {
    onBug(error);
  }
}
