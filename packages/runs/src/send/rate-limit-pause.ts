/**
 * One pause for all workers: after the marketplace has asked one of them to wait, none sends until
 * the time is over and a read has succeeded.
 */

import type { Clock } from "@catalog/clock";

export interface RateLimitPauseOptions {
  readonly clock: Clock;
  /** Called once when a pause is over, before the workers continue. */
  readonly probe: () => Promise<unknown>;
  /** Notified of each pause, for other processes that share the rate limit. */
  readonly penalty?: RateLimitPenalty | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Passes a pause on to the other processes that share the rate limit. */
export interface RateLimitPenalty {
  pause(ms: number): void;
}

export interface RateLimitPause {
  /** Starts a pause, or extends the current one. */
  begin(ms: number): void;
  readonly isOn: boolean;
  /** Resolves when there is no pause. A stop ends it early; rejects when the probe fails. */
  over(): Promise<void>;
}

export function createRateLimitPause({
  clock,
  probe,
  penalty,
  stop,
}: RateLimitPauseOptions): RateLimitPause {
  let pausing: Promise<void> | undefined;

  /** A stop ends the wait without an error. */
  const waitOut = async (ms: number): Promise<void> => {
    try {
      await clock.sleep(ms, stop);
    } catch (error) {
      if (stop?.aborted !== true) throw error;
    }
  };
  let asked = 0;
  let waits: readonly Promise<void>[] = [];
  const run = async (mine: number): Promise<void> => {
    await Promise.all(waits);
    // The pause was extended meanwhile, and the later end counts.
    if (mine !== asked) return;
    if (stop?.aborted !== true) await probe();
    pausing = undefined;
    waits = [];
  };
  /** Checks again after each wait, because another pause may have started. */
  const over = async (): Promise<void> => {
    if (pausing === undefined) return;
    await pausing;
    await over();
  };

  return {
    get isOn() {
      return pausing !== undefined;
    },
    begin(ms) {
      penalty?.pause(ms);
      asked += 1;
      waits = [...waits, waitOut(ms)];
      pausing = run(asked);
      // Callers of `over` get the rejection; without a caller it must not count as unhandled.
      pausing.catch(() => undefined);
    },
    over,
  };
}
