/**
 * Makes one call: checks the input, gets a token, sends the request, reads the answer, and retries
 * where that is safe.
 */

import { endpoints, type DataOf } from "@catalog/contract";

import { MAX_BYTES, readAnswer, readRetryAfter, toLocalized, unpack } from "./answer.ts";
import {
  type ConcurrencyControl,
  type ConcurrencyLimits,
  createConcurrencyControl,
  type TimedCall,
} from "./concurrency.ts";
import { ApiError, AuthError } from "./errors.ts";
import { type PreparedRequest, prepareRequest, type Target } from "./http/request.ts";
import type { Transport } from "./http/transport.ts";
import type { Exchange } from "./http/wire-phase.ts";
import type { ListingTotals } from "./paging.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { type CallEffect, type RetryOptions, withRetries } from "./retry.ts";
import type { CallKind, ResolvedClientOptions } from "./settings.ts";
import {
  type CachedToken,
  createTokenSource,
  parseTokenExpiry,
  type TokenSource,
} from "./token.ts";

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /**
   * Whether the caller has taken the slot of the first attempt in the rate limit; each further
   * attempt takes its own. @default false
   */
  readonly hasSlot?: boolean | undefined;
  /**
   * Called synchronously once the connection stands, right before the first byte of the request
   * leaves. A throw keeps the request unsent, and the call rejects with what was thrown. It is
   * called again for each further attempt, such as that of an update after its token was refused.
   */
  readonly beforeSend?: () => void;
  /** Maximum number of further attempts after the first. @default that of the client */
  readonly retries?: number | undefined;
}

/** Makes the calls of one client, with one token for all of them. */
export interface Caller {
  call<Data>(target: Target<Data>, input: unknown, options?: CallOptions): Promise<Data>;
  /** Makes sure that there is a token. */
  login(options?: CallOptions): Promise<void>;
  /** Drops the token. */
  logout(): Promise<void>;
  /** Maximum numbers of concurrent calls at present. */
  limits(): ConcurrencyLimits;
  /** What is known of the totals of a listing. */
  totalsOf(name: string): ListingTotals;
}

/** Minimum remaining life of a token beyond the call's timeout with which a call begins. */
const TOKEN_SPARE_MS = 30_000;

/** Further attempts of the token request at most; each one counts against the hourly quota. */
const TOKEN_RETRIES = 2;

const TOKEN_TARGET: Target<DataOf<"token.create">> = {
  resource: "token",
  name: "token.create",
  endpoint: endpoints.token.create,
};

interface CallerParts {
  readonly options: ResolvedClientOptions;
  readonly transport: Transport;
  readonly redactor: Redactor;
  /** Ends the waits between attempts. */
  readonly closing: AbortSignal;
  readonly concurrency: ConcurrencyControl;
}

/** State of one call: what it is, and how many attempts were made. */
interface Operation<Data = unknown> {
  readonly target: Target<Data>;
  readonly kind: CallKind;
  readonly request: PreparedRequest;
  readonly signal: AbortSignal | undefined;
  readonly beforeSend: (() => void) | undefined;
  /** @default that of the client */
  readonly retries?: number | undefined;
  /** Whether the next attempt has its slot in the rate limit. */
  hasSlot: boolean;
  attempts: number;
}

/**
 * Creates the function that makes calls. `closing` ends the waits between attempts, not the
 * requests under way.
 */
