/** Ids that are stable over versions: they depend only on a kind and a path of names. */

import { hash } from "node:crypto";

const ID_LENGTH = 24;

/** Hashes a kind and a path of names to 24 lower-case hexadecimal digits. */
export function createHashedId(kind: string, ...path: readonly string[]): string {
  return hash("sha256", [kind, ...path].join("\n")).slice(0, ID_LENGTH);
}

/** A whole number from 0 up to, not including, `limit`, which depends only on the words. */
export function pickNumber(limit: number, ...words: readonly string[]): number {
  return Number.parseInt(createHashedId("pick", ...words).slice(0, 12), 16) % limit;
}

/** One of the items, which depends only on the words; the first word names the purpose. */
export function pickFrom<Item>(items: readonly Item[], ...words: readonly string[]): Item {
  const item = items[pickNumber(items.length, ...words)];
  if (item === undefined) throw new RangeError(`nothing to pick a ${words[0]} from`);
  return item;
}
