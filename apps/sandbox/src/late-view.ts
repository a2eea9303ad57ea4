/**
 * Listings that show a change late: for a while they have what was there before it. A snapshot does
 * not keep what was hidden when it was taken.
 */

import type { Clock } from "@catalog/clock";

import type { Behavior } from "./behavior/behavior-settings.ts";

export interface LateView<Item extends { readonly id: string }> {
  /** Hides the change of an item that was `before`, or of a new item where that is undefined. */
  changed(id: string, before: Item | undefined): void;
  /** Begins a listing; the function returns an item as the listing shows it, if it does. */
  list(): (now: Item) => Item | undefined;
}

const SECOND_MS = 1000;
const WAITS_MS: Readonly<Record<Behavior["change-shown"], number>> = {
  "at-once": 0,
  "two-listings": Infinity,
  "ten-seconds": 10 * SECOND_MS,
  "ten-minutes": 600 * SECOND_MS,
};

/** Listings that still show what was there before, with `two-listings`. */
const LISTINGS = 2;

interface Hidden<Item> {
  readonly before: Item | undefined;
  readonly untilMs: number;
  /** Number of the last listing that does not show the change. */
  readonly lastListing: number;
}

export function createLateView<Item extends { readonly id: string }>(
  shown: Behavior["change-shown"],
  clock: Clock,
): LateView<Item> {
  const hidden = new Map<string, Hidden<Item>>();
  let listings = 0;
  const isOver = ({ untilMs, lastListing }: Hidden<Item>): boolean =>
    shown === "two-listings" ? listings > lastListing : clock.now() >= untilMs;

  return {
    changed(id, before) {
      if (shown === "at-once") return;
      const earlier = hidden.get(id);
      // A second change is shown together with the first one, after the wait of the second.
      const first = earlier === undefined || isOver(earlier) ? before : earlier.before;
      const untilMs = clock.now() + WAITS_MS[shown];
      hidden.set(id, { before: first, untilMs, lastListing: listings + LISTINGS });
    },
    list() {
      listings += 1;
      for (const [id, one] of hidden) if (isOver(one)) hidden.delete(id);
      return (now) => {
        const one = hidden.get(now.id);
        return one === undefined ? now : one.before;
      };
    },
  };
}
