/** Finds the one name that a text means but for a slip or an ending, so that a command may name it. */

import { distance } from "fastest-levenshtein";

import { fold } from "../fold.ts";
import { splitPath } from "./category-tree.ts";
import { toOwnSeparators } from "./foreign-names.ts";

/** How a text and names are compared. */
export interface NearestNameOptions {
  /** Whether text and names are paths, compared by their last names. */
  readonly isPath: boolean;
}

/** A slip is allowed for each this many letters, at most two. */
const LETTERS_PER_SLIP = 6;
const MAX_SLIPS = 2;

/** Two letters may change places in words of so many letters. */
const MIN_LETTERS_FOR_SWAP = 4;

/** Endings of plurals, then those of compounds; shorter words keep them. */
const PLURAL = /(?<=.{3})l[ae]ri?$/u;
const ENDING = /(?<=.{4})[ius]$/u;

/**
 * The one of these names that is nearest to a text; `undefined` where none is near or several are
 * equally near. A letter may be missing in a short word where there is one name only. The parent in a path must be named above the other name too.
 */
export function findNearestName(
  text: string,
  names: readonly string[],
  { isPath }: NearestNameOptions,
): string | undefined {
  const wanted = readName(text, isPath);
  const isOnly = names.length === 1;
  const near = names
    .map((name) => ({ name, slips: slipsBetween(wanted, readName(name, isPath), isOnly) }))
    .filter(({ slips }) => slips < Infinity);
  const least = Math.min(...near.map(({ slips }) => slips));
  const nearest = near.filter(({ slips }) => slips === least);
  return nearest.length === 1 ? nearest[0]?.name : undefined;
}

interface ComparedName {
  readonly words: readonly string[];
  readonly parent: readonly string[];
  readonly above: ReadonlySet<string>;
}

function readName(text: string, isPath: boolean): ComparedName {
  const parts = isPath ? splitPath(toOwnSeparators(text)) : [text];
  const words = parts.map((part) => toStems(part));
  return {
    words: words.at(-1) ?? [],
    parent: words.at(-2) ?? [],
    above: new Set(words.slice(0, -1).flat()),
  };
}

const toStems = (name: string): readonly string[] =>
  fold(name)
    .split(" ")
    .map((word) => word.replace(PLURAL, "").replace(ENDING, ""));

function slipsBetween(wanted: ComparedName, name: ComparedName, isOnly: boolean): number {
  const isBelow = wanted.parent.length === 0 || wanted.parent.some((word) => name.above.has(word));
  if (!isBelow) return Infinity;
  const [one, other] = [wanted.words.join(""), name.words.join("")];
  if (isOnly && isLetterLeftOut(one, other)) return 1;
  const sorted = [wanted.words, name.words].map((words) => words.toSorted().join(""));
  return Math.min(countSlips(one, other), countSlips(sorted[0] ?? "", sorted[1] ?? ""));
}

/** Number of typing errors; `Infinity` for more than the words allow, and for other digits. */
function countSlips(one: string, other: string): number {
  if (one === other) return 0;
  if (digitsOf(one) !== digitsOf(other)) return Infinity;
  const length = Math.max(one.length, other.length);
  if (length >= MIN_LETTERS_FOR_SWAP && isSwapped(one, other)) return 1;
  const slips = distance(one, other);
  return slips > Math.min(MAX_SLIPS, Math.floor(length / LETTERS_PER_SLIP)) ? Infinity : slips;
}

/** Whether the shorter text is the longer one without one letter, as in `Bosh`. */
function isLetterLeftOut(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const isOneLess = longer.length - shorter.length === 1 && shorter.length >= MIN_LETTERS_FOR_SWAP;
  return isOneLess && digitsOf(one) === digitsOf(other) && distance(one, other) === 1;
}

/** Whether two neighbouring letters are in the wrong order, and nothing else differs. */
function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const swapped = one.slice(0, at) + one.slice(at + 1, at + 2) + one.slice(at, at + 1);
  return swapped + one.slice(at + 2) === other;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, "");
