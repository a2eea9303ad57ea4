import { type PictureMemory } from "../../src/index.ts";

/** Stores values as JSON, as a database would. */
export function createMemory(): PictureMemory {
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
