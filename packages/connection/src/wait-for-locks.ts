/** Waits for a lock of the store that another process holds, instead of refusing at once. */

import type { Clock } from "@catalog/clock";
import { DatabaseError, type StoreLocks } from "@catalog/database";
import type { Localized } from "@catalog/i18n";

/** How long a command waits for the store, and who is notified. */
export interface LockWait {
  /** Longest wait in milliseconds; 0 refuses at once. */
  readonly maxMs: number;
  /** Ends the wait; the wait then rejects with its reason. */
  readonly stop?: AbortSignal | undefined;
  /** Called once, when a wait begins, with the message that names the holder. */
  readonly onWait?: ((busy: Localized) => void) | undefined;
}

/** Time between two tries, in milliseconds. */
const TRY_MS = 1_000;

/**
 * Returns the locks, where those of the store, of syncs and of exports wait for their holder. After
 * `maxMs` they reject with the `DatabaseError` `E_STORE_BUSY` of the last try.
 */
export function waitForLocks(locks: StoreLocks, clock: Clock, wait: LockWait): StoreLocks {
  const waitFor = async <Lock>(take: () => Promise<Lock>): Promise<Lock> => {
    const untilMs = clock.now() + wait.maxMs;
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await take();
      } catch (error) {
        const isBusy = error instanceof DatabaseError && error.code === "E_STORE_BUSY";
        if (!isBusy || clock.now() >= untilMs) throw error;
        if (isFirst) wait.onWait?.(error.localized);
      }
      await clock.sleep(Math.min(TRY_MS, untilMs - clock.now()), wait.stop);
    }
  };
  return {
    ...locks,
    store: (command) => waitFor(() => locks.store(command)),
    feeds: (command) => waitFor(() => locks.feeds(command)),
    export: (key) => waitFor(() => locks.export(key)),
  };
}
