/**
 * Reads listings to their end while others change them. Pages are cut by position: when an item
 * leaves a listing, the items after it move up, and one of them slips onto a page that was already
 * read; an item can also change from a listing that is still to be read to one that was read. A
 * pass over all listings, which are read at once, therefore counts only where they stood still
 * meanwhile: all totals are equal at every answer, also at one to each listing after all were read,
 * they are the number of items that were read, and no item came twice. Then an item can be missing
 * only where one that came has left every listing, whatever the order of the pages. Otherwise the
 * listings are read again, and the items are merged by id. After an interruption a pass begins
 * anew, since much may have moved meanwhile; its items are kept. An item that is listed from the
 * first call to the last is exported once, or the reading is reported as not consistent. An item
 * that appears meanwhile is exported once or not at all.
 */

import type { ListingEnd } from "@catalog/client";
import { isNoSuchPage } from "@catalog/client/errors";
import type { Connection } from "@catalog/connection";

type ExportStaging = Connection["memory"]["exportStaging"];

/** An export in progress. */
export type ExportJob = Awaited<ReturnType<ExportStaging["open"]>>;

/** One item that was read, such as a product. */
export type StagedItem = Parameters<ExportJob["save"]>[0][number];

/** Progress of an export: its listings by name, and the parts that it has finished. */
export type ExportCheckpoint = NonNullable<Awaited<ReturnType<ExportJob["readCheckpoint"]>>>;

/** What a finished export leaves for the next one. */
export type ExportMark = Parameters<ExportJob["finish"]>[0];

/** A page of a listing, ready to be stored. */
export interface ListingPage {
  readonly total: number;
  readonly items: readonly StagedItem[];
}

/** A page, and where it stands in its listing. */
interface NumberedPage extends ListingPage {
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
interface ListingState {
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

const UNREAD: ListingState = {
  pages: 0,
  total: null,
  found: 0,
  isDone: false,
};

/** Page size of the listing, known once the first page was read. */
const sizeOf = (listing: Listing, { size }: ListingState): number => size ?? listing.pageSize;

/** Number of the last page, by the total. */
const lastPageOf = (listing: Listing, state: ListingState): number =>
  Math.max(1, Math.ceil((state.total ?? 0) / sizeOf(listing, state)));

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

interface ListingReadingOptions {
  readonly listings: readonly Listing[];
  readonly job: Pick<ExportJob, "readCheckpoint" | "save">;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onPage?: ((progress: ListingsProgress) => void) | undefined;
}

interface ListingReading {
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
async function createListingReading(options: ListingReadingOptions): Promise<ListingReading> {
  const { listings, job, stop } = options;
  const { lanes: begun, parts } = (await job.readCheckpoint()) ?? UNBEGUN;
  const states = new Map(
    listings.map((listing) => [listing, unreadWith(begun[listing.name]?.found)]),
  );
  const stateOf = (listing: Listing): ListingState => states.get(listing) ?? UNREAD;
  const setState = (listing: Listing, state: Partial<ListingState>): void =>
    void states.set(listing, { ...stateOf(listing), ...state });
  const items = (): number => addUp(listings.map((listing) => stateOf(listing).found));
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
  const expected = addUp(states.map(({ state }) => state.total ?? 0));
  if (states.some(({ state }) => state.total === null)) return { expected, callsLeft: undefined };
  const read = addUp(states.map(({ state }) => state.pages));
  const callsLeft = addUp(
    states.map(({ listing, state }) =>
      state.isDone ? 0 : Math.max(0, lastPageOf(listing, state) - state.pages),
    ),
  );
  return { expected, callsLeft, pages: { read, of: read + callsLeft } };
}

const addUp = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

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

/** A listing without items has no page, and its end gives its total. */
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
