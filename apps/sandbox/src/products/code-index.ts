/** Finds products by code: the same code, in any case of its letters, or a beginning of it. */

import {
  byAddition,
  type ComparePlaces,
  findFirst,
  insertPlace,
  removePlace,
} from "./sorted-places.ts";

export interface CodeIndex {
  add(code: string, place: number): void;
  remove(code: string, place: number): void;
  /** Places of products whose code is equal to this one without regard to case, in ascending order. */
  withCode(code: string): readonly number[];
  /** Places of products whose code starts with this text. */
  withPrefix(prefix: string): readonly number[];
  clear(): void;
}

/** Creates an index of the codes that `codeAt` gives for each place. */
export function createCodeIndex(codeAt: (place: number) => string): CodeIndex {
  const byCode = new Map<string, number[]>();
  /** Every place in the order of codes; made when a prefix is first asked for. */
  let sorted: number[] | undefined;

  const compare: ComparePlaces = (a, b) => compareTexts(codeAt(a), codeAt(b)) || a - b;

  return {
    add(code, place) {
      const key = code.toLowerCase();
      const same = byCode.get(key);
      if (same === undefined) byCode.set(key, [place]);
      else insertPlace(same, place, byAddition);
      if (sorted !== undefined) insertPlace(sorted, place, compare);
    },
    remove(code, place) {
      const key = code.toLowerCase();
      const same = byCode.get(key) ?? [];
      if (same.length <= 1) byCode.delete(key);
      else removePlace(same, place, byAddition);
      if (sorted !== undefined) removePlace(sorted, place, compare);
    },
    withCode: (code) => byCode.get(code.toLowerCase()) ?? [],
    withPrefix(prefix) {
      sorted ??= [...byCode.values()].flat().toSorted(compare);
      const places = sorted;
      const codeOf = (index: number): string => codeAt(places[index] ?? 0);
      const start = findFirst(places.length, (index) => codeOf(index) >= prefix);
      let end = start;
      while (end < places.length && codeOf(end).startsWith(prefix)) end += 1;
      return places.slice(start, end);
    },
    clear() {
      byCode.clear();
      sorted = undefined;
    },
  };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
