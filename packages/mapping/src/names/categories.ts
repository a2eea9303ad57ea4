/** Finds categories by id, by external id, by path, or by a name that only one leaf has. */

import type { Category } from "@catalog/contract";

import { createCategoryFinder } from "./category-finder.ts";
import {
  createNameIndex,
  DEFAULT_ID_PATTERN,
  lazy,
  MAX_REMEMBERED,
  type NameHit,
  type Resolution,
  toHits,
  labelOf,
  type NameChoice,
  sortLabels,
} from "./name-index.ts";
import {
  createPathKey,
  joinedPathNameKey,
  joinSigns,
  type PathKey,
  pathKey,
  pathNameKey,
  splitPath,
  splitPathAtSlashes,
  splitPaths,
  toOwnSeparators,
  toStrictPath,
  trimPath,
} from "./name-key.ts";
import { MAX_SUGGESTIONS, rankLiteral, type SuggestedName } from "./suggester.ts";

/** A category with its position in the tree, as far as the listing shows it. */
export interface CategoryNode {
  readonly category: Category;
  /** Names from the root down to the category itself. */
  readonly parts: readonly string[];
  /** The same names as messages show them: `Ev > Mutfak > Kaşık`. */
  readonly path: string;
  /** Direct children; empty for a leaf, and where the listing does not show them. */
  readonly children: readonly CategoryNode[];
}

interface GrowingNode extends CategoryNode {
  readonly children: GrowingNode[];
}

/**
 * Builds the tree: by the parent that a category names, else by its path. A category that is named
 * as parent by no other is taken for a leaf.
 */
export function buildCategoryTree(
  categories: readonly Category[],
  keyOf: PathKey = createPathKey(),
): readonly CategoryNode[] {
  const byId = new Map(categories.map((category) => [String(category.id), category]));
  const nodes = categories.map((category): GrowingNode => {
    const parts = partsOf(category, byId, keyOf);
    return { category, parts, path: parts.join(" > "), children: [] };
  });
  const nodeById = new Map(nodes.map((node) => [String(node.category.id), node]));
  const nodeByPath = new Map(nodes.map((node) => [keyOf(node.parts), node]));
  for (const node of nodes) {
    const parent = parentId(node.category);
    const above =
      (parent === undefined ? undefined : nodeById.get(parent)) ??
      nodeByPath.get(keyOf(node.parts.slice(0, -1)));
    if (above !== undefined && above !== node) above.children.push(node);
  }
  return nodes;
}

/**
 * The parent's id. The specification does not show `parent` (section Resources): an object with an
 * id, or the id itself, is accepted.
 */
function parentId(category: Category): string | undefined {
  const { parent } = category;
  if (typeof parent === "string") return parent;
  if (typeof parent !== "object" || parent === null || !("id" in parent)) return undefined;
  return typeof parent.id === "string" ? parent.id : undefined;
}

function partsOf(
  category: Category,
  byId: ReadonlyMap<string, Category>,
  keyOf: PathKey,
): readonly string[] {
  const path = splitPath(category.category_path ?? "");
  if (path.length === 0) return partsByParents(category, byId);
  const last = path.at(-1) ?? "";
  // The specification does not state whether a path ends in the category's own name.
  return keyOf([last]) === keyOf([category.name]) ? path : [...path, category.name];
}

function partsByParents(
  category: Category,
  byId: ReadonlyMap<string, Category>,
): readonly string[] {
  const seen = new Set([category]);
  const parts = [category.name];
  let above = byId.get(parentId(category) ?? "");
  while (above !== undefined && !seen.has(above)) {
    seen.add(above);
    parts.unshift(above.name);
    above = byId.get(parentId(above) ?? "");
  }
  return parts;
}

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
  /** The labels of the categories that take products, by their paths. */
  labels(): readonly NameChoice<CategoryNode["category"]["id"]>[];
}

const DIGITS = /^\d+$/u;
const HAS_SEPARATOR = /[>»/]/u;

/** Builds the tree and its indexes once. */
export function createCategoryIndex(categories: readonly Category[]): CategoryIndex {
  const keyOf = createPathKey();
  const nodes = buildCategoryTree(categories, keyOf);
  const leaves = nodes.filter((node) => node.children.length === 0);
  const find = createFinder(nodes, leaves, keyOf);
  const leafFinder = createCategoryFinder(leaves.map(toSuggested));
  const names = nodes.map(toSuggested);
  const finder = createCategoryFinder(names);
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
    if (DEFAULT_ID_PATTERN.test(trimPath(text))) return { kind: "unknown", suggestions: [] };
    const listed = findListed(text, find);
    const parts = splitPath(toOwnSeparators(text));
    const close = leafFinder.find({ parts }).flatMap(({ at }) => leaves[at] ?? []);
    return {
      kind: "unknown",
      suggestions: [...new Set([...listed, ...close])].slice(0, MAX_SUGGESTIONS),
    };
  };

  return {
    items: nodes,
    labels() {
      const twins = Map.groupBy(leaves, ({ path }) => path);
      return sortLabels(
        leaves.map(({ category: { id, name }, path }) => {
          // The end of a path with an id would be ambiguous.
          return { id, label: twins.get(path)?.length === 1 ? path : labelOf(name, id, false) };
        }),
      );
    },
    search(text, limit) {
      const parts = splitPath(toOwnSeparators(text));
      const close = finder.find({ parts, limit }).map(({ at }) => at);
      const ranked = rankLiteral(parts.join(" "), names, close);
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

/** Finds by external id, by path, then by name; a text is read as another platform writes it last. */
function createFinder(
  nodes: readonly CategoryNode[],
  leaves: readonly CategoryNode[],
  keyOf: PathKey,
): FindCategories {
  const byExternalId = Map.groupBy(nodes, (node) => node.category.external_id ?? "");
  const byPath = createPathLookup(nodes, { ofNode: keyOf, ofText: pathKey });
  const byJoinedPath = createPathLookup(nodes, { ofNode: joinedPathKey, ofText: joinedPathKey });
  const names = [nameIndex(leaves), nameIndex(nodes)];
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

const nameIndex = (nodes: readonly CategoryNode[]) =>
  createNameIndex({
    items: nodes,
    id: (node) => node.category.id,
    name: (node) => node.category.name,
    keyOf: pathNameKey,
    looseKeyOf: joinedPathNameKey,
  });
