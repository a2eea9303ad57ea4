/** The options of a client, checked before anything is sent. */

import { createHash, randomInt } from "node:crypto";

import { type Clock, systemClock } from "@catalog/clock";
import type { Id } from "@catalog/contract";

import { parseBaseUrl } from "./base-url.ts";
import type { AutoConcurrency } from "./concurrency.ts";
import { SettingsError } from "./errors.ts";
import type { Versions } from "./http/request.ts";
import type { WirePhase } from "./http/wire-phase.ts";
import { canonicalAddress } from "./market-address.ts";
import type { ListingTotals } from "./paging.ts";
import type { TokenCache } from "./token.ts";

/** The two values that the platform issues once per application (section Authentication, 2). */
export interface Credentials {
  readonly clientKey: string;
  readonly clientSecret: string;
}

/** What a request was for: a token, something to read, or something to change. */
export type CallKind = "token" | "read" | "write";

/** One request that was attempted. Holds no input, no answer and no secret. */
export interface CallRecord {
  /** Name of the call, such as `product.add`. */
  readonly endpoint: string;
  readonly kind: CallKind;
  /** Counted from 1 within one call, retries included. */
  readonly attempt: number;
  readonly status: number | undefined;
  readonly phase: WirePhase;
  /** Whether this side ended the exchange, as its answer was not needed any more. @default false */
  readonly isAborted?: boolean | undefined;
  readonly durationMs: number;
  /** How long the marketplace asked to wait, in milliseconds; `undefined` where it did not. */
  readonly retryAfterMs: number | undefined;
  /** The answer's `Date`, in milliseconds since 1970; the marketplace's own time. */
  readonly serverTimeMs?: number | undefined;
}

/** A part of a listing that is outside the contract, without which the listing was read. */
export interface OmittedField {
  /** Name of the call, such as `product.list`. */
  readonly endpoint: string;
  /** `total`, or a field of an element. */
  readonly field: string;
}

/** Settings of a client. */
export interface ClientOptions {
  /** https, or http where the host is this machine. A path before the version prefix is kept. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly storeId: Id<"store">;
  readonly tokens: TokenCache;
  /** @default the machine's own time */
  readonly clock?: Clock;
  /**
   * Maximum number of concurrent calls; limits that follow the marketplace's answers where it is
   * not a number. @default found out, beginning with 4
   */
  readonly concurrency?: number | AutoConcurrency;
  /** Time limit of one attempt, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Further attempts of a call that only reads, and at most 2 of a login. @default 4 */
  readonly retries?: number;
  /** Version prefix by resource. @default the first one that the contract names */
  readonly versions?: Versions;
  /** Clock of the waits between attempts. @default the clock */
  readonly waitClock?: Clock | undefined;
  /**
   * A call that would wait longer than this, in milliseconds, before its next attempt fails.
   * @default unlimited
   */
  readonly patienceMs?: number | undefined;
  /**
   * Returns a number from 0 up to, not including, 1; spreads retries. @default the machine's random
   * source
   */
  readonly random?: () => number;
  /**
   * Waits for a slot in the rate limit before each request, retries and token requests included.
   * @default no wait
   */
  readonly pace?: (signal?: AbortSignal) => Promise<void>;
  /**
   * What is known of the totals of a listing, such as `product.list`; kept by the caller for later
   * clients. @default nothing is known
   */
  readonly totalsOf?: (name: string) => ListingTotals;
  /** Called after every request, retries and token requests included. Must not throw. */
  readonly onCall?: (call: CallRecord) => void;
  /** Called for each answer that was read with a part left out. Must not throw. */
  readonly onLeftOut?: (left: OmittedField) => void;
}

/** The options with their defaults, checked. */
export interface ResolvedClientOptions {
  readonly baseUrl: URL;
  /** Key of this application's token in the cache. */
  readonly tokenKey: string;
  readonly credentials: Credentials;
  readonly storeId: Id<"store">;
  readonly tokens: TokenCache;
  readonly clock: Clock;
  readonly concurrency: number | AutoConcurrency;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly waitClock: Clock;
  readonly patienceMs: number | undefined;
  readonly versions: Versions;
  readonly random: () => number;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  readonly totalsOf: (name: string) => ListingTotals;
  readonly onCall: (call: CallRecord) => void;
  readonly onLeftOut: ClientOptions["onLeftOut"] | undefined;
}

const RANDOM_STEPS = 2 ** 32;

/** Fills in the defaults; throws a `SettingsError` that names the value that it refuses. */
export function resolveOptions(options: ClientOptions): ResolvedClientOptions {
  const { credentials, storeId } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  assertFilled("clientKey", credentials.clientKey);
  assertFilled("clientSecret", credentials.clientSecret);
  assertFilled("storeId", storeId);
  const {
    versions = {},
    clock = systemClock,
    concurrency = {},
    timeoutMs = 60_000,
    retries = 4,
    random = () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
  } = options;
  if (typeof concurrency === "number") assertWhole("concurrency", concurrency, 1);
  assertDuration("timeoutMs", timeoutMs);
  assertWhole("retries", retries, 0);
  const tokenKey = toTokenKey(baseUrl, credentials);
  const { waitClock = clock, patienceMs, onLeftOut } = options;
  const given = { credentials, storeId, tokens: options.tokens, waitClock, patienceMs, onLeftOut };
  const tuned = {
    ...withHooks(options),
    versions,
    clock,
    concurrency,
    timeoutMs,
    retries,
    random,
  };
  return { baseUrl, tokenKey, ...given, ...tuned };
}

function withHooks({
  pace = async () => undefined,
  onCall = () => undefined,
  totalsOf = () => ({ areProven: false }),
}: ClientOptions): Pick<ResolvedClientOptions, "pace" | "onCall" | "totalsOf"> {
  return { pace, onCall, totalsOf };
}

/**
 * Key of a token: a hash of the address and the whole pair, so that another secret needs its own
 * login.
 */
function toTokenKey(baseUrl: URL, { clientKey, clientSecret }: Credentials): string {
  const parts = JSON.stringify([canonicalAddress(baseUrl.href), clientKey, clientSecret]);
  return createHash("sha256").update(parts).digest("hex");
}

function assertFilled(name: string, value: string): void {
  if (value.trim() === "") {
    throw new SettingsError({ tr: `${name} boş olamaz.`, en: `${name} must not be empty.` });
  }
}

function assertDuration(name: string, ms: number): void {
  if (Number.isFinite(ms) && ms >= 1) return;
  throw new SettingsError({
    tr: `${name} en az 1 milisaniye olmalı; verilen: ${ms}.`,
    en: `${name} must be at least 1 millisecond, got ${ms}.`,
  });
}

function assertWhole(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new SettingsError({
    tr: `${name} en az ${min} olan bir tam sayı olmalı; verilen: ${value}.`,
    en: `${name} must be a whole number from ${min} up, got ${value}.`,
  });
}
