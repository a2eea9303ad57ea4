/** Finds categories by id, by external id, by path, or by a name that only one leaf has. */

import type { Category } from "@catalog/contract";

import {
  buildCategoryTree,
  type CategoryNode,
  createPathKey,
  type PathKey,
  pathKey,
  splitPath,
  splitPathAtSlashes,
  trimPath,
} from "./category-tree.ts";
import {
  createNameIndex,
  lazy,
  MAX_REMEMBERED,
  type NameHit,
  type Resolution,
  toHits,
} from "./name-index.ts";
import {
  joinedPathNameKey,
  joinSigns,
  pathNameKey,
  splitPaths,
  toOwnSeparators,
  toStrictPath,
} from "./name-key.ts";
import { createSuggester, MAX_SUGGESTIONS, rankLiteral, type SuggestedName } from "./suggester.ts";

/** A category was found, but it has children. */
interface NotLeaf {
  readonly kind: "not-leaf";
  readonly node: CategoryNode;
}

/** Looks up categories by id, by external id, by path, or by a name that only one leaf has. */
export interface CategoryIndex {
  /** An id, an external id, a path, or a name that only one leaf has. */
  resolve(text: string): Resolution<CategoryNode> | NotLeaf;
  /**
   * All that `resolve` would consider, then categories that have the text in their name, then those
   * that are close by name or by the words of their path, at most `limit` in all. Categories with children are included.
   */
  search(text: string, limit: number): readonly NameHit<CategoryNode>[];
  readonly items: readonly CategoryNode[];
}

const DIGITS = /^\d+$/u;
const HAS_SEPARATOR = /[>»/]/u;

/** Builds the tree and its indexes once. */
export function createCategoryIndex(
  categories: readonly Category[],
  idPattern: RegExp,
): CategoryIndex {
  const keyOf = createPathKey();
  const nodes = buildCategoryTree(categories, keyOf);
  const leaves = nodes.filter((node) => node.children.length === 0);
  const find = createFinder(nodes, leaves, { keyOf, idPattern });
  const suggest = createSuggester(leaves.map(toSuggested));
  const names = nodes.map(toSuggested);
  const suggestAny = createSuggester(names);
  const remembered = new Map<string, Resolution<CategoryNode> | NotLeaf>();

  const look = (text: string): Resolution<CategoryNode> | NotLeaf => {
    const found = find(text);
    const [first] = found;
    if (first !== undefined && found.length === 1) {
      return first.children.length > 0
        ? { kind: "not-leaf", node: first }
        : { kind: "found", item: first };
    }
    if (found.length > 1) return { kind: "ambiguous", candidates: found };
    if (idPattern.test(trimPath(text))) return { kind: "unknown", suggestions: [] };
    const listed = findListed(text, find);
    const close = suggest(splitPath(toOwnSeparators(text))).flatMap((at) => leaves[at] ?? []);
    return {
      kind: "unknown",
      suggestions: [...new Set([...listed, ...close])].slice(0, MAX_SUGGESTIONS),
    };
  };

  return {
    items: nodes,
    search(text, limit) {
      const parts = splitPath(toOwnSeparators(text));
      const ranked = rankLiteral(parts.join(" "), names, suggestAny(parts, limit));
      const similar = ranked.flatMap((at) => nodes[at] ?? []);
      return toHits({ exact: find(text), similar, limit });
    },
    resolve(text) {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const resolution = look(text);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(text, resolution);
      return resolution;
    },
  };
}

const toSuggested = ({ parts }: CategoryNode): SuggestedName => ({
  name: parts.at(-1) ?? "",
  above: parts.slice(0, -1),
});

/** The categories that a text names; several where it is not clear which one. */
type FindCategories = (text: string) => readonly CategoryNode[];

interface FinderKeys {
  readonly keyOf: PathKey;
  readonly idPattern: RegExp;
}

/** Finds by external id, by path, then by name; a text is read as another platform writes it last. */
function createFinder(
  nodes: readonly CategoryNode[],
  leaves: readonly CategoryNode[],
  { keyOf, idPattern }: FinderKeys,
): FindCategories {
  const byExternalId = Map.groupBy(nodes, (node) => node.category.external_id ?? "");
  const byPath = createPathLookup(nodes, { ofNode: keyOf, ofText: pathKey });
  const byJoinedPath = createPathLookup(nodes, { ofNode: joinedPathKey, ofText: joinedPathKey });
  const names = [nameIndex(leaves, idPattern), nameIndex(nodes, idPattern)];
  const byText = (text: string): readonly CategoryNode[] => {
    const exact = DIGITS.test(text) ? (byExternalId.get(text) ?? []) : byPath(text);
    if (exact.length > 0) return exact;
    const named = names.map((index) => index.find(text)).find(({ length }) => length > 0);
    return named ?? byJoinedPath(text);
  };
  return (text) => {
    const own = trimPath(text);
    const found = byText(own);
    if (found.length > 0) return found;
    const foreign = trimPath(toOwnSeparators(text));
    const other = foreign === own ? [] : byText(foreign);
    if (other.length > 0) return other;
    const strict = trimPath(toStrictPath(text));
    return strict === foreign ? [] : byPath(strict);
  };
}

/** The lowest categories of a list of several paths, of which a person chooses one. */
function findListed(text: string, find: FindCategories): readonly CategoryNode[] {
  const paths = splitPaths(text);
  if (paths.length < 2) return [];
  return paths.flatMap((path) => find(path)).filter(({ children }) => children.length === 0);
}

interface PathKeys {
  readonly ofNode: PathKey;
  /** The same key of a text, which is not kept. */
  readonly ofText: PathKey;
}

/** Returns the categories that have a path, none for a text without a separator. */
function createPathLookup(
  nodes: readonly CategoryNode[],
  { ofNode, ofText }: PathKeys,
): FindCategories {
  const byPath = lazy(() => Map.groupBy(nodes, (node) => ofNode(node.parts)));
  // The loosest key: separators are blanks. It finds "Ev/Mutfak/Kaşık", where a slash may be part
  // of a name.
  const byFlatPath = lazy(() => Map.groupBy(nodes, (node) => flatten(ofNode(node.parts))));
  return (text) => {
    if (!HAS_SEPARATOR.test(text)) return [];
    const found = byPath().get(ofText(splitPath(text)));
    return found ?? byFlatPath().get(flatten(ofText(splitPathAtSlashes(text)))) ?? [];
  };
}

const joinedPathKey: PathKey = (parts) => parts.map((part) => joinedPathNameKey(part)).join(">");

const flatten = (key: string): string => joinSigns(key.replaceAll(">", " "));

const nameIndex = (nodes: readonly CategoryNode[], idPattern: RegExp) =>
  createNameIndex({
    items: nodes,
    id: (node) => node.category.id,
    name: (node) => node.category.name,
    idPattern,
    keyOf: pathNameKey,
    looseKeyOf: joinedPathNameKey,
  });
