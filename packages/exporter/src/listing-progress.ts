/** Progress of reading several listings, stored with the items. */

import {
  lastPageOf,
  type Listing,
  type ListingPage,
  type ListingState,
  UNREAD,
} from "./listing.ts";
import type { ExportCheckpoint, ExportJob } from "./staging.ts";

/** Progress of the reading, for people. */
export interface ListingsProgress {
  readonly items: number;
  /** Items by the totals that are known so far. */
  readonly expected: number;
  /** Pages read, and pages by the totals; `undefined` while one of the totals is not known. */
  readonly pages?: { readonly read: number; readonly of: number } | undefined;
  /** Calls that are still needed by the totals; `undefined` while one of them is not known. */
  readonly callsLeft: number | undefined;
}

export interface ListingReadingOptions {
  readonly listings: readonly Listing[];
  readonly job: Pick<ExportJob, "readCheckpoint" | "save">;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onPage?: ((progress: ListingsProgress) => void) | undefined;
}

export interface ListingReading {
  readonly listings: readonly Listing[];
  isStopped(): boolean;
  stateOf(listing: Listing): ListingState;
  setState(listing: Listing, state: Partial<ListingState>): void;
  /** Distinct items read so far, in all passes. */
  items(): number;
  /**
   * Stores a page with the position up to which the listing was read. Returns the new items. Pages
   * are stored one after the other, as each position counts the items before it.
   */
  keep(listing: Listing, page: ListingPage): Promise<number>;
  /** Begins to read all listings once more. */
  restart(): void;
}

const UNBEGUN: ExportCheckpoint = { lanes: {}, parts: 0 };

/** Goes on with the items of the job's checkpoint. */
export async function createListingReading(
  options: ListingReadingOptions,
): Promise<ListingReading> {
  const { listings, job, stop } = options;
  const { lanes: begun, parts } = (await job.readCheckpoint()) ?? UNBEGUN;
  const states = new Map(
    listings.map((listing) => [listing, unreadWith(begun[listing.name]?.found)]),
  );
  const stateOf = (listing: Listing): ListingState => states.get(listing) ?? UNREAD;
  const setState = (listing: Listing, state: Partial<ListingState>): void =>
    void states.set(listing, { ...stateOf(listing), ...state });
  const items = (): number => sum(listings.map((listing) => stateOf(listing).found));
  const checkpoint = (changed: Listing, fresh: number): ExportCheckpoint => ({
    lanes: Object.fromEntries(
      [...states].map(([listing, { found }]) => [
        listing.name,
        { found: listing === changed ? found + fresh : found },
      ]),
    ),
    parts,
  });
  const save = async (listing: Listing, page: ListingPage): Promise<number> => {
    const seen = [...new Map(page.items.map((item) => [item.id, item])).values()];
    const fresh = await job.save(seen, (known) => checkpoint(listing, seen.length - known));
    setState(listing, { found: stateOf(listing).found + fresh });
    options.onPage?.({ items: items(), ...toProgress(listings, stateOf) });
    return fresh;
  };
  let saving: Promise<unknown> = Promise.resolve();
  return {
    listings,
    isStopped: () => stop?.aborted === true,
    stateOf,
    setState,
    items,
    keep(listing, page) {
      const saved = saving.then(() => save(listing, page));
      saving = saved.catch(() => undefined);
      return saved;
    },
    restart() {
      for (const listing of listings) {
        states.set(listing, unreadWith(stateOf(listing).found));
      }
    },
  };
}

const unreadWith = (found: number = 0): ListingState => ({ ...UNREAD, found });

function toProgress(
  listings: readonly Listing[],
  stateOf: (listing: Listing) => ListingState,
): Omit<ListingsProgress, "items"> {
  const states = listings.map((listing) => ({ listing, state: stateOf(listing) }));
  const expected = sum(states.map(({ state }) => state.total ?? 0));
  if (states.some(({ state }) => state.total === null)) return { expected, callsLeft: undefined };
  const read = sum(states.map(({ state }) => state.pages));
  const callsLeft = sum(
    states.map(({ listing, state }) =>
      state.isDone ? 0 : Math.max(0, lastPageOf(listing, state) - state.pages),
    ),
  );
  return { expected, callsLeft, pages: { read, of: read + callsLeft } };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
