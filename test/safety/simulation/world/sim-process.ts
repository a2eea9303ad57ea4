/**
 * A process of a simulated world. Every call of a port is a yield: others continue meanwhile, and
 * the process may die there. A dead process gets no answer, so none of its code runs again, neither
 * `catch` nor `finally`; requests that it had sent take effect.
 */

import type { Clock } from "@catalog/clock";

import type { Mortal, Timeline } from "../timeline.ts";
import type { Random } from "./random.ts";

export interface Death {
  /** Yield at which the process dies, from 1. */
  readonly at: number;
  /** Whether the call of that yield still takes effect. */
  readonly when: "before" | "after";
}

export interface YieldOptions {
  /** Delay of the yield. @default short */
  readonly delayMs?: number;
  /** Name of the call, for the trace. */
  readonly what?: string;
}

export interface SimProcess extends Mortal {
  readonly clock: Clock;
  /** Number of yields so far. */
  readonly yields: number;
  /** Runs `work` a moment later and passes its result or error to the caller. */
  yield<T>(work: () => T | Promise<T>, more?: YieldOptions): Promise<T>;
  /** Runs `work` at once; the process may die there as well. */
  block<T>(work: () => T, what?: string): T;
  /** Called with the number of every yield. */
  onYield: (count: number) => void;
  /** Ends it at once, wherever it is. */
  die(): void;
  /** Stops it for a while; what it waits for comes meanwhile. */
  suspend(untilMs: number): void;
}

export interface SimProcessOptions {
  readonly name: string;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly death?: Death | undefined;
  /** Error of the wall clock, which may change at any time. */
  readonly skewMs: () => number;
  readonly onDeath: () => void;
  /** Called with every yield, to follow the events. */
  readonly onTrace?: ((text: string) => void) | undefined;
}

/** Thrown through synchronous code of a dead process, where no caller handles it. */
class Dead extends Error {
  override readonly name = "Dead";
}

/** Maximum duration of a port's operation. */
const SLOWEST_MS = 20;

export function createSimProcess(options: SimProcessOptions): SimProcess {
  const { name, timeline, random, death } = options;
  let isDead = false;
  let suspendedUntilMs = 0;
  let yields = 0;

  const die = (): void => {
    if (isDead) return;
    isDead = true;
    options.onDeath();
  };
  const begin = (): { readonly before: boolean; readonly after: boolean } => {
    yields += 1;
    self.onYield(yields);
    const isLast = yields === death?.at;
    return { before: isLast && death?.when === "before", after: isLast && death?.when === "after" };
  };

  const self: SimProcess = {
    name,
    get isDead() {
      return isDead;
    },
    get suspendedUntilMs() {
      return suspendedUntilMs;
    },
    get yields() {
      return yields;
    },
    die,
    suspend: (untilMs) => void (suspendedUntilMs = untilMs),
    onYield: () => undefined,
    clock: createProcessClock(options, () => self),
    yield(work, { delayMs = random.next() * SLOWEST_MS, what = "" } = {}) {
      const dies = begin();
      return new Promise((resolve, reject) => {
        timeline.add(delayMs, self, () => {
          if (dies.before) return die();
          options.onTrace?.(`${name} ${what}`);
          try {
            const result = work();
            if (!dies.after) return resolve(result);
            // No caller is left to handle the error.
            Promise.resolve(result).catch(() => undefined);
            die();
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
    },
    block(work, what = "") {
      const dies = begin();
      if (dies.before) die();
      if (isDead) throw new Dead("the process is dead");
      const result = work();
      options.onTrace?.(`${name} ${what} -> ${String(result)}`);
      if (!dies.after) return result;
      die();
      throw new Dead("the process is dead");
    },
  };
  return self;
}

/** A wall clock that may jump; its sleeps take their time whatever it shows. */
function createProcessClock(
  { timeline, skewMs }: SimProcessOptions,
  self: () => SimProcess,
): Clock {
  return {
    now: () => START_MS + timeline.nowMs + skewMs(),
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (signal?.aborted === true) {
        reject(signal.reason);
        return promise;
      }
      const onAbort = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      timeline.add(ms, self(), () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      return promise;
    },
  };
}

/** Start time of every world: 2026-01-01 UTC. */
export const START_MS = 1_767_225_600_000;
