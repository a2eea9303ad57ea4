/** A clock that skips every wait, so that a test passes hours without waiting. */

import type { Clock } from "@catalog/clock";

/** Time limit of a call, which must not be reached on a busy machine. */
const TIMEOUT_MS = 60_000;

/** The time of the machine plus all skipped waits. */
export function createSkippingClock(now: () => number): Clock {
  let skippedMs = 0;
  return {
    now: () => now() + skippedMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      // Only the time limit of a call is that long and has a signal.
      if (ms === TIMEOUT_MS && signal !== undefined) {
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        await promise;
      }
      skippedMs += ms;
    },
  };
}
