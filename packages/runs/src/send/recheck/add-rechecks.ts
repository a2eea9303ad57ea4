/**
 * Looks whether the store shows the codes of adds by now, shortly before their requests leave. One
 * listing of what was added since the last look serves every row, so it is renewed beside the
 * sending; where the store's filter by date is not trusted, each code is asked for on its own. A
 * store whose filters prove nothing, or that hides what is added, is not asked.
 */

import { type Clock } from "@catalog/clock";
import { LISTING_STATUSES, MAX_PAGE_SIZE, type ProductId } from "@catalog/contract";

import { toSeen } from "../../plan/read-listing.ts";
import { type ListingCache, type SeenProduct } from "../../ports/listing-cache.ts";
import { type ListQuery, type Marketplace } from "../../ports/marketplace.ts";
import { type ShopBehavior } from "../../ports/shop-behavior.ts";
import { mayTrust } from "../../reconcile/filters/trusts-filter.ts";
import { judgeVisibility, type Visibility } from "../../reconcile/visibility.ts";
import { type RowRecord } from "../../row/row-record.ts";
import { ADDS_PER_CALL } from "./add-recheck-calls.ts";
import { ADD_LOOK_MAX_AGE_MS } from "./recheck-age.ts";

/** When the store was read: by our clock, and by the marketplace's where it tells its time. */
export interface ReadMoment {
  readonly atMs: number;
  readonly serverMs: number | null;
}

/** What {@link createAddLooks} looks with, and how many calls it may spend. */
export interface AddLooksOptions {
  readonly journal: ListingCache & ShopBehavior;
  readonly marketplace: Pick<Marketplace, "listProducts" | "mayTrust" | "serverTimeMs">;
  readonly clock: Pick<Clock, "now">;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /** Product codes with only this key in common look the same. @default none do */
  readonly suspectKey?: ((code: string) => string) | undefined;
  /** Whether so many calls may be spent that each code is asked for on its own. @default never */
  readonly mayAskByCode?: (() => boolean) | undefined;
  /** @default {@link ADD_LOOK_MAX_AGE_MS} */
  readonly maxAgeMs?: number | undefined;
}

/** What is known of the codes of a run's adds; shared by all passes over its rows. */
export interface AddLooks {
  /** The store was read for the codes of all adds. Until then nothing is looked at. */
  noteRead(reading: ReadMoment): void;
  /** What was seen counts as old: nothing was sent for a while. */
  expire(): void;
  /** Whether the last look at the row's code is young enough for its request to rest on it. */
  isFresh(record: RowRecord): boolean;
  /** The products that the store shows under the row's code. */
  readShown(record: RowRecord): readonly ProductId[];
  /** Looks for the codes of these rows, or of all where one listing tells. */
  look(records: readonly RowRecord[], signal?: AbortSignal): Promise<void>;
  /** Begins to renew a look that will soon be too old, and waits for nothing. */
  renewSoon(signal?: AbortSignal): void;
  /** Lists what was added since the store was read; `false` where that proves nothing. */
  lookByDate(signal?: AbortSignal): Promise<boolean>;
  /** A row has left, or was given up. */
  noteLeft(): void;
}

/** Servers of one marketplace may differ, and a product is listed some time after it was added. */
const FIRST_SKEW_MS = 10 * 60_000;

/** What a look may have missed is listed by the next one; so the later ones go less far back. */
const NEXT_SKEW_MS = 60_000;

/** Products are listed at most so many times as late as the latest of ours. */
const LAG_FACTOR = 2;

/** Where few adds have left since it, a look serves longer than otherwise, but no longer than this. */
const LONGEST_AGE_MS = 10 * 60_000;

/** A listing that is longer than this is no cheap look. */
const MOST_LISTED = 5_000;

/** Codes that are asked for at a time. */
const CODES_AT_ONCE = 8;

interface State {
  /** Product ids by key of the code under which the store was seen to show them. */
  readonly shown: Map<string, Set<ProductId>>;
  /** When a code was asked for on its own. */
  readonly askedAtMs: Map<string, number>;
  /** Up to when every code was looked for, or could not be. */
  atMs: number | undefined;
  /** From where the next listing by date begins. */
  since: { readonly serverMs: number; readonly isFirst: boolean } | undefined;
  /** Calls that the last look has taken. */
  calls: number;
  /** Adds that have left since. */
  left: number;
  listing: Promise<boolean> | undefined;
}

/** Knows nothing, and has nothing looked at, until it is told when the store was read. */
export function createAddLooks(options: AddLooksOptions): AddLooks {
  const { maxAgeMs = ADD_LOOK_MAX_AGE_MS } = options;
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
      noteLook(state, 0);
    },
    expire() {
      if (state.atMs !== undefined) state.atMs = -Infinity;
      state.askedAtMs.clear();
    },
    isFresh,
    readShown: ({ codeKey: key }) => [...(state.shown.get(key ?? "") ?? [])],
    lookByDate: (signal) => lookByDate(options, state, signal),
    async look(records, signal) {
      const startMs = options.clock.now();
      if (await lookByDate(options, state, signal)) return;
      const stale = records.filter((record) => !isFresh(record));
      if (stale.length === 0 || (await askByCode(options, state, { stale, signal }))) return;
      // Where nothing can be looked up, nothing is waited for either.
      state.atMs = startMs;
    },
    renewSoon(signal) {
      const { atMs, listing } = state;
      if (atMs === undefined || listing !== undefined) return;
      if (isCovered(options, state, atMs - maxAgeMs / 2)) return;
      // The row that needs it looks again, and hears of a failure.
      lookByDate(options, state, signal).catch(() => undefined);
    },
    noteLeft() {
      state.left += 1;
    },
  };
}

