/**
 * Downloads from untrusted addresses. Only http and https to public addresses or allowed hosts;
 * redirects get the same checks; size and time are limited. Sends no cookies and no credentials,
 * and reads no proxy settings.
 */

import { type Clock, systemClock } from "@catalog/clock";
import { type Agent, type Dispatcher, errors, request } from "undici";

import { type BodyLimits, readBody, type SpeedWatch, tooLarge, watchSpeed } from "./body-limits.ts";
import { type AllowedHosts, checkAddress, createAllowedHosts } from "./check-address.ts";
import { imageDownloadLimits } from "./download-limits.ts";
import { FetchError, findFetchError } from "./fetch-error.ts";
import { createGuardedAgent, type ResolveHost } from "./guarded-connect.ts";
import { parseRetryAfter } from "./retry-download.ts";

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
