/**
 * Decides when a failed download is tried again, and how long to wait before that. Only failures
 * that may be gone soon are: a server that fails or is overloaded, and a connection that breaks.
 */

import type { Clock } from "@catalog/clock";
import pRetry from "p-retry";

import { FetchError } from "./fetch-error.ts";

/** One wait before another attempt. */
export interface DownloadRetry {
  /** Number of attempts that have failed. */
  readonly attempt: number;
  readonly waitMs: number;
}

export interface RetryDownloadOptions {
  readonly clock: Clock;
  /** Maximum time from the first attempt to the end of the last one, in milliseconds. */
  readonly totalMs: number;
  /** Maximum number of further attempts after the first. @default 3 */
  readonly retries?: number | undefined;
  /** Ends a wait; the download then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((retry: DownloadRetry) => void) | undefined;
}

const DEFAULT_RETRIES = 3;
const FIRST_WAIT_MS = 2_000;

/** A longer `Retry-After` ends the attempts: nobody waits that long for a file. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** Statuses below 500 that can be transient; every status from 500 up can. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const SERVER_ERROR = 500;

/** Failures of a connection that can be transient. An unknown name or a bad certificate is not. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_SOCKET",
]);

/**
 * Runs a download until it succeeds or fails for good; `remainingMs` is the time that an attempt may
 * take. Rejects with the error of the last attempt, which states the number of attempts.
 */
export async function retryDownload<T>(
  download: (remainingMs: number) => Promise<T>,
  { clock, totalMs, retries = DEFAULT_RETRIES, signal, onRetry }: RetryDownloadOptions,
): Promise<T> {
  const endMs = clock.now() + totalMs;
  let running: Promise<T> | undefined;
  const attempt = (): Promise<T> => {
    running = download(endMs - clock.now());
    return running;
  };
  return await pRetry(attempt, {
    retries,
    // p-retry does not wait itself; the wait is below, on the given clock.
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      const waitMs = attemptNumber > retries ? undefined : retryWaitMs(error, attemptNumber);
      if (waitMs !== undefined && clock.now() + waitMs < endMs) {
        onRetry?.({ attempt: attemptNumber, waitMs });
        await clock.sleep(waitMs, signal);
      } else if (error instanceof FetchError && attemptNumber > 1) {
        throw new FetchError(error.code, error.detail, {
          status: error.status,
          setting: error.setting,
          attempts: attemptNumber,
          cause: error,
        });
      } else {
        // Rejects as the download did: p-retry replaces anything that is not an Error, as an
        // abort's reason may be.
        await running;
      }
    },
  });
}

/** How long to wait before the next attempt, in milliseconds; `undefined` means no further attempt. */
function retryWaitMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof FetchError) || !isTransient(error)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return FIRST_WAIT_MS * 2 ** (attempt - 1);
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
}

function isTransient({ code, status = 0, cause }: FetchError): boolean {
  if (code === "E_FETCH_STATUS") return status >= SERVER_ERROR || TRANSIENT_STATUSES.has(status);
  if (code !== "E_FETCH_CUT" && code !== "E_FETCH_FAILED") return false;
  return cause instanceof Error && "code" in cause && TRANSIENT_CODES.has(String(cause.code));
}

/**
 * Reads a `Retry-After` header, seconds or an HTTP date, as milliseconds from `now` on; `undefined`
 * when it is neither, or a date in the past.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  const times = /[a-z]/iu.test(text) ? Date.parse(text) : Number.NaN;
  return times > now ? times - now : undefined;
}
