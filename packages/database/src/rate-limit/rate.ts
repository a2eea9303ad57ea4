/** The shape of a budget: how many calls at once, and how far apart the others. */

const HOUR_MS = 3_600_000;

/** Share of the hour's calls that may be made at once after a quiet time; it costs as much. */
const BURST_SHARE = 0.03;

export interface Rate {
  /** Between two turns; 0 where nothing limits them. */
  readonly stepMs: number;
  /** How far turns may be booked ahead and still be taken at once. */
  readonly toleranceMs: number;
}

/** Longer than any booking. */
const NO_LIMIT: Rate = { stepMs: 0, toleranceMs: Number.MAX_SAFE_INTEGER };

/** The steady rate leaves room for the burst, so no hour has more than `callsPerHour`. */
export function toRate(callsPerHour: number | undefined): Rate {
  if (callsPerHour === undefined) return NO_LIMIT;
  const burst = Math.max(1, Math.floor(callsPerHour * BURST_SHARE));
  const stepMs = HOUR_MS / Math.max(1, callsPerHour - burst);
  return { stepMs, toleranceMs: (burst - 1) * stepMs };
}

export interface Booked {
  readonly rate: Rate;
  readonly nowMs: number;
  /** Up to where turns are booked. */
  readonly tatMs: number;
}

/** How long the last of so many calls waits for its turn when nobody else asks. */
export function waitForTurnsMs(calls: number, { rate, nowMs, tatMs }: Booked): number {
  if (calls < 1) return 0;
  const lastMs = Math.max(tatMs, nowMs) + (calls - 1) * rate.stepMs;
  return Math.max(0, lastMs - rate.toleranceMs - nowMs);
}
