/** Number of calls in the last hour, and in the busiest hour so far. */

import { type Clock } from "@catalog/clock";

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
  let moments: number[] = [];
  let busiestHour = 0;

  const forget = (): void => {
    const start = clock.now() - HOUR_MS;
    const kept = moments.findIndex((moment) => moment > start);
    moments.splice(0, kept === -1 ? moments.length : kept);
  };
  return {
    note() {
      forget();
      moments.push(clock.now());
      busiestHour = Math.max(busiestHour, moments.length);
    },
    read() {
      forget();
      return { lastHour: moments.length, busiestHour };
    },
    reset() {
      moments = [];
      busiestHour = 0;
    },
    save: () => ({ moments: [...moments], busiestHour }),
    load(saved) {
      moments = [...saved.moments];
      busiestHour = saved.busiestHour;
    },
  };
}
