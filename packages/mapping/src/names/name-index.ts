/**
 * Finds things by name in tiers: equal text, equal in lower case by the Turkish rules, equal name
 * key. A tier counts only with exactly one candidate; anything further is a suggestion.
 */

import { lowerTurkish, trimText } from "../fold.ts";
import { lazy } from "./lazy.ts";
import { nameKey } from "./name-key.ts";
import { createSuggester } from "./suggester.ts";

/** The result of looking up a text. */
export type Resolution<T> =
  | { readonly kind: "found"; readonly item: T }
  | { readonly kind: "ambiguous"; readonly candidates: readonly T[] }
  | { readonly kind: "unknown"; readonly suggestions: readonly T[] };

/** One result of a search for an id. */
export interface NameHit<T> {
  readonly item: T;
  /**
   * `exact`: found by the tiers that a cell goes through; `similar`: only a choice for a person.
   */
  readonly match: "exact" | "similar";
}

/** Finds the things of one list. */
export interface NameIndex<T> {
  /** An id, a name, or a name with the end of its id, such as `Bosch [a1f3]`. */
  resolve(text: string): Resolution<T>;
  /** All that `resolve` would consider, then similar names, at most `limit` in all. */
  search(text: string, limit: number): readonly NameHit<T>[];
  readonly items: readonly T[];
}

export interface NameIndexOptions<T> {
  readonly items: readonly T[];
  readonly id: (item: T) => string;
  readonly name: (item: T) => string;
  /** Form of an id; a text of this form is an id or unknown, never a name. */
  readonly idPattern: RegExp;
  /** Key of a name: equal for texts that are one name. @default `nameKey` */
  readonly keyOf?: ((name: string) => string) | undefined;
}

/**
 * Maximum number of results kept, which bounds the memory; a sheet rarely has more distinct names.
 */
export const MAX_REMEMBERED = 20_000;

const SUFFIX = /^(.*\S)\s*\[([0-9a-z]{4})\]$/iu;

/** Builds each tier of a list once, when the first text is looked up in it. */
export function createNameIndex<T>(options: NameIndexOptions<T>): NameIndex<T> {
  const { items, id, name, idPattern, keyOf = nameKey } = options;
  const byId = new Map(items.map((item) => [id(item), item]));
  const tiers = [exactKey, lowerTurkish, keyOf].map((key) => createTier(items, name, key));
  const suggest = createSuggester(items.map((item) => name(item)));
  const remembered = new Map<string, Resolution<T>>();

  const byName = (text: string, accepts: (item: T) => boolean): readonly T[] => {
    for (const tier of tiers) {
      const found = tier(text).filter((item) => accepts(item));
      if (found.length > 0) return found;
    }
    return [];
  };

  const bySuffix = (text: string): readonly T[] => {
    const [, bare = "", suffix] = SUFFIX.exec(trimText(text)) ?? [];
    if (suffix === undefined) return [];
    return byName(bare, (item) => id(item).toLowerCase().endsWith(suffix.toLowerCase()));
  };

  const find = (text: string): Resolution<T> => {
    const wanted = trimText(text);
    const item = byId.get(wanted) ?? byId.get(wanted.toLowerCase());
    if (item !== undefined) return { kind: "found", item };
    if (idPattern.test(wanted)) return { kind: "unknown", suggestions: [] };
    const named = byName(wanted, () => true);
    const found = named.length > 0 ? named : bySuffix(wanted);
    const [first] = found;
    if (first !== undefined && found.length === 1) return { kind: "found", item: first };
    if (found.length > 1) return { kind: "ambiguous", candidates: found };
    const suggestions = suggest(wanted).flatMap((position) => items[position] ?? []);
    return { kind: "unknown", suggestions };
  };

  return {
    items,
    search(text, limit) {
      const exact = exactItems(find(text));
      const similar = suggest(text, limit).flatMap((position) => items[position] ?? []);
      return toHits({ exact, similar, limit });
    },
    resolve(text) {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const resolution = find(text);
      remembered.set(text, resolution);
      return resolution;
    },
  };
}

/** Returns the things whose names have the key of a text. */
function createTier<T>(
  items: readonly T[],
  name: (item: T) => string,
  keyOf: (name: string) => string,
): (text: string) => readonly T[] {
  const byKey = lazy(() => Map.groupBy(items, (item) => keyOf(name(item))));
  return (text) => byKey().get(keyOf(text)) ?? [];
}

/** The things that a text names exactly, one or several; empty where there are only suggestions. */
export function exactItems<T>(resolution: Resolution<T>): readonly T[] {
  if (resolution.kind === "found") return [resolution.item];
  return resolution.kind === "ambiguous" ? resolution.candidates : [];
}

/** Each thing once, exact matches first. */
export function toHits<T>(found: {
  readonly exact: readonly T[];
  readonly similar: readonly T[];
  readonly limit: number;
}): readonly NameHit<T>[] {
  const exact = new Set(found.exact);
  const all = new Set([...exact, ...found.similar]);
  const hits = [...all].map((item): NameHit<T> => ({
    item,
    match: exact.has(item) ? "exact" : "similar",
  }));
  return hits.slice(0, found.limit);
}

const exactKey = (text: string): string => trimText(text).normalize("NFC").replaceAll(/\s+/gu, " ");
