/**
 * One pause for all that send: when the marketplace asks one of them to wait, none of them sends
 * until the time is over and a call that only reads has gone through.
 */

import { type Clock } from "@catalog/clock";

export interface PauseOptions {
  readonly clock: Clock;
  /** Called once when a pause is over, before anyone goes on. */
  readonly probe: () => Promise<unknown>;
  /** Told of each pause, for other processes that share the quota. */
  readonly penalty?: Penalty | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Whoever shares the hourly quota waits too. */
export interface Penalty {
  pause(ms: number): void;
}

export interface Pause {
  /** Begins a pause, or lengthens the one under way. */
  begin(ms: number): void;
  readonly isOn: boolean;
  /** Resolves when there is no pause. A stop ends it early; a probe that fails rejects. */
  over(): Promise<void>;
}

export function createPause({ clock, probe, penalty, stop }: PauseOptions): Pause {
  let pausing: Promise<void> | undefined;

  /** A stop ends the wait and is no failure. */
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
    // Another pause was asked for meanwhile, and that one goes on.
    if (mine !== asked) return;
    if (stop?.aborted !== true) await probe();
    pausing = undefined;
    waits = [];
  };
  /** Whoever wakes up may find the next pause. */
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
      // Whoever waits for it hears of a failure; nobody may be waiting at that moment.
      pausing.catch(() => undefined);
    },
    over,
  };
}
