/**
 * Reads pages around boundaries again. An item that leaves a listing before a boundary moves
 * another item over it, onto a page that was already read; one call finds that item. Most signs of
 * movement move no item over a boundary, so boundaries are only noted while reading, and read again
 * when the totals miss items.
 */

import { type RankHole } from "@catalog/database";

import { type LaneReading } from "./listing-progress.ts";
import { fetchPage, type Lane, type LanePage } from "./listing.ts";

/** Boundary between a page of a listing and the next one, which was read later. */
export interface Border {
  readonly lane: Lane;
  /** Number of the page after the boundary. */
  readonly page: number;
  /** Sort keys of the last item before it and the first one after it, as they were read. */
  readonly after: number | null;
  readonly before: number | null;
  /** Whether an item entered another listing or left this one at about that time. */
  isSuspect: boolean;
}

/** A page as it was read, and the total that the listing stated before. */
export interface NewPage {
  readonly page: number;
  readonly answer: LanePage;
  readonly total: number | null;
}

/**
 * Notes the boundary before the page that was just read, and what totals reveal about other
 * listings.
 */
export function noteBorder(
  reading: LaneReading,
  lane: Lane,
  { page, answer, total }: NewPage,
): void {
  const grown = answer.total - (total ?? answer.total);
  if (grown > 0 && !lane.takesNew) suspectOthers(reading, lane);
  const after = reading.lastRanks.get(lane) ?? null;
  const before = noteRanks(reading, lane, answer);
  if (page > 1) reading.borders.push({ lane, page, after, before, isSuspect: grown < 0 });
  reading.bordersAt.set(lane, reading.borders.length);
}

/** Returns the sort key of the page's first item. */
function noteRanks(
  { firstRanks, lastRanks }: LaneReading,
  lane: Lane,
  { items }: LanePage,
): number | null {
  const first = items[0]?.rank;
  lastRanks.set(lane, items.at(-1)?.rank ?? null);
  if (first === undefined) return null;
  if (!firstRanks.has(lane)) firstRanks.set(lane, first);
  return first;
}

/**
 * An item that came from another listing has left a gap there, at a boundary passed since that
 * listing was last read.
 */
function suspectOthers({ borders, bordersAt }: LaneReading, lane: Lane): void {
  for (const border of borders.slice(bordersAt.get(lane) ?? 0)) {
    if (border.lane !== lane) border.isSuspect = true;
  }
}

/**
 * Reads pages on which missing items are likely, until none is missing. Gaps between sort keys give
 * the pages where the keys are dense; otherwise signs of movement do.
 */
export async function lookWhereLikely(
  reading: LaneReading,
  countMissing: () => number,
): Promise<void> {
  if (countMissing() === 0) return;
  for (const places of listPlaces(reading, countMissing())) {
    for (const place of places) {
      if (countMissing() === 0 || reading.isStopped()) return;
      if (await lookAt(reading, place)) break;
    }
  }
}

/** With this many more gaps than missing items, the sort keys are not dense and tell nothing. */
const MOST_HOLES = 4;

/** A page that may hold a missing item, between two sort keys. */
interface Place extends RankHole {
  readonly lane: Lane;
  readonly page: number;
}

const toPlace = ({ lane, page, after, before }: Border): Place => ({
  lane,
  page: page - 1,
  after: after ?? 0,
  before: before ?? 0,
});

/** Pages that may hold each missing item, the likeliest first. */
function listPlaces(reading: LaneReading, missing: number): readonly (readonly Place[])[] {
  const most = MOST_HOLES * (missing + 1);
  const holes = reading.listHoles(most + 1);
  const isOrderedAtAll = reading.lanes.some((lane) => isOrdered(reading, lane));
  return isOrderedAtAll && holes.length > 0 && holes.length <= most
    ? holes.map((hole) => listHolePlaces(reading, hole))
    : reading.borders.filter(({ isSuspect }) => isSuspect).map((border) => [toPlace(border)]);
}

/**
 * Pages that may hold a missing sort key: at a boundary above all, or where the item came in from
 * another listing.
 */
function listHolePlaces(reading: LaneReading, hole: RankHole): readonly Place[] {
  return reading.lanes
    .filter((lane) => isOrdered(reading, lane))
    .map((lane) => findPlace(reading, lane, hole))
    .toSorted((a, b) => Number(b.isBorder) - Number(a.isBorder));
}

/** Whether sort keys tell positions within the listing apart, and not only listings. */
const isOrdered = (reading: LaneReading, lane: Lane): boolean =>
  (reading.firstRanks.get(lane) ?? -Infinity) < (reading.stateOf(lane).rank ?? -Infinity);

/** The page that had the sort keys around the gap, or the middle page where that is not known. */
function findPlace(
  reading: LaneReading,
  lane: Lane,
  { after, before }: RankHole,
): Place & { readonly isBorder: boolean } {
  const own = reading.borders.filter((border) => border.lane === lane);
  const next = own.find((border) => (border.before ?? Infinity) > after);
  const last = Math.max(1, reading.stateOf(lane).pages);
  if (next === undefined) {
    const page = own.length > 0 ? last : Math.ceil(last / 2);
    return { lane, page, after, before, isBorder: false };
  }
  const isBorder = (next.after ?? 0) <= after && (next.before ?? 0) >= before;
  return { lane, page: next.page - 1, after, before, isBorder };
}

/** Neighbours of the likely page that are tried before the search bisects the rest. */
const NEAR_STEPS = 2;
const MOST_STEPS = 16;

/**
 * Reads the page and its neighbours until one covers the position. Returns whether a new item was
 * found.
 */
async function lookAt(
  reading: LaneReading,
  { lane, page, after, before }: Place,
): Promise<boolean> {
  let low = 1;
  let high = Math.max(page, reading.stateOf(lane).pages);
  let place = page;
  for (let step = 1; step <= MOST_STEPS && low <= high && !reading.isStopped(); step += 1) {
    const answer = await fetchPage(lane, place, reading.stateOf(lane));
    if (reading.keepAgain(lane, answer) > 0) return true;
    const shift = shiftTo(answer, { after, before });
    if (shift === 0) return false;
    if (shift < 0) high = place - 1;
    else low = place + 1;
    place = step < NEAR_STEPS ? place + shift : Math.floor((low + high) / 2);
  }
  return false;
}

/** Direction from this page to the position. */
function shiftTo({ items }: LanePage, { after, before }: RankHole): -1 | 0 | 1 {
  const first = items[0]?.rank;
  const last = items.at(-1)?.rank;
  if (after >= before || first === undefined || last === undefined) return 0;
  if (first >= before) return -1;
  return last <= after ? 1 : 0;
}

/** After an interruption, reads the last pages again, onto which items have moved up meanwhile. */
export async function lookBackAfterBreak(reading: LaneReading): Promise<void> {
  for (const lane of reading.lanes) {
    const state = reading.stateOf(lane);
    if (state.isDone) continue;
    for (let page = state.pages; page >= 1 && !reading.isStopped(); page -= 1) {
      if (reading.keep(lane, await fetchPage(lane, page, state)) === 0) break;
    }
  }
}
