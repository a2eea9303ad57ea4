/** Pace of calls, over all processes that share the quota, and reports of long waits, so that people do
 * not take them for a hang. */

import type { Credentials } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { RateLimiter, Store } from "@catalog/database";

/**
 * Why calls wait: `refused`, the marketplace refused a call as one too many; `quota`, the calls of
 * the hour are used up; `retry`, a failed call is made again.
 */
type WaitReason = "refused" | "quota" | "retry";

/** Why a sleep begins. */
interface WaitCause {
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

/** The rate limiter, as a run uses it. */
export interface Pacing {
  /** Calls an hour that are allowed now, by setting or as learned; `undefined` is unlimited. */
  callsPerHour(): Promise<number | undefined>;
  /**
   * The last result of {@link Pacing.callsPerHour}. It is read when the store is opened, every
   * minute in which calls are made, and after each refusal.
   */
  knownCallsPerHour(): number | undefined;
  /** Calls of the last hour; those of other processes may be missing for some seconds. */
  callsLastHour(): Promise<number>;
  /** Time until the last of `calls` calls would get its slot, in milliseconds. */
  waitMs(calls: number): Promise<number>;
  /** The current pause of all calls, if the marketplace has caused one. */
  pause(): ReturnType<RateLimiter["pause"]>;
  /** Ends the pause, and forgets the hourly limit that was learned from refusals. */
  clear(): Promise<void>;
  /** Gives this process's calls priority over those of long runs from now on. */
  usePriority(): void;
}

/** The application that makes the calls, and its limits. */
interface PacingOptions {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly credentials: Pick<Credentials, "clientKey">;
  /** @default unlimited */
  readonly requestsPerHour?: number | undefined;
  /**
   * Longest wait for a slot, in milliseconds; a call that would wait longer is not made.
   * @default any wait
   */
  readonly patienceMs?: number | undefined;
}

interface PacingParts {
  readonly store: Pick<Store, "createRateLimiter">;
  readonly waits: Pick<LongWaits, "clockFor">;
}

/** The rate limiter, and its adapters for the client and for runs. */
interface OpenedPacing {
  readonly rateLimiter: RateLimiter;
  /** Counts a call. */
  readonly note: RateLimiter["note"];
  /** Clock on which the client waits before it retries a call. */
  readonly retryClock: Clock;
  readonly pacing: Pacing;
}

const TOO_MANY_CALLS = 429;

/** Opens the rate limiter of an application; all stores of the application share its quota. */
export function openPacing(options: PacingOptions, { store, waits }: PacingParts): OpenedPacing {
  const { baseUrl, credentials, requestsPerHour, patienceMs } = options;
  const key = `${baseUrl} ${credentials.clientKey}`;
  // A pause of all calls lasts longer than the wait of any one of them.
  const whyOr = (reason: WaitReason) => async (): Promise<WaitCause> => {
    const pause = await rateLimiter.pause();
    return pause === undefined ? { reason } : { reason: "refused", untilMs: pause.untilMs };
  };
  const clock = waits.clockFor(whyOr("quota"));
  const rateLimiter: RateLimiter = store.createRateLimiter({
    clock,
    key,
    requestsPerHour,
    patienceMs,
  });
  let known: number | undefined;
  const callsPerHour = async (): Promise<number | undefined> => {
    known = await rateLimiter.callsPerHour();
    return known;
  };
  return {
    rateLimiter,
    retryClock: waits.clockFor(whyOr("retry")),
    note(call) {
      rateLimiter.note(call);
      // The old value is kept where the new one cannot be read.
      if (call.status === TOO_MANY_CALLS) callsPerHour().catch(() => undefined);
    },
    pacing: {
      callsPerHour,
      knownCallsPerHour: () => known,
      callsLastHour: () => rateLimiter.callsLastHour(),
      waitMs: (calls) => rateLimiter.waitMs(calls),
      pause: () => rateLimiter.pause(),
      clear: () => rateLimiter.clear(),
      usePriority: () => rateLimiter.usePriority(),
    },
  };
}
