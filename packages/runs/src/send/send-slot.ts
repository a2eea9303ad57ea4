/**
 * What a row passes between its turn and its first byte: it is written down, together with others,
 * and waits for its place among those on their way. Rows that are written ahead wait for a place
 * instead of the disk, and as long as enough of them do, the next ones gather.
 */

import { type Turn } from "../plan/yield-to-event-loop.ts";
import { type Journal } from "../ports/journal.ts";
import { type BeginGroup, createBeginGroup } from "./group-commit.ts";
import { createPlaces, type Place } from "./semaphore.ts";

/** The road of one row. */
export interface Road {
  readonly begin: BeginGroup["begin"];
  readonly place: Place;
  /** Asked when the row has its place; otherwise it goes back, and nothing of it leaves. */
  readonly mayLeave: () => boolean;
}

export interface RoadOptions {
  readonly journal: Pick<Journal, "beginTogether">;
  readonly turn?: Turn | undefined;
  /** Rows on their way at a time. */
  readonly concurrency: number;
  readonly mayLeave: () => boolean;
}

/** So many places' worth of written rows are enough while the next ones are written. */
const ENOUGH_SHARE = 0.5;

/** Returns what makes the road of each row. */
export function createRoads(options: RoadOptions): () => Road {
  const { journal, turn, concurrency, mayLeave } = options;
  const enough = Math.floor(concurrency * ENOUGH_SHARE);
  const mayGrow = (): boolean => places.waiting > enough;
  const group = createBeginGroup({ journal, turn, mayGrow });
  const places = createPlaces({ count: concurrency, onFewer: group.check });
  return () => ({ begin: group.begin, place: places.create(), mayLeave });
}
