/**
 * Rechecks shortly before adds are sent whether the store shows their codes. One listing of what
 * was added since the last recheck serves every row, so it is renewed while rows are sent; where
 * the filter by date is unproven, each code is searched on its own. A store whose filters are all
 * unproven, or that hides new products, is not asked.
 */

import type { Clock } from "@catalog/clock";

import { toListedProductRow } from "../plan/read-listing.ts";
import type { ListedProductRow, ListingCache, ShopBehavior } from "../ports/journal.ts";
import { type ListQuery, type Marketplace, trustsFilter } from "../ports/marketplace.ts";
import { PAGE_SIZE, type ProductId } from "../ports/product.ts";
import { STATUS_SWEEP } from "../reconcile/find-products.ts";
import { judgeVisibility, type Visibility } from "../reconcile/visibility.ts";
import type { RowRecord } from "../row/row-record.ts";
import { ADD_RECHECK_MAX_AGE_MS, ADDS_PER_RECHECK } from "./recheck-limits.ts";

/** When the store was read: by our clock, and by the marketplace's where it gives its time. */
export interface ListingReadTime {
  readonly atMs: number;
  readonly serverMs: number | null;
}

/** Ports and limits of {@link createAddRechecks}. */
export interface AddRechecksOptions {
  readonly journal: ListingCache & ShopBehavior;
  readonly marketplace: Pick<Marketplace, "listProducts" | "trustsFilter" | "serverTimeMs">;
  readonly clock: Pick<Clock, "now">;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /** Product codes that share only this key look alike. @default none do */
  readonly suspectKey?: ((code: string) => string) | undefined;
  /** Whether the rate limit allows one call for each code. @default never */
  readonly mayAskByCode?: (() => boolean) | undefined;
  /** @default {@link ADD_RECHECK_MAX_AGE_MS} */
  readonly maxAgeMs?: number | undefined;
}

/** What is known of the codes of a run's adds; shared by all passes over its rows. */
export interface AddRechecks {
  /**
   * Records a reading of the store that covered the codes of all adds. Nothing is rechecked before
   * it.
   */
  noteRead(reading: ListingReadTime): void;
  /** Makes every recheck expire, because nothing was sent for a while. */
  expire(): void;
  /** Says whether the last recheck of the row's code is recent enough to send its request. */
  isFresh(record: RowRecord): boolean;
  /** Returns the products that the store shows under the row's code. */
  readShown(record: RowRecord): readonly ProductId[];
  /** Rechecks the codes of these rows, or of all rows where one listing covers them. */
  recheck(records: readonly RowRecord[], signal?: AbortSignal): Promise<void>;
  /** Starts to renew a recheck that will soon expire, without waiting for it. */
  renewInBackground(signal?: AbortSignal): void;
  /** Lists what was added since the store was read; returns `false` where that proves nothing. */
  recheckByDate(signal?: AbortSignal): Promise<boolean>;
  /** Records that a row has left, or was given up. */
  noteLeft(): void;
}

/**
 * Overlap with the first reading, in milliseconds: servers' clocks differ, and products are listed
 * late.
 */
const FIRST_SKEW_MS = 10 * 60_000;

/**
 * Overlap with the recheck before, in milliseconds: a product missed by one recheck is in the next.
 */
const NEXT_SKEW_MS = 60_000;

/** A product is assumed to be listed at most this many times as late as the latest of ours. */
const LAG_FACTOR = 2;

/** Longest validity of a recheck, in milliseconds, however few adds have left since. */
const MAX_AGE_MS = 10 * 60_000;

/**
 * A listing that is longer than this, in products, costs too many calls. It shows our own adds of
 * the last minute as well, some 15,000 at 16 at a time.
 */
const MAX_LISTED = 20_000;

/** Codes that are searched at a time. */
const CODES_AT_ONCE = 8;

interface State {
  /** Product ids by the key of the code that the store was seen to show. */
  readonly shown: Map<string, Set<ProductId>>;
  /** When a code was searched on its own, in milliseconds. */
  readonly askedAtMs: Map<string, number>;
  /** Time up to which every code was rechecked, or could not be. */
  atMs: number | undefined;
  /** Start of the next listing by date. */
  since: { readonly serverMs: number; readonly isFirst: boolean } | undefined;
  /** Calls of the last recheck. */
  calls: number;
  /** Adds that have left since the last recheck. */
  left: number;
  listing: Promise<boolean> | undefined;
}

/** Creates rechecks that do nothing until `noteRead` is called. */
export function createAddRechecks(options: AddRechecksOptions): AddRechecks {
  const { maxAgeMs = ADD_RECHECK_MAX_AGE_MS } = options;
  const state: State = {
    shown: new Map(),
    askedAtMs: new Map(),
    atMs: undefined,
    since: undefined,
    calls: 0,
    left: 0,
    listing: undefined,
  };
  const isFresh = ({ codeKey: key }: RowRecord): boolean => {
    if (state.atMs === undefined) return true;
    const askedAtMs = state.askedAtMs.get(key ?? "") ?? -Infinity;
    return isCovered(options, state, Math.max(state.atMs, askedAtMs));
  };

  return {
    noteRead({ atMs, serverMs }) {
      state.atMs = atMs;
      state.since = serverMs === null ? undefined : { serverMs, isFirst: true };
      recordRecheck(state, 0);
    },
    expire() {
      if (state.atMs !== undefined) state.atMs = -Infinity;
      state.askedAtMs.clear();
    },
    isFresh,
    readShown: ({ codeKey: key }) => [...(state.shown.get(key ?? "") ?? [])],
    recheckByDate: (signal) => recheckByDate(options, state, signal),
    async recheck(records, signal) {
      const startMs = options.clock.now();
      if (await recheckByDate(options, state, signal)) return;
      const stale = records.filter((record) => !isFresh(record));
      if (stale.length === 0 || (await recheckByCode(options, state, { stale, signal }))) return;
      // Where no filter is proven, rows are sent without a recheck.
      state.atMs = startMs;
    },
    renewInBackground(signal) {
      const { atMs, listing } = state;
      if (atMs === undefined || listing !== undefined) return;
      if (isCovered(options, state, atMs - maxAgeMs / 2)) return;
      // The row that needs the recheck repeats it, and gets the error.
      recheckByDate(options, state, signal).catch(() => undefined);
    },
    noteLeft() {
      state.left += 1;
    },
  };
}

