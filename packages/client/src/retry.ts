/**
 * Decides when the client itself makes a call again, and how long it waits before that. Calls that
 * change something are never made again here: only their caller can find out whether that is safe.
 */

import type { Clock } from "@catalog/clock";
import type { Endpoint } from "@catalog/contract";
import pRetry from "p-retry";

import { ApiError, ClientError, NetworkError, ShapeError } from "./errors.ts";

/** Effect of a call, with the token request apart: it is a POST that may be repeated. */
export type CallEffect = Endpoint<unknown, unknown>["effect"] | "token";

const MAY_REPEAT = { token: true, read: true, set: false, create: false } satisfies Record<
  CallEffect,
  boolean
>;

/** Statuses below 500 that can be transient; every status from 500 up can. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Maximum wait between two attempts that a `Retry-After` can cause. */
export const MAX_RETRY_AFTER_MS: number = 5 * 60 * 1000;

/** A longer `Retry-After` is cut to one hour: it is a mistake, or longer than a caller waits. */
const MAX_ASKED_MS = 60 * 60 * 1000;

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;

/** One failed attempt, with the facts that decide about the next one. */
interface FailedAttempt {
  /** Name of the call that was attempted. */
  readonly name: string;
  readonly effect: CallEffect;
  /** Counted from 1. */
  readonly attempt: number;
  /** Maximum number of further attempts after the first. */
  readonly retries: number;
}

/**
 * How long to wait before the next attempt, in milliseconds; `undefined` means no further attempt.
 * A `Retry-After` is taken as it is; otherwise the wait is random, up to a bound that doubles with
 * each attempt.
 */
export function retryWaitMs(
  error: unknown,
  { name, effect, attempt, retries }: FailedAttempt,
  random: () => number,
): number | undefined {
  // The login within a call has made its own retries.
  if (error instanceof ClientError && error.endpoint !== name) return undefined;
  if (!MAY_REPEAT[effect] || attempt > retries || !isTransient(error)) return undefined;
  if (error instanceof ApiError && error.retryAfterMs !== undefined) {
    return Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS);
  }
  return random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
}

function isTransient(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  if (error instanceof ShapeError) return error.reason === "not-json";
  return error instanceof ApiError && (error.isLimit || isTransientStatus(error.status));
}

/** Whether an answer with this status can be different some time later. */
export function isTransientStatus(status: number): boolean {
  return status >= 500 || TRANSIENT_STATUSES.has(status);
}

/**
 * Reads a `Retry-After` header, seconds or an HTTP date, as milliseconds from `now` on, at most one
 * hour; `undefined` when it is neither. A date in the past is ignored, because the marketplace's
 * clock differs.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Math.min(Number(text) * 1000, MAX_ASKED_MS);
  const times = /[a-z]/iu.test(text) ? Date.parse(text) : Number.NaN;
  return times > now ? Math.min(times - now, MAX_ASKED_MS) : undefined;
}

export interface RetryOptions extends Omit<FailedAttempt, "attempt"> {
  readonly clock: Clock;
  readonly random: () => number;
  /**
   * Maximum wait between two attempts; where a longer one would be needed, the attempts end.
   * @default unlimited
   */
  readonly patienceMs?: number | undefined;
  /** Any of them ends a wait. */
  readonly signals: readonly AbortSignal[];
}

/**
 * Runs an operation until it succeeds or `retryWaitMs` says to stop; rejects as its last attempt
 * did.
 */
export async function withRetries<T>(
  operation: () => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  let running: Promise<T> | undefined;
  const attempt = (): Promise<T> => {
    running = operation();
    return running;
  };
  return pRetry(attempt, {
    retries: options.retries,
    // p-retry does not wait itself; the wait is below, on the given clock.
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      const waitMs = retryWaitMs(error, { ...options, attempt: attemptNumber }, options.random);
      // Rejects as the operation did: p-retry replaces anything that is not an Error, as an abort's
      // reason may be.
      const isTooLong = (waitMs ?? 0) > (options.patienceMs ?? Number.POSITIVE_INFINITY);
      if (waitMs === undefined || isTooLong) await running;
      else await options.clock.sleep(waitMs, AbortSignal.any([...options.signals]));
    },
  });
}
