/**
 * Reads pages around boundaries again. An item that leaves a listing before a boundary moves
 * another item over it, onto a page that was already read; one call finds that item. Most signs of
 * movement move no item over a boundary, so boundaries are only noted while reading, and read again
 * when the totals miss items.
 */

import type { SortKeyGap } from "@catalog/database";

import type { ListingReading } from "./listing-progress.ts";
import { fetchPage, type Listing, type ListingPage } from "./listing.ts";

/** Boundary between a page of a listing and the next one, which was read later. */
export interface PageBoundary {
  readonly listing: Listing;
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
  readonly answer: ListingPage;
  readonly total: number | null;
}

/**
 * Notes the boundary before the page that was just read, and what totals reveal about other
 * listings.
 */
export function notePageBoundary(
  reading: ListingReading,
  listing: Listing,
  { page, answer, total }: NewPage,
): void {
  const grown = answer.total - (total ?? answer.total);
  if (grown > 0 && !listing.takesNew) suspectOthers(reading, listing);
  const after = reading.lastSortKeys.get(listing) ?? null;
  const before = noteSortKeys(reading, listing, answer);
  if (page > 1) reading.boundaries.push({ listing, page, after, before, isSuspect: grown < 0 });
  reading.boundariesAt.set(listing, reading.boundaries.length);
}

/** Returns the sort key of the page's first item. */
function noteSortKeys(
  { firstSortKeys, lastSortKeys }: ListingReading,
  listing: Listing,
  { items }: ListingPage,
): number | null {
  const first = items[0]?.rank;
  lastSortKeys.set(listing, items.at(-1)?.rank ?? null);
  if (first === undefined) return null;
  if (!firstSortKeys.has(listing)) firstSortKeys.set(listing, first);
  return first;
}

/**
 * An item that came from another listing has left a gap there, at a boundary passed since that
 * listing was last read.
 */
function suspectOthers({ boundaries, boundariesAt }: ListingReading, listing: Listing): void {
  for (const boundary of boundaries.slice(boundariesAt.get(listing) ?? 0)) {
    if (boundary.listing !== listing) boundary.isSuspect = true;
  }
}

/**
 * Reads pages on which missing items are likely, until none is missing. Gaps between sort keys give
 * the pages where the keys are dense; otherwise signs of movement do.
 */
export async function rereadLikelyPages(
  reading: ListingReading,
  countMissing: () => number,
): Promise<void> {
  if (countMissing() === 0) return;
  for (const positions of listPagePositions(reading, countMissing())) {
    for (const position of positions) {
      if (countMissing() === 0 || reading.isStopped()) return;
      if (await rereadPage(reading, position)) break;
    }
  }
}

/** With this many more gaps than missing items, the sort keys are not dense and tell nothing. */
const MAX_GAPS = 4;

/** A page that may hold a missing item, between two sort keys. */
interface PagePosition extends SortKeyGap {
  readonly listing: Listing;
  readonly page: number;
}

const toPagePosition = ({ listing, page, after, before }: PageBoundary): PagePosition => ({
  listing,
  page: page - 1,
  after: after ?? 0,
  before: before ?? 0,
});

/** Pages that may hold each missing item, the likeliest first. */
function listPagePositions(
  reading: ListingReading,
  missing: number,
): readonly (readonly PagePosition[])[] {
  const max = MAX_GAPS * (missing + 1);
  const gaps = reading.listGaps(max + 1);
  const isOrderedAtAll = reading.listings.some((listing) => isOrdered(reading, listing));
  return isOrderedAtAll && gaps.length > 0 && gaps.length <= max
    ? gaps.map((gap) => listGapPositions(reading, gap))
    : reading.boundaries
        .filter(({ isSuspect }) => isSuspect)
        .map((boundary) => [toPagePosition(boundary)]);
}

/**
 * Pages that may hold a missing sort key: at a boundary above all, or where the item came in from
 * another listing.
 */
function listGapPositions(reading: ListingReading, gap: SortKeyGap): readonly PagePosition[] {
  return reading.listings
    .filter((listing) => isOrdered(reading, listing))
    .map((listing) => findPagePosition(reading, listing, gap))
    .toSorted((a, b) => Number(b.isBoundary) - Number(a.isBoundary));
}

/** Whether sort keys tell positions within the listing apart, and not only listings. */
const isOrdered = (reading: ListingReading, listing: Listing): boolean =>
  (reading.firstSortKeys.get(listing) ?? -Infinity) < (reading.stateOf(listing).rank ?? -Infinity);

/** The page that had the sort keys around the gap, or the middle page where that is not known. */
function findPagePosition(
  reading: ListingReading,
  listing: Listing,
  { after, before }: SortKeyGap,
): PagePosition & { readonly isBoundary: boolean } {
  const own = reading.boundaries.filter((boundary) => boundary.listing === listing);
  const next = own.find((boundary) => (boundary.before ?? Infinity) > after);
  const last = Math.max(1, reading.stateOf(listing).pages);
  if (next === undefined) {
    const page = own.length > 0 ? last : Math.ceil(last / 2);
    return { listing, page, after, before, isBoundary: false };
  }
  const isBoundary = (next.after ?? 0) <= after && (next.before ?? 0) >= before;
  return { listing, page: next.page - 1, after, before, isBoundary };
}

/** Neighbours of the likely page that are tried before the search bisects the rest. */
const NEAR_STEPS = 2;
const MAX_STEPS = 16;

/**
 * Reads the page and its neighbours until one covers the position. Returns whether a new item was
 * found.
 */
async function rereadPage(
  reading: ListingReading,
  { listing, page, after, before }: PagePosition,
): Promise<boolean> {
  let low = 1;
  let high = Math.max(page, reading.stateOf(listing).pages);
  let position = page;
  for (let step = 1; step <= MAX_STEPS && low <= high && !reading.isStopped(); step += 1) {
    const answer = await fetchPage(listing, position, reading.stateOf(listing));
    if (reading.keepAgain(listing, answer) > 0) return true;
    const shift = shiftTo(answer, { after, before });
    if (shift === 0) return false;
    if (shift < 0) high = position - 1;
    else low = position + 1;
    position = step < NEAR_STEPS ? position + shift : Math.floor((low + high) / 2);
  }
  return false;
}

/** Direction from this page to the position. */
function shiftTo({ items }: ListingPage, { after, before }: SortKeyGap): -1 | 0 | 1 {
  const first = items[0]?.rank;
  const last = items.at(-1)?.rank;
  if (after >= before || first === undefined || last === undefined) return 0;
  if (first >= before) return -1;
  return last <= after ? 1 : 0;
}

/** After an interruption, reads the last pages again, onto which items have moved up meanwhile. */
export async function rereadAfterInterruption(reading: ListingReading): Promise<void> {
  for (const listing of reading.listings) {
    const state = reading.stateOf(listing);
    if (state.isDone) continue;
    for (let page = state.pages; page >= 1 && !reading.isStopped(); page -= 1) {
      if (reading.keep(listing, await fetchPage(listing, page, state)) === 0) break;
    }
  }
}
