/**
 * A limit of calls per hour by the generic cell rate algorithm (GCRA): its parameters, and a limit
 * that is kept in memory.
 */

import { type Clock, systemClock } from "@catalog/clock";

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

interface ReservedSlots {
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

/** Options of a rate limit in memory. */
export interface RateLimitOptions {
  /** Maximum number of calls in any hour, token requests and retries included; at least 1. */
  readonly requestsPerHour: number;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/**
 * Creates the `pace` of a client: after a quiet time 3 % of the hour's calls may be made at once,
 * the others evenly after them, in the order of asking. Clients that share an hourly limit share
 * one; other processes are not counted. An aborted wait gives its slot up, and no other call gets it.
 * Throws `RangeError` for a limit that is not a whole number of calls.
 */
export function createRateLimit({
  requestsPerHour,
  clock = systemClock,
}: RateLimitOptions): (signal?: AbortSignal) => Promise<void> {
  if (!Number.isInteger(requestsPerHour) || requestsPerHour < 1) {
    throw new RangeError(`requestsPerHour must be a positive integer, got ${requestsPerHour}`);
  }
  const rate = toRate(requestsPerHour);
  let tatMs = 0;
  return async (signal) => {
    signal?.throwIfAborted();
    const nowMs = clock.now();
    const waitMs = waitForSlotsMs(1, { rate, nowMs, tatMs });
    // Reserved before the wait, so that a call that comes meanwhile gets a later slot.
    tatMs = Math.max(tatMs, nowMs) + rate.stepMs;
    if (waitMs > 0) await clock.sleep(waitMs, signal);
  };
}
