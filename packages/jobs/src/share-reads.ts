/**
 * Reads what many stores of one database wait for with one statement instead of one for each store.
 * Every caller gets what was read after its call, some time later than it would read by itself.
 */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";

/** The members of a connection whose reads are shared. */
export type SharedReads = Pick<Connection["memory"], "jobs" | "schedules">;

export interface ShareReadsOptions {
  readonly clock: Pick<Clock, "sleep">;
  /** Ends the waits. */
  readonly stop: AbortSignal;
}

/** How long callers are waited for that want to read the same, in milliseconds. */
const JOIN_MS = 1_000;

/** Returns the members for each store; `stores` are those of one database. */
export function shareReads<Store extends { readonly memory: SharedReads }>(
  stores: readonly Store[],
  options: ShareReadsOptions,
): ReadonlyMap<Store, SharedReads> {
  const [first] = stores;
  // A store that is alone has nothing to wait for.
  if (first === undefined || stores.length === 1) {
    return new Map(stores.map((store) => [store, store.memory]));
  }
  const { jobs, schedules } = first.memory;
  const readJobs = joinReads(() => jobs.listAllOpen(), options);
  const readSchedules = joinReads(() => schedules.listAll(), options);
  return new Map(
    stores.map((store) => {
      const own = store.memory;
      const listOpen = async (): ReturnType<typeof own.jobs.listOpen> =>
        (await readJobs()).get(own.jobs.storeKey) ?? [];
      const list = async (): ReturnType<typeof own.schedules.list> =>
        (await readSchedules()).get(own.schedules.storeKey) ?? [];
      const shared = { jobs: { ...own.jobs, listOpen }, schedules: { ...own.schedules, list } };
      return [store, shared];
    }),
  );
}

function joinReads<Found>(
  read: () => Promise<Found>,
  { clock, stop }: ShareReadsOptions,
): () => Promise<Found> {
  let next: Promise<Found> | undefined;
  const readLater = async (): Promise<Found> => {
    try {
      await clock.sleep(JOIN_MS, stop);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      // Whoever asks from here on must not get what is read now.
      next = undefined;
    }
    return await read();
  };
  return () => (next ??= readLater());
}
