/** One listing as an export reads it: page by page, in an order in which new items come last. */

import { ApiError } from "@catalog/client/errors";
import type { ListingState, StagedItem } from "@catalog/database";

/** A page of a listing, ready to be stored. */
export interface ListingPage {
  readonly total: number;
  readonly items: readonly StagedItem[];
}

export interface Listing {
  /** Name of the listing among those of the export, also in the checkpoint. */
  readonly name: string;
  /** Items requested for a page; the marketplace may return fewer. */
  readonly pageSize: number;
  /**
   * New products of the store appear in this listing, so its growing total says nothing about the
   * other listings.
   */
  readonly takesNew: boolean;
  /** Fetches a page of the listing cut into pages of this size. */
  fetch(page: number, size: number): Promise<ListingPage>;
}

export const UNREAD: ListingState = {
  pages: 0,
  total: null,
  found: 0,
  rank: null,
  isDone: false,
  isTotalSound: null,
};

/** Page size of the listing, known once the first page was read. */
export const sizeOf = (listing: Listing, { size }: ListingState): number =>
  size ?? listing.pageSize;

/** Statuses with which a marketplace may refuse a page after the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** Fetches a page; an empty one where the marketplace refuses a page after the last one. */
export async function fetchPage(
  listing: Listing,
  page: number,
  state: ListingState,
): Promise<ListingPage> {
  const size = sizeOf(listing, state);
  try {
    return await listing.fetch(page, size);
  } catch (error) {
    const isPastEnd = page > 1 && (page - 1) * size >= (state.total ?? Infinity);
    const isRefused = error instanceof ApiError && NO_SUCH_PAGE.has(error.status);
    if (!isPastEnd || !isRefused) throw error;
    return { total: state.total ?? 0, items: [] };
  }
}

/**
 * State of the listing after this page, the next one, was read. A first page that is shorter than
 * requested may be the whole listing or the marketplace's maximum; only the second page tells.
 */
export function advance(listing: Listing, before: ListingState, page: ListingPage): ListingState {
  const { items } = page;
  const isEmpty = items.length === 0;
  // Some marketplaces state the total of an empty page after the end.
  const total = isEmpty ? (before.total ?? page.total) : page.total;
  const reach = before.pages * sizeOf(listing, before) + items.length;
  const isSound = isTotalSound(listing, before, { items, total });
  const isDone = isEmpty || (reach >= total && isLast(listing, { before, page, isSound }));
  return {
    pages: before.pages + 1,
    total,
    found: before.found,
    rank: items.at(-1)?.rank ?? before.rank,
    size: before.pages === 0 ? sizeOfFirst(listing, page) : before.size,
    isDone,
    // Items that are still promised after the last page do not exist.
    isTotalSound: isDone && reach < total ? false : isSound,
  };
}

/** Pages may be counted in the returned or the requested size, so both are set to the same. */
const sizeOfFirst = (listing: Listing, { items }: ListingPage): number | undefined =>
  items.length > 0 && items.length < listing.pageSize ? items.length : undefined;

interface LastPage {
  readonly before: ListingState;
  readonly page: ListingPage;
  readonly isSound: boolean | null;
}

/** Whether a page is the last one when no total promises more items. */
function isLast(listing: Listing, { before, page: { items }, isSound }: LastPage): boolean {
  const isShort = items.length < sizeOf(listing, before);
  // Where pages are cut short, a total that is reached by chance may be too low as well.
  return before.pages > 0 && (isShort || (isSound === true && before.size === undefined));
}

/** A total may count only its own page, which a first page cannot reveal. */
function isTotalSound(
  listing: Listing,
  before: ListingState,
  { items, total }: ListingPage,
): boolean | null {
  const reach = before.pages * sizeOf(listing, before) + items.length;
  if (before.isTotalSound === false || (items.length > 0 && reach > total)) return false;
  const isTold = reach < total || items.length < sizeOf(listing, before);
  return before.isTotalSound ?? (isTold && before.pages > 0 ? true : null);
}

/** The listing to read next; `undefined` when all are done. */
export function chooseListing(
  listings: readonly Listing[],
  stateOf: (listing: Listing) => ListingState,
): Listing | undefined {
  const open = listings.filter((listing) => !stateOf(listing).isDone);
  const unread = open.find((listing) => stateOf(listing).pages === 0);
  if (unread !== undefined) return unread;
  // Last pages are read at the end, so that all totals are of nearly the same moment.
  const inside = open.filter((listing) => !isLastNext(listing, stateOf(listing)));
  // The listings are read at the same pace: an item that moves between two of them is then either
  // behind both positions and was read, or before both and will be.
  const far = (listing: Listing): number => stateOf(listing).rank ?? 0;
  return inside.toSorted((a, b) => far(a) - far(b))[0] ?? open.at(-1);
}

const isLastNext = (listing: Listing, state: ListingState): boolean =>
  (state.pages + 1) * sizeOf(listing, state) >= (state.total ?? 0);
