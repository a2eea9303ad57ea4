/**
 * Reads listings to their end while others change them. Pages are cut by position: when an item
 * leaves a listing, the items after it move up, and one of them slips onto a page that was already
 * read; an item can also change from a listing that is still to be read to one that was read. A pass
 * over all listings therefore counts only where they stood still meanwhile: all totals are equal at
 * every answer, they are the number of items that were read, and no item came twice. Otherwise the
 * listings are read again, and the items are merged by id.
 *
 * After an interruption a pass begins anew, since much may have moved meanwhile; its items are kept.
 *
 * An item that is listed from the first call to the last is exported once, or the reading is
 * reported as not consistent. An item that appears meanwhile is exported once or not at all.
 */

import type { ListingEnd } from "@catalog/client";
import { isNoSuchPage } from "@catalog/client/errors";

import {
  createListingReading,
  type ListingReading,
  type ListingReadingOptions,
} from "./listing-progress.ts";
import {
  lastPageOf,
  type Listing,
  type ListingPage,
  type ListingState,
  type NumberedPage,
  sizeOf,
} from "./listing.ts";

export { type Listing } from "./listing.ts";

/** Result of the reading. */
export interface ListingsEnd {
  readonly isStopped: boolean;
  /** Items that the totals promise and no page showed. */
  readonly missing: number;
  /** Whether the totals are plausible, so that the reading could be checked against them. */
  readonly isChecked: boolean;
  /** Whether the listings stood still in the last pass, or two passes showed the same. */
  readonly isConsistent: boolean;
}

/** Passes over all listings; after them a store that keeps changing is accepted as it is. */
const MAX_PASSES = 4;

/** Listings of more pages together are not read again as a whole to prove that nothing has moved. */
const MAX_PAGES_TO_REPEAT = 16;

/** Reads every listing to its end, until they stood still; items of the job are kept. */
export async function readListings(options: ListingReadingOptions): Promise<ListingsEnd> {
  const reading = await createListingReading(options);
  let pass = await readAndJudge(reading);
  for (let number = 2; number <= MAX_PASSES && mustRepeat(reading, pass); number += 1) {
    const earlier = pass;
    const before = reading.items();
    reading.restart();
    pass = await readAndJudge(reading);
    if (pass.distinct !== earlier.distinct || reading.items() !== before) continue;
    // The marketplace lists an item twice, or states more than it lists.
    if (pass.isSteady) break;
    if (earlier.isCutShort && pass.isCutShort) return toEnd(reading, { ...pass, isSound: false });
  }
  return toEnd(reading, pass);
}

/** What one pass over all listings has shown. */
interface Pass {
  /** Whether the totals can be right. */
  readonly isSound: boolean;
  /** Whether all totals of each listing were equal, from before the pass until after it. */
  readonly isSteady: boolean;
  /** Number of items by the totals. */
  readonly promised: number;
  /** Number of distinct items. */
  readonly distinct: number;
  /** Whether a page was refused that a total had promised. */
  readonly isCutShort: boolean;
}

/** What the reader saw. */
interface PassReading {
  readonly ids: Set<string>;
  isCutShort: boolean;
}

async function readAndJudge(reading: ListingReading): Promise<Pass> {
  const { ids, isCutShort } = await readPass(reading);
  return { ...(await judgePass(reading, ids.size)), isCutShort };
}

/** Reads the listings, one after the other. */
async function readPass(reading: ListingReading): Promise<PassReading> {
  const read: PassReading = { ids: new Set(), isCutShort: false };
  const [, ...later] = reading.listings;
  // An item may change to a listing that was read from one that is still to be read, so the totals
  // of these are read before.
  await Promise.all(later.map((listing) => readFirstTotal(reading, listing)));
  for (const listing of reading.listings) await readToEnd(reading, listing, read);
  return read;
}

async function readFirstTotal(reading: ListingReading, listing: Listing): Promise<void> {
  if (reading.isStopped()) return;
  const { total } = (await fetchPage(reading, listing, 1)) ?? { total: 0 };
  reading.setState(listing, { total, firstTotal: total });
}

async function readToEnd(
  reading: ListingReading,
  listing: Listing,
  read: PassReading,
): Promise<void> {
  if (reading.isStopped()) return;
  let end: ListingEnd | undefined;
  const from = { page: 1, size: sizeOf(listing, reading.stateOf(listing)) };
  for await (const page of listing.pages({ ...from, onEnd: (last) => void (end = last) })) {
    reading.setState(listing, advance(reading.stateOf(listing), page));
    await reading.keep(listing, page);
    for (const { id } of page.items) read.ids.add(id);
    if (reading.isStopped()) return;
  }
  reading.setState(listing, finish(reading.stateOf(listing), end));
  if (end?.refusal !== undefined) read.isCutShort ||= await isPromised(reading, listing, end);
  await reading.keep(listing, { total: 0, items: [] });
}

