/** Number of calls in the last hour, and in the busiest hour so far. */

import type { Clock } from "@catalog/clock";

const HOUR_MS = 60 * 60 * 1000;

/** Number of calls by hour. */
export interface HourCounts {
  readonly lastHour: number;
  /** Maximum number of calls in any hour since the start or the last reset. */
  readonly busiestHour: number;
}

export interface SavedHours {
  readonly moments: readonly number[];
  readonly busiestHour: number;
}

export interface CallHours {
  note(): void;
  read(): HourCounts;
  reset(): void;
  save(): SavedHours;
  load(saved: SavedHours): void;
}

export function createCallHours(clock: Clock): CallHours {
  /** Times of the calls in the last hour, oldest first. */
  let times: number[] = [];
  let busiestHour = 0;

  const forget = (): void => {
    const start = clock.now() - HOUR_MS;
    const kept = times.findIndex((time) => time > start);
    times.splice(0, kept === -1 ? times.length : kept);
  };
  return {
    note() {
      forget();
      times.push(clock.now());
      busiestHour = Math.max(busiestHour, times.length);
    },
    read() {
      forget();
      return { lastHour: times.length, busiestHour };
    },
    reset() {
      times = [];
      busiestHour = 0;
    },
    save: () => ({ moments: [...times], busiestHour }),
    load(saved) {
      times = [...saved.moments];
      busiestHour = saved.busiestHour;
    },
  };
}
