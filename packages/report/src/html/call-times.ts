/** The calls of a run in bars of equal duration, as many as the chart can show. */

import type { StoreMeters } from "@catalog/connection";

/** The calls of one minute. */
type CallMinute = Awaited<ReturnType<StoreMeters["callLog"]["read"]>>[number];

/** The calls of some consecutive minutes. */
export interface CallBar {
  /** Start of the bar, in minutes since 1970. */
  readonly minute: number;
  readonly calls: number;
  /** Calls that the hourly limit allows in the bar's minutes; `null` where no limit was known. */
  readonly allowed: number | null;
}

export interface CallTimes {
  /** Duration of one bar, in minutes. */
  readonly step: number;
  readonly bars: readonly CallBar[];
  readonly total: number;
  /** Calls of the busiest sixty minutes. */
  readonly busiestHour: number;
  /** Lowest hourly limit known during the run; `null` where none was known. */
  readonly perHour: number | null;
}

const MAX_BARS = 60;

/** Durations of a bar, in minutes; longer ones are whole days. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720] as const;

const MINUTES_A_DAY = 1440;

/** Groups minutes, which are in order, into bars; `undefined` where no call was made. */
export function toCallTimes(minutes: readonly CallMinute[]): CallTimes | undefined {
  const [first, last] = [minutes.at(0), minutes.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const step = chooseStep(last.minute - first.minute + 1);
  const from = Math.floor(first.minute / step) * step;
  const count = Math.floor((last.minute - from) / step) + 1;
  const groups = Map.groupBy(minutes, ({ minute }) => Math.floor((minute - from) / step));
  const limits = minutes.flatMap(({ perHour }) => (perHour === null ? [] : [perHour]));
  return {
    step,
    bars: Array.from({ length: count }, (_, index) => {
      const within = groups.get(index) ?? [];
      return {
        minute: from + index * step,
        calls: sum(within),
        allowed: toAllowed(within.at(-1), step),
      };
    }),
    total: sum(minutes),
    busiestHour: findBusiestHour(minutes),
    perHour: limits.length === 0 ? null : limits.reduce((min, each) => Math.min(min, each)),
  };
}

const sum = (minutes: readonly CallMinute[]): number =>
  minutes.reduce((calls, minute) => calls + minute.calls, 0);

function chooseStep(minutes: number): number {
  // One bar fewer than allowed, as the first one may start before the first call.
  const fits = (step: number): boolean => minutes <= step * (MAX_BARS - 1);
  return STEPS.find(fits) ?? Math.ceil(minutes / (MAX_BARS - 1) / MINUTES_A_DAY) * MINUTES_A_DAY;
}

const toAllowed = (minute: CallMinute | undefined, step: number): number | null =>
  minute === undefined || minute.perHour === null ? null : (minute.perHour * step) / 60;

/** Finds the sixty minutes with the most calls; `minutes` are in order. */
function findBusiestHour(minutes: readonly CallMinute[]): number {
  let [max, calls, oldest] = [0, 0, 0];
  for (const { minute, calls: made } of minutes) {
    calls += made;
    for (let old = minutes[oldest]; old !== undefined && old.minute <= minute - 60;) {
      calls -= old.calls;
      oldest += 1;
      old = minutes[oldest];
    }
    max = Math.max(max, calls);
  }
  return max;
}
