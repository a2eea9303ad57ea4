/**
 * Reads listings to their end while others change them. Pages are cut by position: when an item
 * leaves a listing, the items after it move up, and one of them slips onto a page that was already
 * read; an item can also change from a listing that is still to be read to one that was read. A pass
 * over all listings, which are read at once, therefore counts only where they stood still meanwhile:
 * all totals are equal at every answer, also at one to each listing after all were read, they are the
 * number of items that were read, and no item came twice. Then an item can be missing only where one
 * that came has left every listing, whatever the order of the pages. Otherwise the listings are read
 * again, and the items are merged by id.
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

/** Reads all listings at once. */
async function readPass(reading: ListingReading): Promise<PassReading> {
  const read: PassReading = { ids: new Set(), isCutShort: false };
  const closing = new AbortController();
  const reads = reading.listings.map((listing) =>
    readToEnd(reading, listing, { read, signal: closing.signal }),
  );
  try {
    await Promise.all(reads);
  } finally {
    // Where one of them fails, the others end, too.
    closing.abort(new Error("another listing cannot be read"));
    await Promise.allSettled(reads);
  }
  return read;
}

async function readToEnd(
  reading: ListingReading,
  listing: Listing,
  { read, signal }: { readonly read: PassReading; readonly signal: AbortSignal },
): Promise<void> {
  if (reading.isStopped()) return;
  let end: ListingEnd | undefined;
  const from = { page: 1, size: sizeOf(listing, reading.stateOf(listing)), signal };
  for await (const page of listing.pages({ ...from, onEnd: (last) => void (end = last) })) {
    reading.setState(listing, advance(reading.stateOf(listing), page));
    await reading.keep(listing, page);
    for (const { id } of page.items) read.ids.add(id);
    if (reading.isStopped()) return;
  }
  reading.setState(listing, finish(reading.stateOf(listing), end));
  if (end?.refusal !== undefined && (await isPromised(reading, listing, end))) {
    read.isCutShort = true;
  }
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
const finish = ({ total }: ListingState, end: ListingEnd | undefined): Partial<ListingState> => ({
  isDone: true,
  end,
  total: total ?? end?.maxTotal ?? null,
});

function advance(
  state: ListingState,
  { page, pageSize, total, items }: NumberedPage,
): ListingState {
  // The next pages are asked for in the size of a first page that is short.
  const size = page === 1 ? Math.min(pageSize, Math.max(1, items.length)) : pageSize;
  return { ...state, pages: page, size, total };
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
    !reading.isStopped() && isSound && states.every(({ end }) => end?.isSteady === true);
  // Something may have moved to a listing after it was read, from one that was still being read.
  const others = isSteady && listings.length > 1 ? listings : [];
  const same = await Promise.all(others.map((listing) => isUnchanged(reading, listing)));
  return { isSound, isSteady: isSteady && same.every(Boolean), promised, distinct };
}

/**
 * Whether the totals cannot be right, whatever has moved: the items of a page are counted by their
 * position, so that their number is the total of the last page.
 */
function isUnsound({ end }: ListingState): boolean {
  if (end === undefined) return false;
  const { elements, maxTotal, isSteady, hasRepeats } = end;
  return elements > maxTotal || (isSteady && !hasRepeats && elements !== maxTotal);
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
