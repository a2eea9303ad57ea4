/** The parameters of the GCRA rate limiter: the burst and the interval between slots. */

const HOUR_MS = 3_600_000;

/**
 * Share of the hour's calls that may be made at once after a quiet time; the steady rate is lower
 * by it.
 */
const BURST_SHARE = 0.03;

export interface Rate {
  /** Interval between two slots in milliseconds; 0 without a limit. */
  readonly stepMs: number;
  /** How far ahead of now slots may be reserved and still be used at once, in milliseconds. */
  readonly toleranceMs: number;
}

/** A tolerance longer than any reservation. */
const NO_LIMIT: Rate = { stepMs: 0, toleranceMs: Number.MAX_SAFE_INTEGER };

/**
 * Returns the parameters; the steady rate leaves room for the burst, so no hour has more than
 * `callsPerHour`.
 */
export function toRate(callsPerHour: number | undefined): Rate {
  if (callsPerHour === undefined) return NO_LIMIT;
  const burst = Math.max(1, Math.floor(callsPerHour * BURST_SHARE));
  const stepMs = HOUR_MS / Math.max(1, callsPerHour - burst);
  return { stepMs, toleranceMs: (burst - 1) * stepMs };
}

export interface ReservedSlots {
  readonly rate: Rate;
  readonly nowMs: number;
  /** Theoretical arrival time (TAT) of GCRA: the time up to which slots are reserved. */
  readonly tatMs: number;
}

/**
 * Returns how long the last of this number of calls waits for its slot, in milliseconds, when no
 * other process makes calls.
 */
export function waitForSlotsMs(calls: number, { rate, nowMs, tatMs }: ReservedSlots): number {
  if (calls < 1) return 0;
  const lastMs = Math.max(tatMs, nowMs) + (calls - 1) * rate.stepMs;
  return Math.max(0, lastMs - rate.toleranceMs - nowMs);
}
