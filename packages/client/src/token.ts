/**
 * Holds the access token: from memory, else from the cache, else acquired, and never acquired twice
 * at the same time: by one process at all, nor by several where the cache can keep them apart.
 */

import { type Clock } from "@catalog/clock";

import { untilAborted } from "./gate.ts";

/** A token and the moment, in milliseconds since 1970, until which it is valid. */
export interface CachedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/**
 * Keeps tokens between processes. The key is a hash of the address and the client key, so it tells
 * nothing; the token itself is a secret.
 */
export interface TokenCache {
  read(key: string): Promise<CachedToken | undefined>;
  write(key: string, token: CachedToken): Promise<void>;
  forget(key: string): Promise<void>;
  /**
   * Runs `work` while no other process does so for the same key, where the cache is shared between
   * processes. `signal` ends the wait for one's turn, not the work. A cache that can wait no longer
   * runs the work all the same: a token too many is better than none.
   */
  exclusively?<Result>(
    key: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
}

/** A token is replaced this long before it expires, so that no call meets its end on the way. */
export const TOKEN_MARGIN_MS: number = 5 * 60 * 1000;

export interface TokenSource {
  get(signal?: AbortSignal): Promise<string>;
  /** Says that the marketplace did not accept this token: nobody gets it again. */
  refuse(token: string): Promise<void>;
  /** Says that the marketplace accepted this token. */
  accept(token: string): void;
  /** Drops the token here and in the cache, so that the next one has to be acquired. */
  forget(): Promise<void>;
}

export interface TokenSourceOptions {
  readonly key: string;
  readonly cache: TokenCache;
  readonly clock: Clock;
  /** Asks the marketplace for a new token. */
  readonly acquire: () => Promise<CachedToken>;
  /** A token is replaced while it still has this long to live, whatever its whole life. @default 0 */
  readonly leastLifeMs?: number | undefined;
  /** What is thrown instead of asking for one more token, when new tokens are refused in a row. */
  readonly tooManyRefused: () => Error;
  /** Told of each token before it is used. */
  readonly onToken: (token: string) => void;
  /** Ends the wait for other processes. */
  readonly closing?: AbortSignal | undefined;
}

interface UsableToken {
  readonly token: string;
  readonly usableUntilMs: number;
}

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
    // Whoever waited for its turn finds the token of the one before it.
    const work = async (): Promise<string> => (await takeCached()) ?? acquireNew();
    return cache.exclusively(key, work, closing);
  };

  return {
    async get(signal) {
      signal?.throwIfAborted();
      if (current !== undefined && clock.now() < current.usableUntilMs) return current.token;
      // Shared by all callers, so no single caller's signal may end it.
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

/** The cached token, if it is still good for a call. */
async function readCached(options: TokenSourceOptions): Promise<UsableToken | undefined> {
  const { key, cache, clock, onToken, leastLifeMs = 0 } = options;
  const cached = await cache.read(key);
  if (cached === undefined) return undefined;
  onToken(cached.token);
  const usableUntilMs = cached.expiresAtMs - Math.max(TOKEN_MARGIN_MS, leastLifeMs);
  return clock.now() < usableUntilMs ? { token: cached.token, usableUntilMs } : undefined;
}

/** Acquires a token and writes it into the cache. */
async function acquireInto(options: TokenSourceOptions): Promise<UsableToken> {
  const { key, cache, clock, acquire, onToken, leastLifeMs = 0 } = options;
  const acquired = await acquire();
  onToken(acquired.token);
  const usableUntilMs = usableUntil(acquired, clock.now(), leastLifeMs);
  await cache.write(key, acquired);
  return { token: acquired.token, usableUntilMs };
}

/**
 * A token that lives hardly longer than the margin is used for half its life, not for no time; but
 * not for a call that it may not outlive, unless it could not outlive any.
 */
function usableUntil({ expiresAtMs }: CachedToken, now: number, leastLifeMs: number): number {
  const lifeMs = expiresAtMs - now;
  const marginMs = Math.min(TOKEN_MARGIN_MS, lifeMs / 2);
  const isLongEnough = lifeMs > leastLifeMs;
  return expiresAtMs - (isLongEnough ? Math.max(marginMs, leastLifeMs) : marginMs);
}

/** Refused tokens in an hour, none accepted between them, after which no more are asked for. */
const MOST_REFUSED = 3;
const HOUR_MS = 3_600_000;

function createRefusals(clock: Pick<Clock, "now">): {
  note(): void;
  forget(): void;
  areTooMany(): boolean;
} {
  let moments: readonly number[] = [];
  return {
    note() {
      moments = [...moments, clock.now()];
    },
    forget() {
      moments = [];
    },
    areTooMany() {
      const now = clock.now();
      return moments.filter((at) => Math.abs(now - at) < HOUR_MS).length >= MOST_REFUSED;
    },
  };
}