function isCovered(
  { clock, mayAskByCode, maxAgeMs = ADD_LOOK_MAX_AGE_MS }: AddLooksOptions,
  { left, calls }: State,
  lookedMs: number,
): boolean {
  const ageMs = clock.now() - lookedMs;
  // A look from the future is one from before the clock was put back.
  if (ageMs < 0) return false;
  // Only where calls are counted may a look serve longer, so that looking does not use them up.
  const isThrifty = mayAskByCode?.() !== true;
  return (
    ageMs <= maxAgeMs || (isThrifty && ageMs <= LONGEST_AGE_MS && left < ADDS_PER_CALL * calls)
  );
}

function noteLook(state: State, calls: number): void {
  state.calls = calls;
  state.left = 0;
}

async function readVisible({ journal }: AddLooksOptions): Promise<Visibility> {
  return judgeVisibility(await journal.readLagSamples());
}

async function lookByDate(
  options: AddLooksOptions,
  state: State,
  signal?: AbortSignal,
): Promise<boolean> {
  // One listing serves all who need one; whoever began it may have been stopped.
  while (state.listing !== undefined) {
    if (await state.listing.catch(() => false)) return true;
  }
  signal?.throwIfAborted();
  state.listing = listSince(options, state, signal).finally(() => {
    state.listing = undefined;
  });
  return await state.listing;
}

/** Everything that was added since the store was read, under every status. */
async function listSince(
  options: AddLooksOptions,
  state: State,
  signal?: AbortSignal,
): Promise<boolean> {
  const { clock, marketplace } = options;
  const { since } = state;
  const { verdict, maxLagMs } = await readVisible(options);
  // In a store that hides what is added, somebody else's add is not shown either.
  if (since === undefined || verdict === "blind") return false;
  if (!(await mayTrust(options.marketplace, "start_date", signal))) return false;
  const startMs = clock.now();
  const startServerMs = marketplace.serverTimeMs?.() ?? since.serverMs;
  const laterMs = Math.min(FIRST_SKEW_MS, Math.max(NEXT_SKEW_MS, LAG_FACTOR * maxLagMs));
  const addedAfterMs = since.serverMs - (since.isFirst ? FIRST_SKEW_MS : laterMs);
  const calls = await list(options, state, { addedAfterMs, signal });
  if (calls === undefined) return false;
  state.atMs = startMs;
  // A marketplace whose time goes back is read from where it was read before.
  state.since = { serverMs: Math.max(since.serverMs, startServerMs), isFirst: false };
  noteLook(state, calls);
  return true;
}

interface Asked {
  readonly stale: readonly RowRecord[];
  readonly signal: AbortSignal | undefined;
}

/** Asks for the code of each row, several at a time. */
async function askByCode(
  options: AddLooksOptions,
  state: State,
  { stale, signal }: Asked,
): Promise<boolean> {
  if (options.mayAskByCode?.() !== true) return false;
  if ((await readVisible(options)).verdict !== "visible") return false;
  if (!(await mayTrust(options.marketplace, "product_code", signal))) return false;
  const ask = async ({ code, codeKey: key }: RowRecord): Promise<void> => {
    const startMs = options.clock.now();
    await list(options, state, { code: code ?? "", signal });
    state.askedAtMs.set(key ?? "", startMs);
  };
  for (let at = 0; at < stale.length; at += CODES_AT_ONCE) {
    await Promise.all(stale.slice(at, at + CODES_AT_ONCE).map(ask));
  }
  noteLook(state, LISTING_STATUSES.length);
  return true;
}

type Listing = Pick<ListQuery, "addedAfterMs" | "code" | "signal">;

/** Says how many calls it took at least; `undefined` where the listing is too long. */
async function list(
  { journal, marketplace, codeKey, suspectKey }: AddLooksOptions,
  { shown }: State,
  query: Listing,
): Promise<number | undefined> {
  let calls = 0;
  let listed = 0;
  for (const status of LISTING_STATUSES) {
    const before = listed;
    const seen: SeenProduct[] = [];
    for await (const product of marketplace.listProducts({ ...query, status })) {
      const found = toSeen(product, status, { codeKey, suspectKey });
      shown.set(found.codeKey, (shown.get(found.codeKey) ?? new Set()).add(product.id));
      seen.push(found);
      listed += 1;
      if (listed > MOST_LISTED) return undefined;
    }
    // Codes that only look like ours are compared with all that was listed.
    await journal.saveSeen(seen);
    calls += Math.max(1, Math.ceil((listed - before) / MAX_PAGE_SIZE));
  }
  return calls;
}
