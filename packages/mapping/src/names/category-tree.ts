/** Category paths, and the tree that a list of categories makes up. */

import type { Category } from "@catalog/contract";

import { trimText } from "../text-keys.ts";
import { pathNameKey } from "./name-key.ts";

/** A category with its position in the tree, as far as the listing shows it. */
export interface CategoryNode {
  readonly category: Category;
  /** Names from the root down to the category itself. */
  readonly parts: readonly string[];
  /** Direct children; empty for a leaf, and where the listing does not show them. */
  readonly children: readonly CategoryNode[];
}

/** `>`, `>>` and `»`, also with a shaft as in `->` and `=>`. Blanks beside it must be single. */
const ARROWS = /[-=\u2010-\u2015]{0,8}[>»]/u;
const FIRST_ARROWS = new RegExp(`^(?: ?${ARROWS.source})+ ?`, "u");
const ARROW_HEAD = /[>»]/u;
const ARROW_SHAFT = /[-=\u2010-\u2015]/u;
const QUOTED = /^["“”„«](.*)["“”»]$/u;
const ARROWS_AND_SLASHES = new RegExp(`${ARROWS.source}|/`, "u");
const ARROWS_AND_SPACED_SLASHES = new RegExp(`${ARROWS.source}| / `, "u");

/**
 * Makes blanks single, so that a pattern does not test each run of them once for each of its
 * blanks.
 */
const withSingleBlanks = (text: string): string => text.replaceAll(/\s+/gu, " ");

/** Removes quotes around a path, and separators at its ends. */
export function trimPath(path: string): string {
  const text = trimText(path);
  const bare = withSingleBlanks(QUOTED.exec(text)?.[1] ?? text);
  return withoutLastArrows(bare.replace(FIRST_ARROWS, ""));
}

/**
 * Removes arrows from behind, because a pattern for the end of a text is tried at each arrow within
 * it.
 */
function withoutLastArrows(path: string): string {
  let kept = path.length;
  for (;;) {
    let at = path.slice(kept - 1, kept) === " " ? kept - 1 : kept;
    if (!ARROW_HEAD.test(path.slice(at - 1, at))) return path.slice(0, kept);
    at -= 1;
    while (ARROW_SHAFT.test(path.slice(at - 1, at))) at -= 1;
    kept = path.slice(at - 1, at) === " " ? at - 1 : at;
  }
}

/**
 * The names in a path. A slash separates only with blanks around it, since names contain slashes.
 */
export function splitPath(path: string): readonly string[] {
  return splitAt(path, ARROWS_AND_SPACED_SLASHES);
}

/** The names in a path in which every slash separates, as in `Ev/Mutfak`. */
export function splitPathAtSlashes(path: string): readonly string[] {
  return splitAt(path, ARROWS_AND_SLASHES);
}

const splitAt = (path: string, separator: RegExp): readonly string[] =>
  withSingleBlanks(path)
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Key of a path: equal for paths that differ only in separators, case and accents. */
export type PathKey = (parts: readonly string[]) => string;

/**
 * Creates a `PathKey` that folds each name once, because folding is slow and a tree repeats the
 * names of its upper categories in every path. It keeps all names that it is given, so it is for
 * the paths of one tree only.
 */
export function createPathKey(): PathKey {
  const keys = new Map<string, string>();
  const keyOf = (name: string): string => {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = pathNameKey(name);
    keys.set(name, key);
    return key;
  };
  return (parts) => parts.map(keyOf).join(">");
}

/** The key of one path that is not kept, such as the text of a cell. */
export const pathKey: PathKey = (parts) => parts.map((part) => pathNameKey(part)).join(">");

/** A path as messages show it. */
export function formatPath(parts: readonly string[]): string {
  return parts.join(" > ");
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
  const nodes = categories.map((category): GrowingNode => ({
    category,
    parts: partsOf(category, byId, keyOf),
    children: [],
  }));
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
