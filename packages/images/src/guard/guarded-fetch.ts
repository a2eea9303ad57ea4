/**
 * Downloads from untrusted addresses. Only http and https to public addresses or allowed hosts;
 * redirects get the same checks; size and time are limited. Sends no cookies and no credentials,
 * and reads no proxy settings. Only failures that may be gone soon are tried again: a server that
 * fails or is overloaded, and a connection that breaks.
 */

import { open } from "node:fs/promises";

import { type Clock, systemClock } from "@catalog/clock";
import pRetry from "p-retry";
import { type Agent, type Dispatcher, errors, request } from "undici";

import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB } from "../image-rules.ts";
import {
  type AllowedHosts,
  checkAddress,
  createAllowedHosts,
  createGuardedAgent,
  type ResolveHost,
} from "./check-address.ts";
import { FetchError, findFetchError } from "./fetch-error.ts";

/** Limits of one download. */
interface BodyLimits {
  readonly maxBytes: number;
  /**
   * Maximum time from the first byte of the request to the last of the answer, redirects included,
   * in milliseconds.
   */
  readonly totalMs: number;
  /** Length of the window over which the speed is measured, in milliseconds. */
  readonly windowMs: number;
  /** Minimum number of bytes per window; with fewer, the download is too slow. */
  readonly minWindowBytes: number;
  /** Names of the settings of `maxBytes` and `totalMs`, for messages. */
  readonly settings: { readonly maxBytes: string; readonly totalMs: string };
}

/** Aborts the signal of a download that is too slow. */
interface SpeedWatch extends Disposable {
  readonly signal: AbortSignal;
  note(bytes: number): void;
}

/** Watches one download; `signal` aborts with {@link FetchError} `E_FETCH_SLOW`, or as `outer` does. */
function watchSpeed(
  {
    clock,
    limits,
    host,
  }: { readonly clock: Clock; readonly limits: BodyLimits; readonly host: string },
  outer: AbortSignal | undefined,
): SpeedWatch {
  const slow = new AbortController();
  const over = new AbortController();
  let received = 0;
  const fail = (): void => slow.abort(new FetchError("E_FETCH_SLOW", host));
  const failLate = (): void =>
    slow.abort(new FetchError("E_FETCH_SLOW", host, { setting: limits.settings.totalMs }));
  const onTotal = clock.sleep(limits.totalMs, over.signal).then(failLate);
  const onWindow = watchWindows(() => received);
  // The signal of the finished download ends both.
  void Promise.allSettled([onTotal, onWindow]);

  async function watchWindows(bytes: () => number): Promise<void> {
    for (;;) {
      const before = bytes();
      await clock.sleep(limits.windowMs, over.signal);
      if (bytes() - before < limits.minWindowBytes) return fail();
    }
  }
  return {
    signal: outer === undefined ? slow.signal : AbortSignal.any([outer, slow.signal]),
    note: (bytes) => {
      received += bytes;
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

interface BodySink {
  readonly limits: BodyLimits;
  readonly watch: SpeedWatch;
  readonly onChunk: (chunk: Uint8Array) => void | Promise<void>;
}

/**
 * Reads a body to its end and returns its length. Counts the received bytes, not the announced
 * ones.
 */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  { limits, watch, onChunk }: BodySink,
): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limits.maxBytes) throw tooLarge(limits);
    watch.note(chunk.byteLength);
    await onChunk(chunk);
  }
  return sizeBytes;
}

/** The error for a body over the limit. */
function tooLarge({ maxBytes, settings }: BodyLimits): FetchError {
  const limit = maxBytes >= MB ? `${Math.floor(maxBytes / MB)} MB` : `${maxBytes} B`;
  return new FetchError("E_FETCH_SIZE", limit, { setting: settings.maxBytes });
}

/** Limits of the download of a table or a feed. */
export interface DownloadLimits {
  /** Maximum size in MB. @default 1024 */
  readonly downloadMb: number;
  /** Maximum time in seconds, redirects included. @default 1800 */
  readonly downloadSeconds: number;
}

/** The limits that apply unless settings change them. */
export const DEFAULT_DOWNLOAD_LIMITS: DownloadLimits = { downloadMb: 1024, downloadSeconds: 1800 };

