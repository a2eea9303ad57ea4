/**
 * Downloads a table or a feed to a file, with the login of its server. Only failures that may be gone
 * soon are tried again: a server that fails or is overloaded, and a connection that breaks.
 */

import { open } from "node:fs/promises";

import type { Clock } from "@catalog/clock";
import { bareAddress } from "@catalog/i18n";
import pRetry from "p-retry";

import { MB } from "../image-rules.ts";
import type { DownloadLogin, FindLogin } from "./download-login.ts";
import { FetchError } from "./fetch-error.ts";
import {
  type GivenLimits,
  type GuardedAnswer,
  type GuardedRequest,
  openGuardedFetch,
} from "./guarded-fetch.ts";
import { fetchRemote, isRemoteAddress, tryRemote } from "./remote-file.ts";

/** Limits of the download of a table or a feed. */
export interface DownloadLimits {
  /** Maximum size in MB. @default 1024 */
  readonly downloadMb: number;
  /** Maximum time in seconds, redirects included. @default 1800 */
  readonly downloadSeconds: number;
}

/** The limits that apply unless settings change them. */
export const DEFAULT_DOWNLOAD_LIMITS: DownloadLimits = { downloadMb: 1024, downloadSeconds: 1800 };

/** A file to download, and where it is written. */
export interface DownloadFileOptions extends Pick<
  GuardedRequest,
  "etag" | "lastModified" | "signal"
> {
  readonly address: string;
  /** Path of the file; it is empty where the answer is 304, and incomplete after an error. */
  readonly path: string;
  readonly clock: Clock;
  /** Private servers that are allowed, as `host` or `host:port`. @default none */
  readonly allowHosts?: readonly string[] | undefined;
  readonly limits?: Partial<DownloadLimits> | undefined;
  /** @default no login is sent */
  readonly findLogin?: FindLogin | undefined;
  /** Maximum number of further attempts where the server or the connection fails. @default 3 */
  readonly retries?: number | undefined;
  /** Called before the wait for another attempt. */
  readonly onRetry?: ((retry: DownloadRetry) => void) | undefined;
}

/**
 * Downloads a table or a feed, in several attempts where that may help. Throws {@link FetchError};
 * an interrupted download fails and is never taken for a short file.
 */
export async function downloadFile(options: DownloadFileOptions): Promise<GuardedAnswer> {
  const { address, path, clock, allowHosts, retries, etag, lastModified, signal, onRetry } =
    options;
  const login = await options.findLogin?.(address);
  const { downloadMb, downloadSeconds } = { ...DEFAULT_DOWNLOAD_LIMITS, ...options.limits };
  const limits: GivenLimits = {
    maxBytes: downloadMb * MB,
    totalMs: downloadSeconds * 1000,
    settings: { maxBytes: "downloadMb", totalMs: "downloadSeconds" },
  };
  const attempt = async (totalMs: number): Promise<GuardedAnswer> => {
    const guard = { clock, allowHosts, limits: { ...limits, totalMs } };
    await using file = await open(path, "w", 0o600);
    const onChunk = async (chunk: Uint8Array): Promise<void> => {
      await file.writeFile(chunk);
    };
    if (isRemoteAddress(address)) {
      return await fetchRemote({ ...guard, address, login, etag, signal, onChunk });
    }
    await using fetcher = openGuardedFetch(guard);
    const asked = { etag, lastModified, signal, onChunk, login, mayBePacked: true };
    return await fetcher.fetch(address, asked).catch((error: unknown) => {
      throw toLoginError(error, address, login);
    });
  };
  const { totalMs } = limits;
  return await retryDownload(attempt, { clock, totalMs, retries, signal, onRetry });
}

/** A login to try at an address. */
export interface TryLoginOptions extends Pick<
  DownloadFileOptions,
  "address" | "clock" | "allowHosts" | "signal"
> {
  readonly login: DownloadLogin;
}

const TRY_MS = 30_000;

/** Asks for the file of an address, and reads none of it. Throws {@link FetchError}. */
export async function tryLogin({ address, login, ...options }: TryLoginOptions): Promise<void> {
  const limits = { totalMs: TRY_MS, maxBytes: Infinity };
  if (isRemoteAddress(address)) return await tryRemote({ ...options, address, login, limits });
  await using fetcher = openGuardedFetch({ ...options, limits });
  const { signal } = options;
  try {
    await fetcher.fetch(address, { login, signal, mayBePacked: true, isHeadOnly: true });
  } catch (error) {
    throw toLoginError(error, address, login);
  }
}

const LOGIN_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** A server that lets nobody in is one that wants a login, or another one than it was shown. */
function toLoginError(error: unknown, address: string, login: DownloadLogin | undefined): unknown {
  if (!(error instanceof FetchError) || !LOGIN_STATUSES.has(error.status ?? 0)) return error;
  const code = login === undefined ? "E_FETCH_LOGIN" : "E_FETCH_LOGIN_REFUSED";
  return new FetchError(code, bareAddress(address), { status: error.status, cause: error });
}

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
  // A packed body that ends before its end.
  "Z_BUF_ERROR",
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