/** Whether the last page that was read, asked for again, states that the refused page follows it. */
async function isPromised(
  reading: ListingReading,
  listing: Listing,
  { elements }: ListingEnd,
): Promise<boolean> {
  const page = await fetchPage(reading, listing, reading.stateOf(listing).pages);
  return page !== undefined && page.total > elements;
}

/** A listing without items has no page, and its end tells its total. */
function finish(
  { total, firstTotal }: ListingState,
  end: ListingEnd | undefined,
): Partial<ListingState> {
  if (end === undefined) return { isDone: true, end };
  const last = end.maxTotal;
  return { isDone: true, end, total: total ?? last, firstTotal: firstTotal ?? last };
}

function advance(
  state: ListingState,
  { page, pageSize, total, items }: NumberedPage,
): ListingState {
  // The next pages are asked for in the size of a first page that is short.
  const size = page === 1 ? Math.min(pageSize, Math.max(1, items.length)) : pageSize;
  const firstTotal = state.pages === 0 ? (state.firstTotal ?? total) : state.firstTotal;
  return { ...state, pages: page, size, total, firstTotal };
}

async function judgePass(
  reading: ListingReading,
  distinct: number,
): Promise<Omit<Pass, "isCutShort">> {
  const { listings } = reading;
  const states = listings.map((listing) => reading.stateOf(listing));
  const isSound = !states.some(isUnsound);
  const promised = states.reduce((sum, { end }) => sum + (end?.maxTotal ?? 0), 0);
  const isSteady =
    !reading.isStopped() &&
    isSound &&
    states.every(({ end, firstTotal }) => end?.isSteady === true && firstTotal === end.maxTotal);
  // Something may have moved to a listing after it was read, from one that was read later.
  const earlier = isSteady ? listings.slice(0, -1) : [];
  const same = await Promise.all(earlier.map((listing) => isUnchanged(reading, listing)));
  return { isSound, isSteady: isSteady && same.every(Boolean), promised, distinct };
}

/**
 * Whether the totals cannot be right, whatever has moved: the items of a page are counted by their
 * position, so that their number is the total of the last page.
 */
function isUnsound({ end, firstTotal }: ListingState): boolean {
  if (end === undefined) return false;
  const { elements, maxTotal, isSteady, hasRepeats } = end;
  const isStill = isSteady && !hasRepeats && firstTotal === maxTotal;
  return (
    elements > Math.max(maxTotal, firstTotal ?? Infinity) || (isStill && elements !== maxTotal)
  );
}

const mustRepeat = (reading: ListingReading, pass: Pass): boolean =>
  !reading.isStopped() && pass.isSound && !(pass.isSteady && pass.distinct === pass.promised);

/**
 * Whether the listing has the same total on its last page, and no new item. Totals alone would not
 * tell an item that came back from one that left meanwhile, so that a small store is read again as a
 * whole. New items are stored.
 */
async function isUnchanged(reading: ListingReading, listing: Listing): Promise<boolean> {
  if (reading.isStopped()) return false;
  const state = reading.stateOf(listing);
  const last = lastPageOf(listing, state);
  const count = isSmall(reading) ? last : 1;
  const numbers = Array.from({ length: count }, (_, index) => last - index);
  const pages = await Promise.all(numbers.map((number) => fetchPage(reading, listing, number)));
  return pages.every((page) => page?.total === state.end?.maxTotal && page?.fresh === 0);
}

function isSmall(reading: ListingReading): boolean {
  const pages = reading.listings.map((listing) => lastPageOf(listing, reading.stateOf(listing)));
  return pages.reduce((sum, count) => sum + count, 0) <= MAX_PAGES_TO_REPEAT;
}

/** A page, and how many of its items were new. */
interface FetchedPage extends ListingPage {
  readonly fresh: number;
}

/** Fetches one page and stores its items; `undefined` where the listing has become shorter. */
async function fetchPage(
  reading: ListingReading,
  listing: Listing,
  number: number,
): Promise<FetchedPage | undefined> {
  try {
    const page = await listing.fetch(number, sizeOf(listing, reading.stateOf(listing)));
    return { ...page, fresh: await reading.keep(listing, page) };
  } catch (error) {
    if (!isNoSuchPage(error)) throw error;
    return undefined;
  }
}

function toEnd(
  reading: ListingReading,
  { isSound, isSteady, promised, distinct }: Pass,
): ListingsEnd {
  const isStopped = reading.isStopped();
  const missing = isSteady ? Math.max(0, promised - distinct) : 0;
  return {
    isStopped,
    isChecked: isSound,
    missing,
    isConsistent: isStopped || !isSound || isSteady,
  };
}
