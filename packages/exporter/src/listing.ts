/** One listing as an export reads it: page by page, in an order in which new items come last. */

import type { ListingEnd } from "@catalog/client";

import type { StagedItem } from "./staging.ts";

/** A page of a listing, ready to be stored. */
export interface ListingPage {
  readonly total: number;
  readonly items: readonly StagedItem[];
}

/** A page, and where it stands in its listing. */
export interface NumberedPage extends ListingPage {
  /** Counted from 1. */
  readonly page: number;
  /** Number of items in a full page. */
  readonly pageSize: number;
}

/** The first page to read, and the end of the listing. */
export interface PagesFrom {
  readonly page: number;
  readonly size: number;
  /** Ends the reading at once. */
  readonly signal: AbortSignal;
  readonly onEnd: (end: ListingEnd) => void;
}

export interface Listing {
  /** Name of the listing among those of the export, also in the checkpoint. */
  readonly name: string;
  /** Items requested for a page; the marketplace may return fewer. */
  readonly pageSize: number;
  /** Reads the pages of this size from this one on; they are asked for side by side. */
  pages(from: PagesFrom): AsyncIterable<NumberedPage>;
  /** Fetches a page of the listing cut into pages of this size; rejects where there is none. */
  fetch(page: number, size: number): Promise<ListingPage>;
}

/** Progress of reading one listing. */
export interface ListingState {
  /** Pages read in this pass, from the first on. */
  readonly pages: number;
  /** Total in the last page; `null` before the first one. */
  readonly total: number | null;
  /** Items that this listing was the first to show, in all passes. */
  readonly found: number;
  /** Items in a page of the marketplace. @default as many as requested */
  readonly size?: number | undefined;
  readonly isDone: boolean;
  /** What the listing turned out to be; `undefined` before its end. */
  readonly end?: ListingEnd | undefined;
}

export const UNREAD: ListingState = {
  pages: 0,
  total: null,
  found: 0,
  isDone: false,
};

/** Page size of the listing, known once the first page was read. */
export const sizeOf = (listing: Listing, { size }: ListingState): number =>
  size ?? listing.pageSize;

/** Number of the last page, by the total. */
export const lastPageOf = (listing: Listing, state: ListingState): number =>
  Math.max(1, Math.ceil((state.total ?? 0) / sizeOf(listing, state)));
