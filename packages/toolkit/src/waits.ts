/** Tells when something waits, for people who would take a long wait for a hang. */

import { type Clock } from "@catalog/clock";

/** A wait that has begun. */
export type OnWait = (untilMs: number) => void;

export interface Waits {
  /** The clock, whose long sleeps are told. */
  readonly clock: Clock;
  /** Calls back at the begin of each long wait, until it is disposed of. */
  listen(onWait: OnWait): Disposable;
  /** Whether somebody waits long at this moment. */
  isWaiting(): boolean;
}

/** Shorter ones are nothing to talk about. */
const LONG_MS = 5_000;

export function createWaits(clock: Clock): Waits {
  const listeners = new Set<OnWait>();
  let waiting = 0;

  return {
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        if (ms < LONG_MS) return clock.sleep(ms, signal);
        const untilMs = clock.now() + ms;
        waiting += 1;
        try {
          for (const listener of listeners) listener(untilMs);
          return await clock.sleep(ms, signal);
        } finally {
          waiting -= 1;
        }
      },
    },
    listen(onWait) {
      listeners.add(onWait);
      return { [Symbol.dispose]: () => void listeners.delete(onWait) };
    },
    isWaiting: () => waiting > 0,
  };
}
