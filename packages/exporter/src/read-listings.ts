/**
 * Reads listings to their end while others change them. Pages are cut by position: when an item
 * leaves a listing, the items after it move up, and the first item of the next page slips onto a
 * page that was already read. The totals are therefore checked at the end, and where they promise
 * more items than were read, the page boundaries at which an item may have slipped are read again.
 * Each page is stored together with the position up to which the listing was read.
 *
 * An item that is listed from the first call to the last is exported once or reported as missing.
 * An item that appears meanwhile is exported once if it appears before the last call to its
 * listing, and otherwise not at all.
 */

import {
  createListingReading,
  type ListingReading,
  type ListingReadingOptions,
} from "./listing-progress.ts";
import { advance, chooseListing, fetchPage, type Listing, sizeOf } from "./listing.ts";
import { rereadAfterInterruption, rereadLikelyPages, notePageBoundary } from "./reread-pages.ts";

/** Result of the reading. */
export interface ListingsEnd {
  readonly isStopped: boolean;
  /** Items that the totals promise and no page showed. */
  readonly missing: number;
  /** Whether the totals are plausible, so that the reading could be checked against them. */
  readonly isChecked: boolean;
  /** Whether nothing moved while all totals were read. */
  readonly isConsistent: boolean;
}

/** Rounds of searching for missing items while the store keeps moving. */
const MAX_SEARCHES = 6;

/**
 * Reads every listing to its end from the job's checkpoint. Where the totals promise more than was
 * read, likely pages are read once more, and finally all pages.
 */
export async function readListings(options: ListingReadingOptions): Promise<ListingsEnd> {
  const reading = createListingReading(options);
  const countMissing = (): number => toEnd(reading, true).missing;
  await rereadAfterInterruption(reading);
  await readToEnd(reading);
  // The last pages were read one after the other, so their totals suffice for a first check.
  await rereadLikelyPages(reading, countMissing);
  let isFinal = await awaitEqualTotals(reading);
  for (let search = 1; search <= MAX_SEARCHES && countMissing() > 0; search += 1) {
    const before = reading.items();
    await rereadLikelyPages(reading, countMissing);
    isFinal = await awaitEqualTotals(reading);
    // The likely pages had nothing, so the item may be on any page.
    if (countMissing() > 0 && reading.items() === before) isFinal = await rereadMissing(reading);
    // No page has it: the marketplace states more items than it lists.
    if (reading.items() === before) break;
  }
  return toEnd(reading, isFinal);
}

async function readToEnd(reading: ListingReading): Promise<void> {
  while (!reading.isStopped()) {
    const listing = chooseListing(reading.listings, (each) => reading.stateOf(each));
    if (listing === undefined) return;
    await readNext(reading, listing);
  }
}

async function readNext(reading: ListingReading, listing: Listing): Promise<void> {
  const before = reading.stateOf(listing);
  const answer = await fetchPage(listing, before.pages + 1, before);
  const after = advance(listing, before, answer);
  reading.setState(listing, after);
  const fresh = reading.keep(listing, answer);
  // A listing that repeats its last page instead of an empty one ends here as well.
  if (fresh === 0 && after.pages * sizeOf(listing, after) >= answer.total) {
    reading.setState(listing, { ...reading.stateOf(listing), isDone: true });
  }
  if (answer.items.length === 0) return;
  notePageBoundary(reading, listing, { page: after.pages, answer, total: before.total });
}

/**
 * Reads all pages again until no item is missing. Returns whether the totals have become stable.
 */
async function rereadMissing(reading: ListingReading): Promise<boolean> {
  for (const listing of reading.listings) {
    for (let page = 1; page <= reading.stateOf(listing).pages; page += 1) {
      if (reading.isStopped()) return false;
      const fresh = reading.keepAgain(
        listing,
        await fetchPage(listing, page, reading.stateOf(listing)),
      );
      if (fresh === 0 || toEnd(reading, true).missing > 0) continue;
      const isFinal = await awaitEqualTotals(reading);
      if (isFinal && toEnd(reading, true).missing === 0) return true;
    }
  }
  return awaitEqualTotals(reading);
}

/** Rounds of reading all totals; after them a store that keeps moving is accepted as it is. */
const MAX_ROUNDS = 8;

/**
 * Totals of different moments cannot be added. After a movement all are read again until they stay
 * equal for a whole round. Returns whether they did.
 */
async function awaitEqualTotals(reading: ListingReading): Promise<boolean> {
  if (!reading.takeMoved()) return true;
  for (let round = 1; round <= MAX_ROUNDS && !reading.isStopped(); round += 1) {
    for (const listing of reading.listings) await readTotal(reading, listing);
    if (!reading.takeMoved()) return true;
    await readToEnd(reading);
  }
  return false;
}

/** Reads the total with the last page, whose new items are stored. */
async function readTotal(reading: ListingReading, listing: Listing): Promise<void> {
  const before = reading.stateOf(listing);
  const size = sizeOf(listing, before);
  const last = Math.max(1, Math.ceil((before.total ?? 0) / size));
  const answer = await fetchPage(listing, last, before);
  reading.keep(listing, answer);
  const { total } = answer;
  const after = reading.stateOf(listing);
  reading.setState(listing, { ...after, total, isDone: last * size >= total, pages: last });
}

function toEnd(reading: ListingReading, isConsistent: boolean): ListingsEnd {
  const isStopped = reading.isStopped();
  const isChecked = reading.listings.every(
    (listing) => reading.stateOf(listing).isTotalSound !== false,
  );
  const missing = isChecked && !isStopped ? reading.expected() - reading.items() : 0;
  return { isStopped, isChecked, isConsistent, missing: Math.max(0, missing) };
}
