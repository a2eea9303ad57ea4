/** A token cache for tests that behaves as a stored one does, in memory. */

import type { CachedToken, TokenCache } from "./token.ts";

/** A token cache whose entries a test can read. */
export interface MemoryTokenCache extends TokenCache {
  /** What is stored, by key. */
  readonly entries: ReadonlyMap<string, CachedToken>;
}

/** Creates an empty token cache that shares nothing with others. */
export function createMemoryTokenCache(): MemoryTokenCache {
  const entries = new Map<string, CachedToken>();
  return {
    entries,
    read: async (key) => entries.get(key),
    write: async (key, token) => void entries.set(key, { ...token }),
    forget: async (key) => void entries.delete(key),
  };
}
