/**
 * Finds things by name in tiers: equal text, equal in lower case by the Turkish rules, equal name
 * key. A tier counts only with exactly one candidate; anything further is a suggestion.
 */

import { lowerTurkish, trimText } from "../text-keys.ts";
import { nameKey } from "./name-key.ts";
import { createSuggester, findNearestName, rankLiteral } from "./suggester.ts";

/** Creates the value at the first call and returns the same value from then on. */
export function lazy<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}

/** The result of looking up a text. */
export type Resolution<T> =
  | { readonly kind: "found"; readonly item: T }
  | { readonly kind: "ambiguous"; readonly candidates: readonly T[] }
  | {
      readonly kind: "unknown";
      readonly suggestions: readonly T[];
      /**
       * The name that the text is but for a slip, if there is one.
       *
       * @default no names are compared
       */
      readonly nearest?: () => string | undefined;
    };

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
  /** The things that a text names; several where it is not clear which one, none without a match. */
  find(text: string): readonly T[];
  /**
   * All that `resolve` would consider, then names that have the text as a word, at the beginning of
   * one or within, then similar names, at most `limit` in all.
   */
  search(text: string, limit: number): readonly NameHit<T>[];
  readonly items: readonly T[];
  /** A label for each thing, by which it is found again. */
  labels(): readonly NameChoice[];
  /** The first of name, name with the end of the id, and id that names this thing alone. */
  textOf(item: T): string | undefined;
}

/** An entry of a list. The labels of one list differ. */
export interface NameChoice<Id extends string = string> {
  readonly label: string;
  readonly id: Id;
}

/** A name, with the end of its id where the name is not unique; a reader of names removes it. */
export function labelOf(name: string, id: string, isUnique: boolean): string {
  return isUnique ? name : `${name} [${id.slice(-4)}]`;
}

/** The labels of things by their names, sorted for Turkish. */
export function labelNames<Id extends string>(
  items: readonly { readonly id: Id; readonly name: string }[],
): readonly NameChoice<Id>[] {
  const twins = Map.groupBy(items, ({ name }) => name);
  return sortLabels(
    items.map(({ id, name }) => ({ id, label: labelOf(name, id, twins.get(name)?.length === 1) })),
  );
}

/** Sorts a list for Turkish, numbers by their size. */
export const sortLabels = <Id extends string>(
  choices: readonly NameChoice<Id>[],
): readonly NameChoice<Id>[] => choices.toSorted((a, b) => BY_LABEL.compare(a.label, b.label));

const BY_LABEL = new Intl.Collator("tr", { numeric: true });

/**
 * Assumed form of an id; the specification says only that it is an identifier string (section What
 * the service does, Conventions 5).
 */
export const DEFAULT_ID_PATTERN: RegExp = /^[0-9a-f]{24}$/iu;

interface NameIndexOptions<T> {
  readonly items: readonly T[];
  readonly id: (item: T) => string;
  readonly name: (item: T) => string;
  /**
   * Form of an id; a text of this form is an id or unknown, never a name.
   * @default `DEFAULT_ID_PATTERN`
   */
  readonly idPattern?: RegExp | undefined;
  /** Key of a name: equal for texts that are one name. @default `nameKey` */
  readonly keyOf?: ((name: string) => string) | undefined;
  /** A looser key, which counts where no name has the other keys. @default none */
  readonly looseKeyOf?: ((name: string) => string) | undefined;
  /** Other ways to read a text that names nothing. @default none */
  readonly readingsOf?: ((text: string) => readonly string[]) | undefined;
}

/**
 * Maximum number of results kept, which bounds the memory; a sheet rarely has more distinct names.
 */
export const MAX_REMEMBERED = 20_000;

/** Whether a text is a name with the end of its id. */
export const hasIdSuffix = (text: string): boolean => SUFFIX.test(text);

const SUFFIX = /^(.*\S)\s*\[([0-9a-z]{4})\]$/iu;

/** Builds each tier of a list once, when the first text is looked up in it. */
export function createNameIndex<T>(options: NameIndexOptions<T>): NameIndex<T> {
  const { items, id, name, idPattern = DEFAULT_ID_PATTERN } = options;
  const find = createFinder(options);
  const names = items.map((item) => ({ name: name(item) }));
  const suggest = createSuggester(names);
  const remembered = new Map<string, Resolution<T>>();

  const look = (text: string): Resolution<T> => {
    const found = find(text);
    const [first] = found;
    if (first !== undefined && found.length === 1) return { kind: "found", item: first };
    if (found.length > 1) return { kind: "ambiguous", candidates: found };
    const wanted = trimText(text);
    const close = idPattern.test(wanted) ? [] : suggest([wanted]);
    const suggestions = close.flatMap((position) => items[position] ?? []);
    const nearest = lazy(() =>
      findNearestName(
        text,
        suggestions.map((item) => name(item)),
        { isPath: false },
      ),
    );
    return { kind: "unknown", suggestions, nearest };
  };

  return {
    items,
    find,
    labels: () => labelNames(items.map((item) => ({ id: id(item), name: name(item) }))),
    textOf(item) {
      const texts = [name(item), labelOf(name(item), id(item), false), id(item)];
      return texts.find((text) => {
        const found = find(text);
        return found.length === 1 && found[0] === item;
      });
    },
    search(text, limit) {
      const ranked = rankLiteral(text, names, suggest([text], limit));
      const similar = ranked.flatMap((position) => items[position] ?? []);
      return toHits({ exact: find(text), similar, limit });
    },
    resolve(text) {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const resolution = look(text);
      remembered.set(text, resolution);
      return resolution;
    },
  };
}

/** Finds by id, by the first tier that knows the name, then by the name with the end of an id. */
function createFinder<T>({
  items,
  id,
  name,
  idPattern = DEFAULT_ID_PATTERN,
  keyOf = nameKey,
  looseKeyOf,
  readingsOf = () => [],
}: NameIndexOptions<T>): (text: string) => readonly T[] {
  const byId = new Map(items.map((item) => [id(item), item]));
  const keys = [exactKey, lowerTurkish, keyOf, ...(looseKeyOf === undefined ? [] : [looseKeyOf])];
  const tiers = keys.map((key) => createTier(items, name, key));

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

  return (text) => {
    const wanted = trimText(text);
    const item = byId.get(wanted) ?? byId.get(wanted.toLowerCase());
    if (item !== undefined) return [item];
    if (idPattern.test(wanted)) return [];
    for (const reading of [wanted, ...readingsOf(wanted)]) {
      const named = byName(reading, () => true);
      if (named.length > 0) return named;
    }
    return bySuffix(wanted);
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
