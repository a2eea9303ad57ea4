/**
 * When a call is made again by the client itself, and how long it waits before that. Calls that
 * change something are never made again here: whether that is safe, only their caller can find out.
 */

import { type Clock } from "@catalog/clock";
import { type Effect } from "@catalog/contract";
import pRetry from "p-retry";

import { ApiError, ClientError, NetworkError, ShapeError } from "./errors.ts";

/** Effects of a call, with the token request apart: it is a POST that may be repeated. */
export type CallEffect = Effect | "token";

const MAY_REPEAT = { token: true, read: true, set: false, create: false } satisfies Record<
  CallEffect,
  boolean
>;

/** Statuses below 500 that may pass by themselves; every status from 500 up may. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Longest wait between two attempts that a `Retry-After` can cause. */
export const MAX_RETRY_AFTER_MS: number = 5 * 60 * 1000;

/** What is asked for beyond an hour is a mistake, or lasts longer than anybody would wait for it. */
const MAX_ASKED_MS = 60 * 60 * 1000;

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;

/** One failed attempt, and what may follow it. */
export interface FailedAttempt {
  /** Name of the call that was attempted. */
  readonly name: string;
  readonly effect: CallEffect;
  /** Counted from 1. */
  readonly attempt: number;
  /** Most further attempts after the first. */
  readonly retries: number;
}

/**
 * How long to wait before the next attempt; `undefined` is not to try again. The marketplace's own
 * wish wins and is taken as it is; otherwise the wait is random, up to a bound that doubles.
 */
export function retryWaitMs(
  error: unknown,
  { name, effect, attempt, retries }: FailedAttempt,
  random: () => number,
): number | undefined {
  // The login within a call has had its own retries.
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

/** Whether an answer with this status may be different a while later. */
export function isTransientStatus(status: number): boolean {
  return status >= 500 || TRANSIENT_STATUSES.has(status);
}

/**
 * Seconds or an HTTP date -> milliseconds from `now` on, an hour at most; `undefined` when it is
 * neither. A date that has passed says nothing either: it is told by another clock than ours.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Math.min(Number(text) * 1000, MAX_ASKED_MS);
  const moment = /[a-z]/iu.test(text) ? Date.parse(text) : Number.NaN;
  return moment > now ? Math.min(moment - now, MAX_ASKED_MS) : undefined;
}

export interface RetryOptions extends Omit<FailedAttempt, "attempt"> {
  readonly clock: Clock;
  readonly random: () => number;
  /** A wait that is longer than this ends the attempts. @default none is */
  readonly patienceMs?: number | undefined;
  /** Any of them ends a wait. */
  readonly signals: readonly AbortSignal[];
}

/** Runs an operation until it succeeds or `retryWaitMs` says to stop; fails as its last attempt did. */
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
    // The waiting is done below, on the clock that was handed in.
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      const waitMs = retryWaitMs(error, { ...options, attempt: attemptNumber }, options.random);
      // Fails as the operation did: p-retry replaces what is not an Error, as an abort's reason may be.
      const isTooLong = (waitMs ?? 0) > (options.patienceMs ?? Number.POSITIVE_INFINITY);
      if (waitMs === undefined || isTooLong) await running;
      else await options.clock.sleep(waitMs, AbortSignal.any([...options.signals]));
    },
  });
}
