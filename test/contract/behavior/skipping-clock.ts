/** A clock that skips every wait, so that hours pass while a test does not wait. */

import { type Clock } from "@catalog/clock";

/** After so long a call is given up; on a machine that is only busy that must not happen. */
const TIMEOUT_MS = 60_000;

/** The time of the machine, and over it all waits that were skipped. */
export function createSkippingClock(now: () => number): Clock {
  let skippedMs = 0;
  return {
    now: () => now() + skippedMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      // Only the limit of a call is called off from outside; nothing else waits so long and can be.
      if (ms === TIMEOUT_MS && signal !== undefined) {
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        await promise;
      }
      skippedMs += ms;
    },
  };
}