export function createCaller(
  options: ResolvedClientOptions,
  transport: Transport,
  closing: AbortSignal,
): Caller {
  const redactor = createRedactor();
  redactor.add(options.credentials.clientSecret);
  const concurrency = createConcurrencyControl(options.concurrency);
  const parts: CallerParts = { options, transport, redactor, closing, concurrency };
  const tokens = createTokenSource({
    key: options.tokenKey,
    cache: options.tokens,
    clock: options.clock,
    acquire: () => acquireToken(parts),
    onToken: (token) => redactor.add(token),
    closing,
    minLifeMs: options.timeoutMs + TOKEN_SPARE_MS,
    tooManyRefused: () => refusedForGood(parts),
  });

  return {
    async call(target, input, { signal, hasSlot = false, beforeSend, retries } = {}) {
      signal?.throwIfAborted();
      const { effect } = target.endpoint;
      const request = prepareRequest(target, input, options);
      const isLogin = target.endpoint.permission === "none";
      const kind: CallKind = isLogin ? "token" : effect === "read" ? "read" : "write";
      const how = { signal, beforeSend, hasSlot, retries };
      const operation = { target, kind, request, ...how, attempts: 0 };
      const attempt = isLogin
        ? () => send(parts, operation)
        : withFreshToken(parts, tokens, operation);
      const gate = concurrency.gateOf(LIMIT_OF[kind]);
      return withRetries(() => gate(attempt, signal), retryOptions(parts, operation));
    },
    async login({ signal } = {}) {
      await tokens.get(signal);
    },
    logout: () => tokens.forget(),
    limits: () => concurrency.limits(),
    totalsOf: (name) => options.totalsOf(name),
  };
}

/** The limit of concurrent calls that holds for a call. */
const LIMIT_OF = { token: "reads", read: "reads", write: "writes" } as const;

/** Replaces a refused token once per call, and sends the call again if its effect allows it. */
function withFreshToken<Data>(
  parts: CallerParts,
  tokens: TokenSource,
  operation: Operation<Data>,
): () => Promise<Data> {
  let mayReplace = true;
  return async () => {
    const token = await tokens.get(operation.signal);
    try {
      const data = await send(parts, operation, token);
      tokens.accept(token);
      return data;
    } catch (error) {
      // A refusal for any other reason proves that the token was accepted.
      if (error instanceof ApiError) tokens.accept(token);
      if (!(error instanceof AuthError) || !mayReplace) throw error;
      mayReplace = false;
      await tokens.refuse(token);
      // The specification does not say whether a refused `create` left nothing behind, so the
      // caller decides.
      if (operation.target.endpoint.effect === "create") throw error;
    }
    const renewed = await tokens.get(operation.signal);
    const data = await send(parts, operation, renewed);
    tokens.accept(renewed);
    return data;
  };
}

async function send<Data>(
  parts: CallerParts,
  operation: Operation<Data>,
  token?: string,
): Promise<Data> {
  const { options, redactor, concurrency } = parts;
  const { target, kind, request, signal, beforeSend } = operation;
  const { clock, storeId } = options;
  if (!operation.hasSlot) await options.pace(signal);
  operation.hasSlot = false;
  operation.attempts += 1;
  const freshConnection = target.endpoint.effect === "create";
  const how = { accessToken: token, freshConnection, maxBytes: MAX_BYTES[kind], beforeSend };
  const startedAt = clock.now();
  const exchange = await parts.transport.send({ ...request, ...how }, signal);
  const now = clock.now();
  noteTime(concurrency, {
    kind: LIMIT_OF[kind],
    key: toTimeKey(target, request),
    times: { startedAtMs: startedAt, endedAtMs: now },
    exchange,
  });
  options.onCall({
    endpoint: target.name,
    kind,
    attempt: operation.attempts,
    status: exchange.status,
    phase: exchange.phase,
    ...(exchange.failure?.kind === "aborted" && { isAborted: true }),
    durationMs: now - startedAt,
    retryAfterMs: readRetryAfter(exchange.headers, now),
    serverTimeMs: readServerTime(exchange.headers["date"]),
  });
  const unpacked = await unpack(exchange, MAX_BYTES[kind]);
  return readAnswer(unpacked, {
    target,
    kind,
    storeId,
    now,
    redact: redactor.redact,
    onLeftOut: (field) => options.onLeftOut?.({ endpoint: target.name, field }),
  });
}

