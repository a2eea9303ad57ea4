import type { ImageCheckCache } from "../../src/index.ts";

/** Stores values as JSON, as a database would. */
export function createCheckCache(): ImageCheckCache {
  const memos = new Map<string, string>();
  return {
    read: (key) => {
      const memo = memos.get(key);
      return Promise.resolve(memo === undefined ? undefined : JSON.parse(memo));
    },
    write: (key, memo) => {
      memos.set(key, JSON.stringify(memo));
      return Promise.resolve();
    },
  };
}