function isCovered(
  { clock, mayAskByCode, maxAgeMs = ADD_RECHECK_MAX_AGE_MS }: AddRechecksOptions,
  { left, calls }: State,
  readMs: number,
): boolean {
  const ageMs = clock.now() - readMs;
  // A recheck from the future was made before the clock was put back.
  if (ageMs < 0) return false;
  // A recheck stays valid longer only under a small rate limit, to save calls.
  const isThrifty = mayAskByCode?.() !== true;
  return ageMs <= maxAgeMs || (isThrifty && ageMs <= MAX_AGE_MS && left < ADDS_PER_RECHECK * calls);
}

function recordRecheck(state: State, calls: number): void {
  state.calls = calls;
  state.left = 0;
}

async function readVisible({ journal }: AddRechecksOptions): Promise<Visibility> {
  return judgeVisibility(await journal.readLagSamples());
}

async function recheckByDate(
  options: AddRechecksOptions,
  state: State,
  signal?: AbortSignal,
): Promise<boolean> {
  // One listing serves all callers; the caller that started it may have been aborted.
  while (state.listing !== undefined) {
    if (await state.listing.catch(() => false)) return true;
  }
  signal?.throwIfAborted();
  state.listing = listSince(options, state, signal).finally(() => {
    state.listing = undefined;
  });
  return await state.listing;
}

/** Lists every product that was added since the store was read, in every status. */
async function listSince(
  options: AddRechecksOptions,
  state: State,
  signal?: AbortSignal,
): Promise<boolean> {
  const { clock, marketplace } = options;
  const { since } = state;
  const { verdict, maxLagMs } = await readVisible(options);
  // A store that hides new products hides those of other programs too.
  if (since === undefined || verdict === "blind") return false;
  if (!(await trustsFilter(options.marketplace, "start_date", signal))) return false;
  const startMs = clock.now();
  const startServerMs = marketplace.serverTimeMs?.() ?? since.serverMs;
  const laterMs = Math.min(FIRST_SKEW_MS, Math.max(NEXT_SKEW_MS, LAG_FACTOR * maxLagMs));
  const addedAfterMs = since.serverMs - (since.isFirst ? FIRST_SKEW_MS : laterMs);
  const calls = await list(options, state, { addedAfterMs, signal });
  if (calls === undefined) return false;
  state.atMs = startMs;
  // Where the marketplace's time goes back, the listing starts where the last one did.
  state.since = { serverMs: Math.max(since.serverMs, startServerMs), isFirst: false };
  recordRecheck(state, calls);
  return true;
}

interface CodeQuery {
  readonly stale: readonly RowRecord[];
  readonly signal: AbortSignal | undefined;
}

/** Searches the code of each row, several at a time. */
async function recheckByCode(
  options: AddRechecksOptions,
  state: State,
  { stale, signal }: CodeQuery,
): Promise<boolean> {
  if (options.mayAskByCode?.() !== true) return false;
  if ((await readVisible(options)).verdict !== "visible") return false;
  if (!(await trustsFilter(options.marketplace, "product_code", signal))) return false;
  const ask = async ({ code, codeKey: key }: RowRecord): Promise<void> => {
    const startMs = options.clock.now();
    await list(options, state, { code: code ?? "", signal });
    state.askedAtMs.set(key ?? "", startMs);
  };
  for (let at = 0; at < stale.length; at += CODES_AT_ONCE) {
    await Promise.all(stale.slice(at, at + CODES_AT_ONCE).map(ask));
  }
  recordRecheck(state, STATUS_SWEEP.length);
  return true;
}

type Listing = Pick<ListQuery, "addedAfterMs" | "code" | "signal">;

/**
 * Lists the statuses in the order of a sweep, and saves what they show. Returns the number of
 * calls; `undefined` where the listing is too long.
 */
async function list(
  { journal, marketplace, codeKey, suspectKey }: AddRechecksOptions,
  { shown }: State,
  query: Listing,
): Promise<number | undefined> {
  let calls = 0;
  let listed = 0;
  for (const status of STATUS_SWEEP) {
    const before = listed;
    const seen: ListedProductRow[] = [];
    for await (const product of marketplace.listProducts({ ...query, status })) {
      const found = toListedProductRow(product, status, { codeKey, suspectKey });
      shown.set(found.codeKey, (shown.get(found.codeKey) ?? new Set()).add(product.id));
      seen.push(found);
      listed += 1;
      if (listed > MAX_LISTED) return undefined;
    }
    // Saved, because look-alike codes are compared with everything that was listed.
    await journal.saveSeen(seen);
    calls += Math.max(1, Math.ceil((listed - before) / PAGE_SIZE));
  }
  return calls;
}