interface TimedExchange extends Pick<TimedCall, "kind" | "key"> {
  readonly times: Pick<TimedCall, "startedAtMs" | "endedAtMs">;
  readonly exchange: Exchange;
}

/** A call that this side has ended says nothing about the marketplace. */
function noteTime(
  concurrency: ConcurrencyControl,
  { exchange: { status, failure }, times, ...call }: TimedExchange,
): void {
  if (failure?.kind === "aborted") return;
  const isLost = failure?.kind === "timeout" || failure?.kind === "network";
  concurrency.note({ ...call, ...times, status: isLost ? undefined : status });
}

/** Calls of one name take longer or shorter by the size of the page and by how they filter. */
function toTimeKey({ name }: Target, { query }: PreparedRequest): string {
  const parts = query.map(([field, value]) => (field === "limit" ? `limit=${value}` : field));
  return [name, ...parts.filter((part) => part !== "page").toSorted()].join(" ");
}

async function acquireToken(parts: CallerParts): Promise<CachedToken> {
  const { clock, credentials } = parts.options;
  const input = { client_key: credentials.clientKey, client_secret: credentials.clientSecret };
  const operation: Operation<DataOf<"token.create">> = {
    target: TOKEN_TARGET,
    kind: "token",
    request: prepareRequest(TOKEN_TARGET, input, parts.options),
    // All callers share the token, so the signal of one must not end the request for it.
    signal: undefined,
    beforeSend: undefined,
    hasSlot: false,
    attempts: 0,
  };
  const answer = await withRetries(() => send(parts, operation), retryOptions(parts, operation));
  const { access_token: token, expires_at, message, message_tr } = answer;
  if (token) return { token, expiresAtMs: parseTokenExpiry(expires_at, clock.now()) };

  const localized = toLocalized(message, message_tr);
  const words = localized?.en ?? localized?.tr ?? "it gave no reason";
  throw new AuthError(`The marketplace gave no access token: ${words}`, {
    endpoint: TOKEN_TARGET.name,
    phase: "none",
    status: 200,
    localized,
    redact: parts.redactor.redact,
  });
}

/**
 * New tokens that are refused at once point to a wrong or changing IP address (section
 * Authentication, 3); one more would not help.
 */
function refusedForGood({ redactor }: CallerParts): AuthError {
  const localized = {
    tr: "Pazaryeri, az önce verdiği erişim anahtarlarını kabul etmiyor. Bu bilgisayarın IP adresi değişmiş olabilir (VPN, vekil sunucu, değişken çıkış adresi). Adresi sabitleyip yeniden deneyin.",
    en: "The marketplace refuses the access tokens that it has just given. Has this machine's IP address changed (VPN, proxy, changing exit address)? Keep to one address and try again.",
  };
  return new AuthError(localized.en, {
    endpoint: TOKEN_TARGET.name,
    phase: "none",
    status: 401,
    localized,
    redact: redactor.redact,
  });
}

function retryOptions(
  { options, closing }: CallerParts,
  { target, kind, signal, retries = options.retries }: Operation,
): RetryOptions {
  const { waitClock, patienceMs, random } = options;
  const isToken = kind === "token";
  const effect: CallEffect = isToken ? "token" : target.endpoint.effect;
  return {
    name: target.name,
    effect,
    retries: isToken ? Math.min(TOKEN_RETRIES, retries) : retries,
    clock: waitClock,
    patienceMs,
    random,
    signals: signal === undefined ? [closing] : [closing, signal],
  };
}

/**
 * Time of the answer's `Date` header in milliseconds since 1970; `undefined` where it is missing or
 * unreadable.
 */
function readServerTime(date: string | string[] | undefined): number | undefined {
  const times = Date.parse(Array.isArray(date) ? (date[0] ?? "") : (date ?? ""));
  return Number.isNaN(times) ? undefined : times;
}
