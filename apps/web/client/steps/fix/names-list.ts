/** The list of names that a file uses and the store does not have: what is shown, in which order. */

import type { NameChoiceView, NameView } from "../../../src/api/index.ts";

/** Why the first suggestion of a name is the first; `brand` where the brand of its rows decides. */
export type NameReason = NonNullable<NameChoiceView["reason"]> | "brand" | "none";

export const NAME_REASONS: readonly NameReason[] = [
  "answer",
  "market",
  "store",
  "brand",
  "words",
  "titles",
  "none",
];

export const keyOf = ({ field, value }: Pick<NameView, "field" | "value">): string =>
  `${field}:${value}`;

export const isOpen = ({ answer }: NameView): boolean => answer === null;

export const reasonOf = ({ choices: [first] }: NameView): NameReason =>
  first === undefined ? "none" : (first.reason ?? "brand");

/** Which names are shown; an empty text stands for all. */
export interface NameFilter {
  readonly isOpenOnly: boolean;
  readonly field: string;
  readonly reason: NameReason | "";
  readonly text: string;
}

export interface NameSort {
  readonly column: "value" | "label" | "rows";
  readonly isDescending: boolean;
}

const fold = (text: string): string => text.toLocaleLowerCase("tr");

const isShown = (
  name: NameView,
  { isOpenOnly, field, reason, text }: NameFilter,
  sought = fold(text.trim()),
): boolean =>
  (!isOpenOnly || isOpen(name)) &&
  (field === "" || name.field === field) &&
  (reason === "" || (isOpen(name) && reasonOf(name) === reason)) &&
  (sought === "" || [name.value, ...name.titles].some((each) => fold(each).includes(sought)));

const COLLATOR = new Intl.Collator("tr", { numeric: true });

const compare = (one: NameView, other: NameView, column: NameSort["column"]): number =>
  column === "rows" ? one.rows - other.rows : COLLATOR.compare(one[column], other[column]);

/** The names of a filter; of equal ones, the first in the file comes first. */
export const listNames = (
  names: readonly NameView[],
  filter: NameFilter,
  { column, isDescending }: NameSort,
): readonly NameView[] =>
  names
    .filter((name) => isShown(name, filter))
    .toSorted((one, other) => compare(one, other, column) * (isDescending ? -1 : 1));

/**
 * The names in the order in which they stood before, as they are now. Those that a person answers
 * stay where they are; new ones follow.
 */
export const keepOrder = (
  before: readonly string[],
  names: readonly NameView[],
  fresh: readonly NameView[],
): readonly NameView[] => {
  const now = new Map(names.map((name) => [keyOf(name), name]));
  const kept = before.flatMap((key) => now.get(key) ?? []);
  const known = new Set(before);
  return [...kept, ...fresh.filter((name) => !known.has(keyOf(name)))];
};

/** Spread over the list, so that the last names are seen as well as the first. */
export const pickSamples = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.length <= count
    ? items
    : Array.from({ length: count }, (_, at) =>
        items.at(Math.round((at * (items.length - 1)) / (count - 1))),
      ).filter((item) => item !== undefined);

const SEPARATOR = /\s*(?:[-=]*[>»›→|\\❯]+|\s\/\s)\s*/u;

const toParts = (path: string): readonly string[] =>
  path.split(SEPARATOR).filter((part) => part !== "");

/** A path in two: what is above its last name is cut where there is no room for all. */
export interface PathHalves {
  readonly above: string;
  /** With the separator before it. */
  readonly last: string;
  /** Whether the last name alone may be mistaken for another one. */
  readonly isAlike: boolean;
}

/** A text that is no path is a last name alone. */
export const halvePath = (path: string): PathHalves => {
  const at = [...path.matchAll(new RegExp(SEPARATOR, "gu"))].at(-1)?.index ?? 0;
  return { above: path.slice(0, at), last: path.slice(at), isAlike: false };
};

/** The first part that another path does not have; the last name where it has all. */
const findFork = (parts: readonly string[], other: readonly string[]): number => {
  const at = parts.findIndex((part, index) => part !== other[index]);
  return at === -1 ? parts.length - 1 : at;
};

/**
 * A path beside others that a person chooses between: its last name, and above it what tells it
 * apart from those that end alike, else where it first differs. A path alone is whole.
 */
export const contrastPath = (path: string, others: readonly string[]): PathHalves => {
  const parts = toParts(path);
  const rest = others.filter((other) => other !== path).map(toParts);
  if (rest.length === 0 || parts.length < 2) return halvePath(path);
  const alike = rest.filter((other) => other.at(-1) === parts.at(-1));
  const forks = (alike.length === 0 ? rest : alike).map((other) => findFork(parts, other));
  // One part is enough where no path that ends alike has it.
  const own = forks
    .toSorted((a, b) => (alike.length === 0 ? a - b : b - a))
    .find((at) => alike.every((other) => !other.includes(parts[at] ?? "")));
  const shown = new Set(own === undefined ? forks : [own]);
  let above = "";
  let sign = "";
  for (const [at, part] of parts.slice(0, -1).entries()) {
    if (shown.has(at)) above += sign + part;
    if (above !== "") sign = shown.has(at) ? " > " : " … ";
  }
  const last = parts.at(-1) ?? "";
  const isAlike = alike.length > 0;
  return sign === " … "
    ? { above: `${above} …`, last: ` ${last}`, isAlike }
    : { above, last: sign + last, isAlike };
};

/** A category of the file with open names below it. */
export interface SourceCategory {
  readonly path: string;
  readonly names: number;
}

/** The categories of the file above its open names, sorted by their paths. */
export const listSources = (names: readonly NameView[]): readonly SourceCategory[] => {
  const counts = new Map<string, number>();
  for (const { field, value } of names) {
    const parts = field === "category" ? toParts(value) : [];
    for (let end = 1; end < parts.length; end += 1) {
      const path = parts.slice(0, end).join(" > ");
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  return Array.from(counts, ([path, count]) => ({ path, names: count })).toSorted((one, other) =>
    COLLATOR.compare(one.path, other.path),
  );
};
