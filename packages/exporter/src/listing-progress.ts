/** Progress of reading several listings together. */

import type { ExportCheckpoint, ExportJob, ListingState, SortKeyGap } from "@catalog/database";

import { type Listing, type ListingPage, sizeOf, UNREAD } from "./listing.ts";
import type { PageBoundary } from "./reread-pages.ts";

/** Progress of the reading, for people. */
export interface ListingsProgress {
  readonly items: number;
  /** Items by the totals that are known so far. */
  readonly expected: number;
  /** Calls that are still needed by the totals; `undefined` while one of them is not known. */
  readonly callsLeft: number | undefined;
}

export interface ListingReadingOptions {
  readonly listings: readonly Listing[];
  readonly job: Pick<ExportJob, "readCheckpoint" | "save" | "listSortKeyGaps">;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onPage?: ((progress: ListingsProgress) => void) | undefined;
}

export interface ListingReading {
  readonly listings: readonly Listing[];
  /** Page boundaries passed since the reading began or was resumed. */
  readonly boundaries: PageBoundary[];
  /** Number of passed boundaries when the key was last read. */
  readonly boundariesAt: Map<Listing, number>;
  /** Sort key of the first item that each listing has shown. */
  readonly firstSortKeys: Map<Listing, number>;
  /** Sort key of the last item on each listing's last page. */
  readonly lastSortKeys: Map<Listing, number | null>;
  stateOf(listing: Listing): ListingState;
  /** Stores the listing's state; a total that differs from the one before is a sign of movement. */
  setState(listing: Listing, state: ListingState): void;
  /** Returns whether a total has changed since the last call, and resets it. */
  takeMoved(): boolean;
  isStopped(): boolean;
  /** Distinct items read so far. */
  items(): number;
  /** Items that the known totals promise. */
  expected(): number;
  /**
   * Stores a page and the position up to which the listing was read. Returns the number of new
   * items.
   */
  keep(listing: Listing, page: ListingPage): number;
  /** Stores a page that is read once more, and its total. Returns the number of new items. */
  keepAgain(listing: Listing, page: ListingPage): number;
  /** The first gaps between sort keys that no item fills, at most as many as given. */
  listGaps(max: number): readonly SortKeyGap[];
}

const UNBEGUN: ExportCheckpoint = { lanes: {}, parts: 0 };

/** Notes of the reading; a resumed one starts without any. */
const createNotes = ({
  job,
  stop,
}: ListingReadingOptions): Pick<
  ListingReading,
  "boundaries" | "boundariesAt" | "firstSortKeys" | "listGaps" | "isStopped"
> => ({
  isStopped: () => stop?.aborted === true,
  listGaps: (max) => job.listSortKeyGaps(max),
  boundaries: [],
  boundariesAt: new Map(),
  firstSortKeys: new Map(),
});

/** Resumes from the job's checkpoint. */
export function createListingReading(options: ListingReadingOptions): ListingReading {
  const { listings, job } = options;
  const { lanes: begun, parts } = job.readCheckpoint() ?? UNBEGUN;
  // Changes during the interruption were not seen, so movement is assumed.
  let hasMoved = Object.keys(begun).length > 0;
  const states = new Map(listings.map((listing) => [listing, begun[listing.name] ?? UNREAD]));

  const stateOf = (listing: Listing): ListingState => states.get(listing) ?? UNREAD;
  const expected = (): number => sum(listings.map((listing) => stateOf(listing).total ?? 0));
  const items = (): number => sum(listings.map((listing) => stateOf(listing).found));
  const callsLeft = (): number | undefined =>
    listings.some((listing) => stateOf(listing).total === null)
      ? undefined
      : sum(listings.map((listing) => pagesLeft(listing, stateOf(listing))));
  const checkpoint = (): ExportCheckpoint => ({
    lanes: Object.fromEntries([...states].map(([{ name }, state]) => [name, state])),
    parts,
  });
  const setState = (listing: Listing, state: ListingState): void => {
    hasMoved ||= (stateOf(listing).total ?? state.total) !== state.total;
    states.set(listing, state);
  };
  const keep = (listing: Listing, page: ListingPage): number => {
    const seen = [...new Map(page.items.map((item) => [item.id, item])).values()];
    const fresh = job.save(seen, (known) => {
      const state = stateOf(listing);
      states.set(listing, { ...state, found: state.found + seen.length - known });
      return checkpoint();
    });
    options.onPage?.({ items: items(), expected: expected(), callsLeft: callsLeft() });
    return fresh;
  };
  return {
    listings,
    ...createNotes(options),
    lastSortKeys: new Map(listings.map((listing) => [listing, stateOf(listing).rank])),
    stateOf,
    setState,
    takeMoved: () => {
      const was = hasMoved;
      hasMoved = false;
      return was;
    },
    items,
    expected,
    keep,
    keepAgain(listing, page) {
      setState(listing, { ...stateOf(listing), total: page.total });
      return keep(listing, page);
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

const pagesLeft = (listing: Listing, state: ListingState): number =>
  state.isDone
    ? 0
    : Math.max(0, Math.ceil((state.total ?? 0) / sizeOf(listing, state)) - state.pages);
