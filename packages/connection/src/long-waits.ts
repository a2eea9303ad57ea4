/** Reports long waits, so that people do not take them for a hang. */

import type { Clock } from "@catalog/clock";

/**
 * Why calls wait: `refused`, the marketplace refused a call as one too many; `quota`, the calls of
 * the hour are used up; `retry`, a failed call is made again.
 */
export type WaitReason = "refused" | "quota" | "retry";

/** Why a sleep begins. */
export interface WaitCause {
  readonly reason: WaitReason;
  /**
   * End of the wait that the sleep is a part of, in milliseconds since 1970.
   * @default the end of the sleep
   */
  readonly untilMs?: number | undefined;
}

/** A wait that has begun. */
export interface Wait {
  /** End of the wait, in milliseconds since 1970. */
  readonly untilMs: number;
  readonly reason: WaitReason;
}

/** The long waits of a connection. */
export interface LongWaits {
  /** A clock that reports each long sleep with the reason that holds when it begins. */
  clockFor(why: () => Promise<WaitCause>): Clock;
  /** Reports a wait of `ms` milliseconds that another clock makes. */
  report(ms: number, reason: WaitReason): void;
  /** Calls `onWait` at the start of each long wait, until it is disposed of. */
  listen(onWait: (wait: Wait) => void): Disposable;
  /** Whether a long wait is under way. */
  isWaiting(): boolean;
}

/** Waits shorter than this are not reported. */
const LONG_MS = 5_000;

/** Creates the reporter of waits that last at least 5 seconds. */
export function createLongWaits(clock: Clock): LongWaits {
  const listeners = new Set<(wait: Wait) => void>();
  let waiting = 0;
  const noticeOf = (ms: number, { reason, untilMs = 0 }: WaitCause): void => {
    if (ms < LONG_MS) return;
    const wait = { untilMs: Math.max(untilMs, clock.now() + ms), reason };
    for (const listener of listeners) listener(wait);
  };

  return {
    clockFor: (why) => ({
      now: () => clock.now(),
      async sleep(ms, signal) {
        if (ms < LONG_MS) return clock.sleep(ms, signal);
        waiting += 1;
        try {
          noticeOf(ms, await why());
          return await clock.sleep(ms, signal);
        } finally {
          waiting -= 1;
        }
      },
    }),
    report: (ms, reason) => noticeOf(ms, { reason }),
    listen(onWait) {
      listeners.add(onWait);
      return { [Symbol.dispose]: () => void listeners.delete(onWait) };
    },
    isWaiting: () => waiting > 0,
  };
}
