/**
 * Provides the access token: from memory, else from the cache, else from the marketplace. A process
 * never acquires two at the same time, nor do several processes where the cache can lock.
 */

import type { Clock } from "@catalog/clock";
import { TOKEN_VALIDITY_MS } from "@catalog/contract";

import { untilAborted } from "./concurrency.ts";

/**
 * Assumed validity of a token whose `expires_at` is missing or implausible. Too short costs an
 * extra request at times; too long costs a refused call.
 */
export const UNKNOWN_VALIDITY_MS: number = 15 * 60 * 1000;

/** Below this a number counts seconds: as milliseconds it would lie before the year 1974. */
const MIN_MILLISECONDS = 1e11;

/** Time zones that a text without one can mean: UTC and Turkish time. */
const LIKELY_ZONES = ["Z", "+03:00"];

/** Maximum difference between a text's reading and the stated validity, for clocks that differ. */
const ZONE_TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Accepts ISO text, and seconds or milliseconds since 1970 as a number or as text. Text without a
 * time zone is taken only where UTC or Turkish time gives the validity that the specification
 * states (section Authentication, 3). The result is later than `now` and at most six hours later.
 */
export function parseTokenExpiry(expiresAt: unknown, now: number): number {
  const timestamp = toTimestampMs(expiresAt) ?? toStatedTimestampMs(expiresAt, now);
  if (timestamp === undefined || !(timestamp > now)) return now + UNKNOWN_VALIDITY_MS;
  return Math.min(timestamp, now + TOKEN_VALIDITY_MS);
}

