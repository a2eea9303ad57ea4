/** Ids that stay the same over versions: they depend on nothing but a kind and a path of names. */

import { hash } from "node:crypto";

const ID_LENGTH = 24;

/** 24 lower-case hex digits for a thing of one kind with this path of names. */
export function createHashedId(kind: string, ...path: readonly string[]): string {
  return hash("sha256", [kind, ...path].join("\n")).slice(0, ID_LENGTH);
}

/** A whole number from 0 up to, not including, `limit`, that depends only on the words. */
export function pickNumber(limit: number, ...words: readonly string[]): number {
  return Number.parseInt(createHashedId("pick", ...words).slice(0, 12), 16) % limit;
}

/** One of the items, which depends only on the words; the first word says what it is for. */
export function pickFrom<Item>(items: readonly Item[], ...words: readonly string[]): Item {
  const item = items[pickNumber(items.length, ...words)];
  if (item === undefined) throw new RangeError(`nothing to pick a ${words[0]} from`);
  return item;
}
