/** A clock for tests: time passes only when a test says so. */

import type { Clock } from "./clock.ts";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on by `ms`, waking each sleeper at its own time. */
  advance(ms: number): Promise<void>;
  /** Moves time on to the next sleeper's time; does nothing without a sleeper. */
  advanceToNext(): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A fake clock that starts at `startMs` (milliseconds since 1970-01-01 UTC, default 0). */
export function createFakeClock(startMs = 0): FakeClock {
  let now = startMs;
  let sleepers: readonly Sleeper[] = [];

  const wakeNext = async (): Promise<void> => {
    const [next, ...rest] = sleepers;
    if (next === undefined) return;
    sleepers = rest;
    now = Math.max(now, next.at);
    next.wake();
    await settled();
  };

  return {
    now: () => now,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (signal?.aborted) {
        reject(signal.reason);
        return promise;
      }
      const onAbort = (): void => {
        sleepers = sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const sleeper: Sleeper = { at: now + ms, wake };
      sleepers = [...sleepers, sleeper].toSorted((a, b) => a.at - b.at);
      signal?.addEventListener("abort", onAbort, { once: true });
      return promise;
    },
    async advance(ms) {
      const end = now + ms;
      await settled();
      while (sleepers[0] !== undefined && sleepers[0].at <= end) await wakeNext();
      now = end;
    },
    async advanceToNext() {
      await settled();
      await wakeNext();
    },
  };
}

/**
 * Awaits work that sleeps, while it advances the clock from one sleep to the next. Never resolves
 * for work that waits for anything but the clock and other promises.
 */
export async function elapse<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  const pending = new Set([work]);
  const end = (): void => pending.clear();
  work.then(end, end);
  while (pending.size > 0) await clock.advanceToNext();
  return await work;
}

/** Lets every promise callback that is ready run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
