/** A token cache for tests: behaves as a stored one does, in memory. */

import { type CachedToken, type TokenCache } from "./token.ts";

/** A token cache that a test can look into. */
export interface MemoryTokenCache extends TokenCache {
  /** What is stored, by key. */
  readonly entries: ReadonlyMap<string, CachedToken>;
}

/** An empty token cache; each call makes one of its own. */
export function createMemoryTokenCache(): MemoryTokenCache {
  const entries = new Map<string, CachedToken>();
  return {
    entries,
    read: async (key) => entries.get(key),
    write: async (key, token) => void entries.set(key, { ...token }),
    forget: async (key) => void entries.delete(key),
  };
}
