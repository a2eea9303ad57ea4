/**
 * Places of the products by status, apart from those that no listing shows yet: until a time, or
 * until they are approved.
 */

import type { ListingStatus } from "@catalog/contract";

import { byAddition, findFirst, insertPlace, removePlace } from "./sorted-places.ts";

/** When a product is shown: from a time in milliseconds since 1970, or from its approval. */
type HiddenUntil = number | "approval";

export interface VisibleProducts {
  /** Adds a place; it is hidden where `until` is given, until `reveal` is called at that time. */
  add(place: number, until: HiddenUntil | undefined): void;
  /** Removes a place; called before its product changes. */
  remove(place: number): void;
  /** Shows the places whose time has come; returns whether there were any. */
  reveal(nowMs: number): boolean;
  /** Places that are shown in this status, in ascending order. */
  inStatus(status: ListingStatus): readonly number[];
  isListed(place: number): boolean;
  /** Hidden places, in ascending order. */
  hidden(): readonly number[];
  clear(): void;
}

interface Due {
  readonly place: number;
  readonly atMs: number;
}

/** Creates an empty list; `statusOf` gives the status of a place. */
export function createVisibleProducts(statusOf: (place: number) => ListingStatus): VisibleProducts {
  const shown: Record<ListingStatus, number[]> = { approved: [], passive: [], veto: [] };
  const hidden = new Map<number, HiddenUntil>();
  /** Hidden places by time; an entry that `hidden` no longer has is passed over. */
  const dues: Due[] = [];

  const show = (place: number): void => insertPlace(shown[statusOf(place)], place, byAddition);
  /** Index of the first place that is due later. */
  const firstAfter = (timeMs: number): number =>
    findFirst(dues.length, (index) => (dues[index]?.atMs ?? Infinity) > timeMs);

  return {
    add(place, until) {
      if (until === undefined) return show(place);
      hidden.set(place, until);
      if (until !== "approval") dues.splice(firstAfter(until), 0, { place, atMs: until });
    },
    remove(place) {
      if (!hidden.delete(place)) removePlace(shown[statusOf(place)], place, byAddition);
    },
    reveal(nowMs) {
      const due = dues
        .splice(0, firstAfter(nowMs))
        .filter(({ place, atMs }) => hidden.get(place) === atMs && hidden.delete(place));
      for (const { place } of due) show(place);
      return due.length > 0;
    },
    inStatus: (status) => shown[status],
    isListed: (place) => !hidden.has(place),
    hidden: () => [...hidden.keys()].toSorted(byAddition),
    clear() {
      for (const places of Object.values(shown)) places.length = 0;
      hidden.clear();
      dues.length = 0;
    },
  };
}
