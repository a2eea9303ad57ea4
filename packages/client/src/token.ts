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
  /** Drops the token here and in the cache, so that the next one has to be acquired. */
  forget(): Promise<void>;
}

export interface TokenSourceOptions {
  readonly key: string;
  readonly cache: TokenCache;
  readonly clock: Clock;
  /** Asks the marketplace for a new token. */
  readonly acquire: () => Promise<CachedToken>;
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
  const { key, cache, clock, acquire, onToken, closing } = options;
  let current: UsableToken | undefined;
  let refused: string | undefined;
  let renewal: Promise<string> | undefined;

  const takeCached = async (): Promise<string | undefined> => {
    const cached = await cache.read(key);
    if (cached === undefined) return undefined;
    onToken(cached.token);
    if (cached.token === refused || !isFresh(cached, clock.now())) return undefined;
    current = { token: cached.token, usableUntilMs: cached.expiresAtMs - TOKEN_MARGIN_MS };
    return cached.token;
  };
  const acquireNew = async (): Promise<string> => {
    const acquired = await acquire();
    onToken(acquired.token);
    current = { token: acquired.token, usableUntilMs: usableUntil(acquired, clock.now()) };
    await cache.write(key, acquired);
    return acquired.token;
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
    async refuse(token) {
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

function isFresh(cached: CachedToken, now: number): boolean {
  return now < cached.expiresAtMs - TOKEN_MARGIN_MS;
}

/** A token that lives hardly longer than the margin is used for half its life, not for no time. */
function usableUntil(acquired: CachedToken, now: number): number {
  const marginMs = Math.min(TOKEN_MARGIN_MS, (acquired.expiresAtMs - now) / 2);
  return acquired.expiresAtMs - marginMs;
}
