/** Runs the schedules of the store while the page's server is open. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { createWorkSlots, runWork, type StartCommand } from "@catalog/jobs";

/** Syncs of a store exclude each other. */
const MAX_SYNCS = 1;

interface ServeSchedulesOptions {
  readonly startCommand: StartCommand;
  readonly lang: Lang;
  readonly onBug: (error: unknown) => void;
}

/** Time after which it is tried again where an error has ended it, in milliseconds. */
const AGAIN_MS = 30_000;

/**
 * Starts the store's syncs until `stop` aborts, unless a worker does. A sync under way continues by
 * itself. Never rejects.
 */
export async function serveSchedules(
  connection: Connection,
  options: ServeSchedulesOptions,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    try {
      await serveOnce(connection, options, stop);
    } catch (error) {
      options.onBug(error);
      await connection.clock.sleep(AGAIN_MS, stop).catch(() => undefined);
    }
  }
}

async function serveOnce(
  connection: Connection,
  { startCommand, lang }: ServeSchedulesOptions,
  stop: AbortSignal,
): Promise<void> {
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
    yieldsTo: "catalog worker",
  });
}