function toTimestampMs(value: unknown): number | undefined {
  if (typeof value === "number") return value < MIN_MILLISECONDS ? value * 1000 : value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return toTimestampMs(Number(text));
  return /\d(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? Date.parse(text) : undefined;
}

/**
 * Reads a text without a time zone in the zone that gives the stated validity, because it is hours
 * off in any other.
 */
function toStatedTimestampMs(value: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  const stated = now + TOKEN_VALIDITY_MS;
  return LIKELY_ZONES.map((zone) => Date.parse(value.trim().replace(" ", "T") + zone)).find(
    (timestamp) => Math.abs(timestamp - stated) <= ZONE_TOLERANCE_MS,
  );
}

/** A token and the time until which it is valid, in milliseconds since 1970. */
export interface CachedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/**
 * Keeps tokens between processes. The key is a hash and reveals nothing; the token itself is a
 * secret.
 */
export interface TokenCache {
  /** The token that was written for the key, expired or not; `undefined` for none. */
  read(key: string): Promise<CachedToken | undefined>;
  /** Keeps a token in place of the one before. */
  write(key: string, token: CachedToken): Promise<void>;
  /** Removes the token of the key, where there is one. */
  forget(key: string): Promise<void>;
  /**
   * Runs `work` while no other process does so for the same key, where the cache is shared between
   * processes. `signal` ends the wait for the lock, not the work. When the cache cannot wait any
   * longer, it runs the work without the lock: one token too many does no harm.
   */
  exclusively?<Result>(
    key: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
}

/** A token cache of one process, whose entries can be read. */
export interface MemoryTokenCache extends TokenCache {
  /** What is stored, by key. */
  readonly entries: ReadonlyMap<string, CachedToken>;
}

/**
 * Creates an empty token cache that shares nothing with others: each process acquires a token of its
 * own. A program that starts often keeps its tokens in a {@link TokenCache} of a file or a database.
 */
export function createMemoryTokenCache(): MemoryTokenCache {
  const entries = new Map<string, CachedToken>();
  return {
    entries,
    read: async (key) => entries.get(key),
    write: async (key, token) => void entries.set(key, { ...token }),
    forget: async (key) => void entries.delete(key),
  };
}

/** A token is replaced this long before it expires, so that it does not expire during a call. */
export const TOKEN_MARGIN_MS: number = 5 * 60 * 1000;

/** Provides the access token of one client. */
export interface TokenSource {
  get(signal?: AbortSignal): Promise<string>;
  /** Records that the marketplace refused this token; it is not used again. */
  refuse(token: string): Promise<void>;
  /** Records that the marketplace accepted this token. */
  accept(token: string): void;
  /** Drops the token here and in the cache, so that the next one has to be acquired. */
  forget(): Promise<void>;
}

interface TokenSourceOptions {
  readonly key: string;
  readonly cache: TokenCache;
  readonly clock: Clock;
  /** Asks the marketplace for a new token. */
  readonly acquire: () => Promise<CachedToken>;
  /**
   * A token with less remaining life than this is replaced, however long its whole validity is.
   * @default 0
   */
  readonly minLifeMs?: number | undefined;
  /**
   * Makes the error that is thrown instead of asking for another token, after several new tokens
   * were refused in a row.
   */
  readonly tooManyRefused: () => Error;
  /** Called with each token before it is used. */
  readonly onToken: (token: string) => void;
  /** Ends the wait for other processes. */
  readonly closing?: AbortSignal | undefined;
}

interface UsableToken {
  readonly token: string;
  readonly usableUntilMs: number;
}

/** Creates a token source; acquires nothing before the first call. */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { key, cache, clock, closing } = options;
  const refusals = createRefusals(clock);
  let current: UsableToken | undefined;
  let refused: string | undefined;
  let renewal: Promise<string> | undefined;

  const takeCached = async (): Promise<string | undefined> => {
    const cached = await readCached(options);
    if (cached === undefined || cached.token === refused) return undefined;
    current = cached;
    return cached.token;
  };
  const acquireNew = async (): Promise<string> => {
    if (refusals.areTooMany()) throw options.tooManyRefused();
    current = await acquireInto(options);
    return current.token;
  };
  const renew = async (): Promise<string> => {
    const cached = await takeCached();
    if (cached !== undefined) return cached;
    if (cache.exclusively === undefined) return acquireNew();
    // The process that had the lock before may have stored a token.
    const work = async (): Promise<string> => (await takeCached()) ?? acquireNew();
    return cache.exclusively(key, work, closing);
  };

  return {
    async get(signal) {
      signal?.throwIfAborted();
      if (current !== undefined && clock.now() < current.usableUntilMs) return current.token;
      // All callers share the renewal, so the signal of one must not end it.
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return untilAborted(renewal, signal);
    },
    accept: () => refusals.forget(),
    async refuse(token) {
      if (token !== refused) refusals.note();
      refused = token;
      if (current?.token === token) current = undefined;
      // Another process may have put a newer token there.
      const cached = await cache.read(key);
      if (cached?.token === token) await cache.forget(key);
    },
    async forget() {
      current = undefined;
      await cache.forget(key);
    },
  };
}

/** The cached token, if a call can still use it. */
async function readCached(options: TokenSourceOptions): Promise<UsableToken | undefined> {
  const { key, cache, clock, onToken, minLifeMs = 0 } = options;
  const cached = await cache.read(key);
  if (cached === undefined) return undefined;
  onToken(cached.token);
  const usableUntilMs = cached.expiresAtMs - Math.max(TOKEN_MARGIN_MS, minLifeMs);
  return clock.now() < usableUntilMs ? { token: cached.token, usableUntilMs } : undefined;
}

/** Acquires a token and writes it into the cache. */
async function acquireInto(options: TokenSourceOptions): Promise<UsableToken> {
  const { key, cache, clock, acquire, onToken, minLifeMs = 0 } = options;
  const acquired = await acquire();
  onToken(acquired.token);
  const usableUntilMs = usableUntil(acquired, clock.now(), minLifeMs);
  await cache.write(key, acquired);
  return { token: acquired.token, usableUntilMs };
}

/**
 * The time until which a token is used. A token that lives hardly longer than the margin is used
 * for half its life, but not where a call could outlive it, unless every call could.
 */
function usableUntil({ expiresAtMs }: CachedToken, now: number, minLifeMs: number): number {
  const lifeMs = expiresAtMs - now;
  const marginMs = Math.min(TOKEN_MARGIN_MS, lifeMs / 2);
  const isLongEnough = lifeMs > minLifeMs;
  return expiresAtMs - (isLongEnough ? Math.max(marginMs, minLifeMs) : marginMs);
}

/**
 * Maximum number of tokens refused within an hour, with none accepted between them; after that no
 * more are requested.
 */
const MAX_REFUSED = 3;
const HOUR_MS = 3_600_000;

function createRefusals(clock: Pick<Clock, "now">): {
  note(): void;
  forget(): void;
  areTooMany(): boolean;
} {
  let times: readonly number[] = [];
  return {
    note() {
      times = [...times, clock.now()];
    },
    forget() {
      times = [];
    },
    areTooMany() {
      const now = clock.now();
      return times.filter((at) => Math.abs(now - at) < HOUR_MS).length >= MAX_REFUSED;
    },
  };
}
