/** Names and ids of the catalog: lists that are searched as the marketplace does, and ids made from names. */

import { hash } from "node:crypto";

/** Splits a list that is written as one text, separated by ", ". */
export function splitNames(list: string): readonly string[] {
  return list.split(", ");
}

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

/**
 * Folds case, accents and the dotted and dotless i, so that "IŞIK", "Işık" and "isik" are equal.
 */
export function foldName(text: string): string {
  // Without the two letters that Turkish folds differently, the faster general folding is right.
  return text.replaceAll(/[Iİı]/gu, "i").toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** Whether `text` contains `wanted` when both are folded; true for an empty `wanted`. */
export function containsName(text: string, wanted: string): boolean {
  // Most listings are read without a search, and folding thousands of names takes long.
  return wanted === "" || foldName(text).includes(foldName(wanted));
}
