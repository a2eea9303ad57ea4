/** A clock that skips every wait, so that a test passes hours without waiting. */

import type { Clock } from "@catalog/clock";

/**
 * Time limit of a call, in milliseconds, to open a connection with. It is not skipped, as it must
 * not be reached on a busy machine. Every other wait is a whole number of milliseconds.
 */
export const UNSKIPPED_TIMEOUT_MS = 59_989.5;

/** The time of the machine plus all skipped waits, except for the time limits of calls. */
export function createSkippingClock(now: () => number): Clock {
  let skippedMs = 0;
  return {
    now: () => now() + skippedMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (ms === UNSKIPPED_TIMEOUT_MS && signal !== undefined) {
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        await promise;
      }
      skippedMs += ms;
    },
  };
}
