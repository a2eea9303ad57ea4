/** Tells when something waits, for people who would take a long wait for a hang. */

import { type Clock } from "@catalog/clock";

/**
 * Why calls wait: `refused`, the marketplace said that there were too many; `quota`, the calls of
 * the hour are used up; `retry`, a call has failed and is made again.
 */
export type WaitReason = "refused" | "quota" | "retry";

/** Why a sleep begins. */
export interface WhyWait {
  readonly reason: WaitReason;
  /** When the wait ends that the sleep is a part of. @default with the sleep */
  readonly untilMs?: number | undefined;
}

/** A wait that has begun. */
export interface Wait {
  readonly untilMs: number;
  readonly reason: WaitReason;
}

export interface Waits {
  /** A clock whose long sleeps are told, each with the reason that holds when it begins. */
  clockFor(why: () => WhyWait): Clock;
  /** Tells of a wait that is made elsewhere. */
  tell(ms: number, reason: WaitReason): void;
  /** Calls back at the begin of each long wait, until it is disposed of. */
  listen(onWait: (wait: Wait) => void): Disposable;
  /** Whether somebody waits long at this moment. */
  isWaiting(): boolean;
}

/** Shorter ones are nothing to talk about. */
const LONG_MS = 5_000;

export function createWaits(clock: Clock): Waits {
  const listeners = new Set<(wait: Wait) => void>();
  let waiting = 0;
  const tellOf = (ms: number, { reason, untilMs = 0 }: WhyWait): void => {
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
          tellOf(ms, why());
          return await clock.sleep(ms, signal);
        } finally {
          waiting -= 1;
        }
      },
    }),
    tell: (ms, reason) => tellOf(ms, { reason }),
    listen(onWait) {
      listeners.add(onWait);
      return { [Symbol.dispose]: () => void listeners.delete(onWait) };
    },
    isWaiting: () => waiting > 0,
  };
}
