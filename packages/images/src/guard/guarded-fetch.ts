/**
 * Downloads from untrusted addresses. Only http and https to public addresses or allowed hosts;
 * redirects get the same checks; size and time are limited. Sends no cookies and no login but the
 * one that is given for the first address's server, and reads no proxy settings.
 */

import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

import { type Clock, systemClock } from "@catalog/clock";
import { type Agent, type Dispatcher, errors, request } from "undici";

import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB } from "../image-rules.ts";
import {
  type AllowedHosts,
  checkAddress,
  createAllowedHosts,
  createGuardedAgent,
  portOf,
  type ResolveHost,
} from "./check-address.ts";
import { type DownloadLogin, loginHeader } from "./download-login.ts";
import { FetchError, findFetchError } from "./fetch-error.ts";

/** Limits of one download. */
export interface BodyLimits {
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
export interface SpeedWatch extends Disposable {
  readonly signal: AbortSignal;
  note(bytes: number): void;
}

/** Watches one download; `signal` aborts with {@link FetchError} `E_FETCH_SLOW`, or as `outer` does. */
export function watchSpeed(
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
export async function readBody(
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
export function tooLarge({ maxBytes, settings }: BodyLimits): FetchError {
  const limit = maxBytes >= MB ? `${Math.floor(maxBytes / MB)} MB` : `${maxBytes} B`;
  return new FetchError("E_FETCH_SIZE", limit, { setting: settings.maxBytes });
}

export type GivenLimits = Pick<BodyLimits, "maxBytes" | "totalMs" | "settings">;

/** Limits of the download of an image. */
export function imageDownloadLimits(given: Partial<ImageLimits> = {}): GivenLimits {
  const { imageDownloadMb, imageDownloadSeconds } = { ...DEFAULT_IMAGE_LIMITS, ...given };
  return {
    maxBytes: imageDownloadMb * MB,
    totalMs: imageDownloadSeconds * 1000,
    settings: { maxBytes: "imageDownloadMb", totalMs: "imageDownloadSeconds" },
  };
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
export interface GuardedRequest {
  /** Validator of an earlier answer, for a conditional request; other headers are not sent. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Sent to the server of the address, and to no other one after a redirect. @default none */
  readonly login?: DownloadLogin | undefined;
  /** Whether the server may compress the body, which is then unpacked. @default false */
  readonly mayBePacked?: boolean | undefined;
  /** Only the head of the answer is read. @default false */
  readonly isHeadOnly?: boolean | undefined;
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

export const DEFAULT_LIMITS: BodyLimits = {
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
  /** Hosts that a login is sent to over http. */
  readonly plainLogins: Set<string>;
}

/** Opens guarded downloads; closing aborts those under way. */
export function openGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { clock = systemClock, allowHosts = [], limits, resolve } = options;
  const allowed = createAllowedHosts(allowHosts);
  const plainLogins = new Set<string>();
  const agent = createGuardedAgent({ allowed, resolve, plainLogins });
  const guard = { agent, allowed, clock, limits: { ...DEFAULT_LIMITS, ...limits }, plainLogins };
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
  assertEncrypted(first, asked, guard);
  using watch = watchSpeed({ ...guard, host: first.hostname }, asked.signal);
  let url = first;
  let { login } = asked;
  try {
    for (let hop = 0; ; hop += 1) {
      const answer = await request(url, {
        dispatcher: guard.agent,
        method: "GET",
        headers: headersOf({ ...asked, login }),
        signal: watch.signal,
      });
      const next = redirectOf(answer, url);
      if (next === undefined) return await takeAnswer(answer, url, { guard, asked, watch });
      discard(answer);
      url = follow(next, { from: url, hop, allowed: guard.allowed });
      // Neither another server, nor one that another server has chosen the address of.
      if (url.origin !== first.origin) login = undefined;
    }
  } catch (error) {
    asked.signal?.throwIfAborted();
    throw toFetchError(error, url, watch);
  }
}

/** Whoever is on the way reads what is sent over http; only in one's own network nobody is. */
function assertEncrypted(
  url: URL,
  { login }: GuardedRequest,
  { allowed, plainLogins }: Guard,
): void {
  if (login === undefined || url.protocol === "https:") return;
  if (!allowed.has(url.hostname, portOf(url))) {
    throw new FetchError("E_URL_LOGIN_PLAIN", url.host);
  }
  // Also an allowed host may turn out to be on the internet.
  plainLogins.add(url.hostname);
}

function headersOf({
  etag,
  lastModified,
  login,
  mayBePacked,
}: GuardedRequest): Record<string, string> {
  return {
    ...(login !== undefined && loginHeader(login)),
    "user-agent": "catalog-toolkit",
    accept: "*/*",
    "accept-encoding": mayBePacked === true ? "gzip, br" : "identity",
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
  const refusal = refuseHead(answer, { limits, clock, asked });
  if (refusal !== undefined) {
    discard(answer);
    throw refusal;
  }
  const chunks: Uint8Array[] = [];
  const onChunk = asked.onChunk ?? ((chunk) => void chunks.push(chunk));
  if (asked.isHeadOnly === true) discard(answer);
  const sizeBytes =
    asked.isHeadOnly === true ? 0 : await readWhole(answer, url, { limits, watch, onChunk });
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
  answer: Dispatcher.ResponseData,
  url: URL,
  sink: BodySink,
): Promise<number> {
  try {
    return await readBody(unpackBody(answer), sink);
  } catch (error) {
    if (isUnpacking(error)) {
      throw new FetchError("E_FETCH_ENCODING", encodingOf(answer), { cause: error });
    }
    const isCut = error instanceof errors.UndiciError || hasNetworkCode(error);
    if (!isCut || sink.watch.signal.aborted) throw error;
    throw new FetchError("E_FETCH_CUT", url.hostname, { cause: error });
  }
}

/** A connection that ended, or a packed body that ends before its end. */
const hasNetworkCode = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(?:E[A-Z]+|Z_BUF_ERROR)$/u.test(String(error.code));

/** The bytes are not packed in the way that the server says. */
const isUnpacking = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(?:Z_DATA_ERROR|ERR_.*BROTLI.*|ERR__ERROR_FORMAT.*)$/u.test(String(error.code));

const encodingOf = (answer: Dispatcher.ResponseData): string =>
  (headerOf(answer, "content-encoding") ?? "identity").trim().toLowerCase();

const DECODERS: ReadonlyMap<string, () => ReturnType<typeof createGunzip>> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

/** The body as it was before the server packed it; the limit of its size is that of what comes out. */
function unpackBody(answer: Dispatcher.ResponseData): AsyncIterable<Uint8Array> {
  const decoder = DECODERS.get(encodingOf(answer))?.();
  if (decoder === undefined) return answer.body;
  // The reader of the decoder learns of an error; without a callback it would be thrown as well.
  return pipeline(answer.body, decoder, () => undefined);
}

/** The error for an answer whose status or headers already refuse it. */
function refuseHead(
  answer: Dispatcher.ResponseData,
  { limits, clock, asked }: Pick<Guard, "limits" | "clock"> & Pick<DownloadInput, "asked">,
): FetchError | undefined {
  const { statusCode: status } = answer;
  if (status === NOT_MODIFIED) return undefined;
  if (status < 200 || status > 299) {
    const retryAfterMs = parseRetryAfter(headerOf(answer, "retry-after"), clock.now());
    return new FetchError("E_FETCH_STATUS", String(status), { status, retryAfterMs });
  }
  const encoding = encodingOf(answer);
  const isReadable = asked.mayBePacked === true && DECODERS.has(encoding);
  if (encoding !== "identity" && !isReadable) return new FetchError("E_FETCH_ENCODING", encoding);
  const announced = Number(headerOf(answer, "content-length") ?? 0);
  return announced > limits.maxBytes ? tooLarge(limits) : undefined;
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** Codes of OpenSSL and Node for a certificate that is not believed. */
export const CERTIFICATE_CODE: RegExp =
  /CERT_|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ALTNAME_INVALID|HOSTNAME_MISMATCH/u;

function toFetchError(error: unknown, url: URL, watch: SpeedWatch): FetchError {
  const known = findFetchError(error) ?? findFetchError(watch.signal.reason);
  if (known === undefined && error instanceof Error && "code" in error) {
    if (CERTIFICATE_CODE.test(String(error.code))) {
      return new FetchError("E_FETCH_CERTIFICATE", url.hostname, { cause: error });
    }
  }
  return known ?? new FetchError("E_FETCH_FAILED", url.hostname, { cause: error });
}