type GivenLimits = Pick<BodyLimits, "maxBytes" | "totalMs" | "settings">;

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
  const { downloadMb, downloadSeconds } = { ...DEFAULT_DOWNLOAD_LIMITS, ...options.limits };
  const limits: GivenLimits = {
    maxBytes: downloadMb * MB,
    totalMs: downloadSeconds * 1000,
    settings: { maxBytes: "downloadMb", totalMs: "downloadSeconds" },
  };
  const attempt = async (totalMs: number): Promise<GuardedAnswer> => {
    await using fetcher = openGuardedFetch({ clock, allowHosts, limits: { ...limits, totalMs } });
    await using file = await open(path, "w", 0o600);
    const onChunk = async (chunk: Uint8Array): Promise<void> => {
      await file.writeFile(chunk);
    };
    return await fetcher.fetch(address, { etag, lastModified, signal, onChunk });
  };
  const { totalMs } = limits;
  return await retryDownload(attempt, { clock, totalMs, retries, signal, onRetry });
}

/** Limits of the download of an image. */
export function imageDownloadLimits(given: Partial<ImageLimits> = {}): GivenLimits {
  const { imageDownloadMb, imageDownloadSeconds } = { ...DEFAULT_IMAGE_LIMITS, ...given };
  return {
    maxBytes: imageDownloadMb * MB,
    totalMs: imageDownloadSeconds * 1000,
    settings: { maxBytes: "imageDownloadMb", totalMs: "imageDownloadSeconds" },
  };
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

/** Settings of the downloads. */
export interface GuardedFetchOptions {
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
  /**
   * The company's own servers, as `host` or `host:port`, which may be in a private network.
   * @default none
   */
  readonly allowHosts?: readonly string[] | undefined;
  /** @default 15 MB, 20 s, and at least 1 kB in any 10 s */
  readonly limits?: Partial<BodyLimits> | undefined;
  /** @default the system's resolver */
  readonly resolve?: ResolveHost | undefined;
}

/** One download. */
interface GuardedRequest {
  /** Validator of an earlier answer, for a conditional request; other headers are not sent. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Receives the body; the answer's `body` is then empty. */
  readonly onChunk?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The answer of a server. */
export interface GuardedAnswer {
  /** 2xx, or 304 when `etag` or `lastModified` of the request still match. */
  readonly status: number;
  /** The address after all redirects. */
  readonly address: string;
  readonly contentType: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly sizeBytes: number;
  readonly body: Uint8Array;
}

/** Downloads that share their connections. */
export interface GuardedFetch extends AsyncDisposable {
  /** Throws {@link FetchError}; rejects with the reason of `signal` when that aborts. */
  fetch(address: string, request?: GuardedRequest): Promise<GuardedAnswer>;
}

const DEFAULT_LIMITS: BodyLimits = {
  ...imageDownloadLimits(),
  windowMs: 10_000,
  minWindowBytes: 1024,
};

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;

interface Guard {
  readonly agent: Agent;
  readonly allowed: AllowedHosts;
  readonly clock: Clock;
  readonly limits: BodyLimits;
}

/** Opens guarded downloads; closing aborts those under way. */
export function openGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { clock = systemClock, allowHosts = [], limits, resolve } = options;
  const allowed = createAllowedHosts(allowHosts);
  const agent = createGuardedAgent({ allowed, resolve });
  const guard = { agent, allowed, clock, limits: { ...DEFAULT_LIMITS, ...limits } };
  return {
    fetch: (address, asked = {}) => fetchWith(guard, address, asked),
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

async function fetchWith(
  guard: Guard,
  address: string,
  asked: GuardedRequest,
): Promise<GuardedAnswer> {
  asked.signal?.throwIfAborted();
  const first = checkAddress(address, guard.allowed);
  using watch = watchSpeed({ ...guard, host: first.hostname }, asked.signal);
  let url = first;
  try {
    for (let hop = 0; ; hop += 1) {
      const answer = await request(url, {
        dispatcher: guard.agent,
        method: "GET",
        headers: headersOf(asked),
        signal: watch.signal,
      });
      const next = redirectOf(answer, url);
      if (next === undefined) return await takeAnswer(answer, url, { guard, asked, watch });
      discard(answer);
      url = follow(next, { from: url, hop, allowed: guard.allowed });
    }
  } catch (error) {
    asked.signal?.throwIfAborted();
    throw toFetchError(error, url, watch);
  }
}

function headersOf({ etag, lastModified }: GuardedRequest): Record<string, string> {
  return {
    "user-agent": "catalog-toolkit",
    accept: "*/*",
    "accept-encoding": "identity",
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

function redirectOf(answer: Dispatcher.ResponseData, url: URL): URL | undefined {
  if (!REDIRECTS.has(answer.statusCode)) return undefined;
  const location = headerOf(answer, "location");
  const next = location === undefined ? null : URL.parse(location, url.href);
  if (next === null) throw new FetchError("E_URL_REDIRECT", String(answer.statusCode));
  return next;
}

interface Hop {
  readonly from: URL;
  readonly hop: number;
  readonly allowed: AllowedHosts;
}

function follow(next: URL, { from, hop, allowed }: Hop): URL {
  if (hop >= MAX_REDIRECTS) throw new FetchError("E_URL_REDIRECT", `> ${MAX_REDIRECTS}`);
  if (from.protocol === "https:" && next.protocol === "http:") {
    throw new FetchError("E_URL_REDIRECT", "https → http");
  }
  return checkAddress(next, allowed);
}

/** Closes the connection of a body that is not read. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on("error", () => undefined).destroy();
}

interface DownloadInput {
  readonly guard: Guard;
  readonly asked: GuardedRequest;
  readonly watch: SpeedWatch;
}

async function takeAnswer(
  answer: Dispatcher.ResponseData,
  url: URL,
  { guard: { limits, clock }, asked, watch }: DownloadInput,
): Promise<GuardedAnswer> {
  const refusal = refuseHead(answer, { limits, clock });
  if (refusal !== undefined) {
    discard(answer);
    throw refusal;
  }
  const chunks: Uint8Array[] = [];
  const onChunk = asked.onChunk ?? ((chunk) => void chunks.push(chunk));
  const sizeBytes = await readWhole(answer, url, { limits, watch, onChunk });
  return {
    status: answer.statusCode,
    address: url.href,
    contentType: headerOf(answer, "content-type"),
    etag: headerOf(answer, "etag"),
    lastModified: headerOf(answer, "last-modified"),
    sizeBytes,
    body: Buffer.concat(chunks),
  };
}

/** Reads the body. A connection that was closed in the middle of it was there, unlike one that never was. */
async function readWhole(
  { body }: Dispatcher.ResponseData,
  url: URL,
  sink: Parameters<typeof readBody>[1],
): Promise<number> {
  try {
    return await readBody(body, sink);
  } catch (error) {
    const isCut = error instanceof errors.UndiciError || hasNetworkCode(error);
    if (!isCut || sink.watch.signal.aborted) throw error;
    throw new FetchError("E_FETCH_CUT", url.hostname, { cause: error });
  }
}

const hasNetworkCode = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^E[A-Z]+$/u.test(String(error.code));

/** The error for an answer whose status or headers already refuse it. */
function refuseHead(
  answer: Dispatcher.ResponseData,
  { limits, clock }: Pick<Guard, "limits" | "clock">,
): FetchError | undefined {
  const { statusCode: status } = answer;
  if (status === NOT_MODIFIED) return undefined;
  if (status < 200 || status > 299) {
    const retryAfterMs = parseRetryAfter(headerOf(answer, "retry-after"), clock.now());
    return new FetchError("E_FETCH_STATUS", String(status), { status, retryAfterMs });
  }
  const encoding = headerOf(answer, "content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") return new FetchError("E_FETCH_ENCODING", encoding);
  const announced = Number(headerOf(answer, "content-length") ?? 0);
  return announced > limits.maxBytes ? tooLarge(limits) : undefined;
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

function toFetchError(error: unknown, url: URL, watch: SpeedWatch): FetchError {
  const known = findFetchError(error) ?? findFetchError(watch.signal.reason);
  return known ?? new FetchError("E_FETCH_FAILED", url.hostname, { cause: error });
}
