/** Labels for lists to choose from: each resolves to the one thing that it stands for. */

import { type CategoryNode, formatPath } from "./category-tree.ts";

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

/** The labels of the categories that take products, by their paths. */
export function labelLeaves(
  nodes: readonly CategoryNode[],
): readonly NameChoice<CategoryNode["category"]["id"]>[] {
  const leaves = nodes.filter(({ children }) => children.length === 0);
  const twins = Map.groupBy(leaves, ({ parts }) => formatPath(parts));
  return sortLabels(
    leaves.map(({ category: { id, name }, parts }) => {
      const path = formatPath(parts);
      // The end of a path with an id would be ambiguous.
      return { id, label: twins.get(path)?.length === 1 ? path : labelOf(name, id, false) };
    }),
  );
}

/** Sorts a list for Turkish, numbers by their size. */
export const sortLabels = <Choice extends { readonly label: string }>(
  choices: readonly Choice[],
): readonly Choice[] => choices.toSorted((a, b) => BY_LABEL.compare(a.label, b.label));

const BY_LABEL = new Intl.Collator("tr", { numeric: true });
