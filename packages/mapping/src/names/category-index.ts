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
import { lazy } from "./lazy.ts";
import {
  createNameIndex,
  exactItems,
  MAX_REMEMBERED,
  type NameHit,
  type Resolution,
  toHits,
} from "./name-index.ts";
import { joinSigns, pathNameKey } from "./name-key.ts";
import { createSuggester } from "./suggester.ts";

/** A category was found, but it has children. */
export interface NotLeaf {
  readonly kind: "not-leaf";
  readonly node: CategoryNode;
}

/** Looks up categories by id, by external id, by path, or by a name that only one leaf has. */
export interface CategoryIndex {
  resolve(text: string): Resolution<CategoryNode> | NotLeaf;
  /**
   * All that `resolve` would consider, then categories that are close by name or by the words of
   * their path, at most `limit` in all. Categories with children are included.
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
  const byExternalId = Map.groupBy(nodes, (node) => node.category.external_id ?? "");
  const byPath = createPathLookup(nodes, keyOf);
  const leaves = nodes.filter((node) => node.children.length === 0);
  const leafNames = nameIndex(leaves, idPattern);
  const allNames = nameIndex(nodes, idPattern);

  const remembered = new Map<string, Resolution<CategoryNode> | NotLeaf>();

  const find = (text: string): Resolution<CategoryNode> => {
    const exact = DIGITS.test(text) ? (byExternalId.get(text) ?? []) : byPath(text);
    const [first] = exact;
    if (first !== undefined && exact.length === 1) return { kind: "found", item: first };
    if (exact.length > 1) return { kind: "ambiguous", candidates: exact };
    const named = leafNames.resolve(text);
    if (named.kind !== "unknown") return named;
    const above = allNames.resolve(text);
    if (above.kind !== "unknown") return above;
    const last = splitPath(text).at(-1) ?? text;
    return last === text ? named : asSuggestion(leafNames.resolve(last));
  };

  const suggestPath = createSuggester(nodes.map((node) => node.parts.join(" ")));

  return {
    items: nodes,
    search(text, limit) {
      const named = allNames.search(text, limit).map(({ item }) => item);
      const byWords = suggestPath(text, limit).flatMap((position) => nodes[position] ?? []);
      const exact = exactItems(find(trimPath(text)));
      return toHits({ exact, similar: [...named, ...byWords], limit });
    },
    resolve(text) {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const resolution = find(trimPath(text));
      const isAbove = resolution.kind === "found" && resolution.item.children.length > 0;
      const found = isAbove ? { kind: "not-leaf" as const, node: resolution.item } : resolution;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(text, found);
      return found;
    },
  };
}

/** Returns the categories that have a path, none for a text without a separator. */
function createPathLookup(
  nodes: readonly CategoryNode[],
  keyOf: PathKey,
): (text: string) => readonly CategoryNode[] {
  const byPath = lazy(() => Map.groupBy(nodes, (node) => keyOf(node.parts)));
  // The loosest key: separators are blanks. It finds "Ev/Mutfak/Kaşık", where a slash may be part
  // of a name.
  const byFlatPath = lazy(() => Map.groupBy(nodes, (node) => flatten(keyOf(node.parts))));
  return (text) => {
    if (!HAS_SEPARATOR.test(text)) return [];
    const found = byPath().get(pathKey(splitPath(text)));
    return found ?? byFlatPath().get(flatten(pathKey(splitPathAtSlashes(text)))) ?? [];
  };
}

const flatten = (key: string): string => joinSigns(key.replaceAll(">", " "));

const nameIndex = (nodes: readonly CategoryNode[], idPattern: RegExp) =>
  createNameIndex({
    items: nodes,
    id: (node) => node.category.id,
    name: (node) => node.category.name,
    idPattern,
    keyOf: pathNameKey,
  });

/**
 * Turns a match of the end of a wrong path into a suggestion, because the path was written
 * differently.
 */
function asSuggestion(resolution: Resolution<CategoryNode>): Resolution<CategoryNode> {
  if (resolution.kind === "unknown") return resolution;
  const found = resolution.kind === "found" ? [resolution.item] : resolution.candidates;
  return { kind: "unknown", suggestions: found.slice(0, 3) };
}
