/**
 * Brings the stock and the prices of a store to what a feed says. Only products that are there are
 * changed, and only in the fields that differ from what the store is known to have. Nobody is
 * asked: a feed that looks wrong is refused as a whole, a price that looks wrong is held.
 *
 * Safe beside other runs of the store: an update carries absolute values, one update of a product
 * is on its way at a time, over all processes, and what is known comes from the journal itself.
 */

import { addCalls } from "@catalog/connection";
import { type Toolkit } from "@catalog/connection";
import { recallPriceUnit, rememberPriceUnit } from "@catalog/connection";
import { type Lang, type Localized } from "@catalog/i18n";
import { type Applied, applyPlanned, type ApplyProgress } from "@catalog/importer";
import { readCodeKeys } from "@catalog/importer";
import { rememberNotations } from "@catalog/importer";
import { noteRefused, readRefused } from "@catalog/importer";
import { closeReleases, readReleases, type Releases } from "@catalog/importer";
import { codeKey, suspectCodeKey } from "@catalog/mapping";
import {
  type Counts,
  type GuardName,
  judgeFeed,
  NOTHING_UNSENDABLE,
  type PriceUnit,
  readCodeWay,
  type RunRecord,
  type RunWarning,
  settleOpen,
  toCounts,
  toGuardSettings,
  type Unsendable,
} from "@catalog/runs";

import { cancelLeftovers } from "./cancel-unsent.ts";
import { createFeedRun, recordRefusal } from "./feed-run.ts";
import {
  feedKey,
  type FeedNote,
  readFeedNote,
  readStoreNote,
  saveFeedNote,
  saveStoreNote,
  type StoreNote,
} from "./feed-state.ts";
import { newWarnings, warnOfPlan } from "./feed-warnings.ts";
import { type FeedFetch, type FeedFile } from "./file/feed-file.ts";
import { fetchFeed, type FetchedFeed } from "./file/fetch-feed.ts";
import { type FeedReading, openFeed, type OpenedFeed } from "./file/open-feed.ts";
import { createFreshProducts, type FreshProducts } from "./fresh-products.ts";
import { type FeedPlan, planFeed } from "./plan-feed.ts";
import { sweepStore } from "./refresh-listing.ts";
import { refuse } from "./refuse-feed.ts";
import { surveyFeed } from "./scan-feed.ts";
import { readBack } from "./spot-check.ts";

export interface SyncFeedOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly lang: Lang;
  readonly reading: Omit<FeedReading, "signal">;
  /** Guards that let everything pass this time; where they hold is the toolkit's setting. */
  readonly allowed: readonly GuardName[];
  /** How often the store is read as a whole; 0 is every time. */
  readonly reconcileMs: number;
  /** @default no feed is too old */
  readonly maxAgeMs?: number | undefined;
  /** In which unit the store answers prices. @default learnt */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Sends fields that the store is known not to take all the same. @default false */
  readonly tryRefused?: boolean | undefined;
  readonly reportDir: string;
  /** @default addresses are refused */
  readonly fetch?: FeedFetch | undefined;
  /** Stops new requests; those on their way are waited for. */
  readonly stop?: AbortSignal | undefined;
  readonly onEvent?: ((event: SyncEvent) => void) | undefined;
}

/** What a sync does at the moment. */
export type SyncEvent =
  | { readonly event: "reading-store"; readonly products: number }
  | { readonly event: "planned"; readonly updates: number }
  | ({ readonly event: "sent" } & Pick<ApplyProgress, "done" | "total">);

/** What a sync came to. */
export interface Synced {
  /** Nothing where the address said that its feed is the one that was taken last. */
  readonly run: RunRecord | undefined;
  readonly end: Applied["end"];
  readonly reason: Localized | undefined;
  readonly counts: Counts;
  /** What the store does not take; its rows are among the skipped and the updated. */
  readonly unsendable: Unsendable;
  /** Held rows whose prices cannot be compared until the unit of the store's prices is known. */
  readonly unguarded: number;
  /** Rows whose product the store does not have. */
  readonly unknownCodes: number;
  /** Rows that a guard would hold and a person has let go. */
  readonly released: number;
  /** Products that were read from the store, where it was read as a whole. */
  readonly reconciled: number | undefined;
  readonly warnings: readonly Localized[];
  /** The store said yes and shows other values, or is known not to take a field of the feed. */
  readonly isDoubted: boolean;
}

/** Runs one sync. Throws `ToolkitError` `E_FEED_…` for a feed that is not believed, and `StoreError` `E_STORE_BUSY`. */
export async function syncFeed(toolkit: Toolkit, options: SyncFeedOptions): Promise<Synced> {
  using lock = toolkit.lockFeeds("catalog sync");
  const tools: Toolkit = { ...toolkit, journal: toolkit.feedJournal };
  // A sync is short, and what it sends grows old: it passes long runs in the common quota.
  toolkit.pacing.hurry();
  const before = toolkit.calls.counts();
  const key = feedKey(options.feed);
  const foreign = await settleEarlier(tools, options.stop);
  const store = await readStore(tools);
  const isDue = isSweepDue(store, options.reconcileMs, toolkit.clock.now());
  const last = readFeedNote(tools.feeds, key);
  const mayRest =
    foreign === 0 && !isDue && last?.isSettled === true && options.tryRefused !== true;
  const releases = await readReleases(tools);
  const fetched = await fetchFeed(options, mayRest ? last : undefined);
  if (fetched.kind === "unchanged") return RESTED;
  using file = fetched.file;
  try {
    const fed = await prepare(tools, options, { file, last, store, isDue, releases });
    const run = await createFeedRun(tools, { ...options, ...fed, file });
    await tools.readBack.saveBefore(run.id, fed.fresh.toBefore(fed.plan.rows));
    lock.nameRun(run.id);
    await addCalls(tools, run.id, before);
    return await send(tools, options, { ...fed, run, fetched, key });
  } catch (error) {
    await recordRefusal(tools, { ...options, file, error });
    throw error;
  }
}

const RESTED: Synced = {
  run: undefined,
  end: "finished",
  reason: undefined,
  counts: toCounts([]),
  unsendable: NOTHING_UNSENDABLE,
  unguarded: 0,
  unknownCodes: 0,
  released: 0,
  reconciled: undefined,
  warnings: [
    {
      tr: "Besleme son alınandan beri değişmemiş; yapılacak bir şey yok.",
      en: "The feed has not changed since it was taken last; there is nothing to do.",
    },
  ],
  isDoubted: false,
};

/** Settles what earlier syncs left open; says how much other runs have sent meanwhile. */
async function settleEarlier(tools: Toolkit, signal: AbortSignal | undefined): Promise<number> {
  const { journal, marketplace, clock, feeds } = tools;
  const open = { journal, marketplace, clock, sheet: "", signal };
  await settleOpen({ ...open, ...(await readCodeKeys(tools)) });
  await cancelLeftovers(tools);
  return feeds.absorb();
}

/**
 * The unit of prices is the marketplace's, whoever has found it out: an import, or a feed. The one in
 * the note is not believed: older versions kept there what a feed had suggested.
 */
async function readStore(tools: Toolkit): Promise<StoreNote> {
  const note = readStoreNote(tools.feeds);
  const { remembered: priceUnit = "unknown" } = await recallPriceUnit(tools);
  return { ...note, priceUnit };
}

function isSweepDue({ reconciledAtMs }: StoreNote, everyMs: number, nowMs: number): boolean {
  // A clock that was put back says nothing about how long ago it was.
  if (reconciledAtMs === null || reconciledAtMs > nowMs) return true;
  return nowMs - reconciledAtMs >= everyMs;
}

interface Found {
  readonly file: FeedFile;
  readonly last: FeedNote | undefined;
  readonly store: StoreNote;
  readonly isDue: boolean;
  readonly releases: Releases;
}

/** A feed that was read, believed and compared. */
interface Fed {
  readonly feed: Pick<OpenedFeed, "kind" | "mapping" | "endsWithBreak"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "header">;
  };
  readonly plan: FeedPlan;
  readonly rows: number;
  readonly store: StoreNote;
  readonly reconciled: number | undefined;
  /** What is said once for all rows of the feed. */
  readonly warnings: readonly RunWarning[];
  readonly releases: Releases;
  readonly fresh: FreshProducts;
}

async function prepare(tools: Toolkit, options: SyncFeedOptions, found: Found): Promise<Fed> {
  const { file, releases } = found;
  const signal = options.stop;
  const reading = { ...options.reading, signal };
  await using feed = await openFeed(file, reading);
  const survey = await surveyFeed(tools, feed, reading);
  const { rows } = survey;
  const lastRows = found.last?.rows;
  const isCutOff = !feed.endsWithBreak && (found.last?.endsWithBreak === true || survey.endsShort);
  const ageMs = file.modifiedMs === undefined ? undefined : tools.clock.now() - file.modifiedMs;
  const { maxAgeMs } = options;
  const guards = toGuardSettings(tools.guardLimits, options.allowed);
  const facts = { rows, lastRows, ageMs, maxAgeMs, isCutOff };
  // Before the store is read: a feed that is refused should cost nothing.
  refuse(judgeFeed({ ...facts, stock: { rows: 0, emptied: 0 } }, guards), { ...facts, file });

  const { store, reconciled } = await refresh(tools, options, found);
  const priceUnit: PriceUnit = options.priceUnit ?? tools.priceUnit ?? store.priceUnit;
  const { feeds } = tools;
  const refused = await readRefused(tools, options.tryRefused);
  const { sweep, reconciledAtMs: sweptAtMs } = store;
  const fresh = createFreshProducts(tools, { sweep, priceUnit, sweptAtMs, signal });
  const plan = await planFeed({
    feeds,
    fresh,
    feed,
    survey,
    guards,
    priceUnit,
    refused,
    way: await readCodeWay({ book: tools.codes, suspectKey: suspectCodeKey }, codeKey),
    releases,
    signal,
  });
  refuse(judgeFeed({ ...facts, stock: plan.stock }, guards), { ...facts, file, plan });
  file.assertSame();
  const learnt = { ...store, priceUnit };
  const isSaid = (options.priceUnit ?? tools.priceUnit) !== undefined;
  if (isSaid) await rememberPriceUnit(tools, priceUnit, "person");
  // A feed that is believed is sent without a question.
  const headers = feed.mapping.columns.map(({ header }) => header);
  await rememberNotations(tools, headers, survey.notations.columns);
  const warnings = warnOfPlan(plan, noteRefused(feed.mapping, refused));
  return { feed, plan, rows, store: learnt, reconciled, warnings, releases, fresh };
}

async function refresh(
  tools: Toolkit,
  { stop: signal, onEvent }: SyncFeedOptions,
  { store, isDue }: Found,
): Promise<Pick<Fed, "store" | "reconciled">> {
  if (!isDue) return { store, reconciled: undefined };
  const reconciledAtMs = tools.clock.now();
  const { products, sweep, priceUnit } = await sweepStore(tools, {
    priceUnit: store.priceUnit,
    signal,
    onProgress: (read) => onEvent?.({ event: "reading-store", products: read }),
  });
  if (priceUnit !== store.priceUnit) await rememberPriceUnit(tools, priceUnit, "sent");
  const note = { reconciledAtMs, priceUnit, sweep };
  saveStoreNote(tools.feeds, note);
  return { store: note, reconciled: products };
}

interface Sending extends Fed {
  readonly run: RunRecord;
  readonly fetched: Extract<FetchedFeed, { readonly kind: "file" }>;
  readonly key: string;
}

async function send(tools: Toolkit, options: SyncFeedOptions, sending: Sending): Promise<Synced> {
  const { run, plan, key, fetched, feed, rows, reconciled } = sending;
  options.onEvent?.({ event: "planned", updates: run.facts?.planned.update ?? 0 });
  const applied = await applyPlanned(tools, {
    runId: run.id,
    feed: { readAtMs: sending.fresh.readAtMs },
    // A feed looks at some of its products itself, in fewer calls.
    verify: false,
    stop: options.stop,
    onProgress: ({ done, total }) => options.onEvent?.({ event: "sent", done, total }),
  });
  await closeReleases(tools, sending.releases, run.id);
  const learnt = newWarnings(applied.run, run);
  const checked = await check(tools, options, { ...sending, run: applied.run });
  const warnings = [...sending.warnings.map(({ message }) => message), ...learnt, ...checked];
  const stored = toCounts(await tools.journal.countRows(run.id));
  const counts = {
    ...stored,
    rows: stored.rows + plan.unchanged + plan.unsendable.rows,
    unchanged: stored.unchanged + plan.unchanged,
    skipped: stored.skipped + plan.unsendable.rows,
  };
  // What was sent by this run is ours; what is found the next time, others have sent.
  tools.feeds.absorb();
  const { endsWithBreak } = feed;
  const isSettled = counts.updated + counts.unchanged === counts.rows && warnings.length === 0;
  const { validators } = fetched.file;
  saveFeedNote(tools.feeds, key, { rows, endsWithBreak, isSettled, ...validators });
  return {
    run: (await tools.runLog.read(run.id)) ?? applied.run,
    end: applied.end,
    reason: applied.reason,
    counts,
    unsendable: plan.unsendable,
    unguarded: plan.unguarded,
    unknownCodes: countUnknown(plan),
    released: sending.releases.rows.length,
    reconciled,
    warnings,
    isDoubted: warnings.length > 0,
  };
}

const countUnknown = ({ rows }: FeedPlan): number =>
  rows.filter(({ decision }) => decision.issues.some(({ code }) => code === "E_PRODUCT_UNKNOWN"))
    .length;

/** Products read back; as many as one call takes. */
const MOST_READ_BACK = 50;

/** Codes named in a warning. */
const MOST_NAMED = 5;

async function check(
  tools: Toolkit,
  { stop: signal }: SyncFeedOptions,
  { run, store }: Sending,
): Promise<readonly Localized[]> {
  if (signal?.aborted === true) return [];
  const records = await tools.journal.readRows(run.id, { states: ["done"], limit: MOST_READ_BACK });
  if (records.length === 0) return [];
  const before = tools.calls.counts();
  const { priceUnit, sweep } = store;
  const { different, read } = await readBack(tools, { records, priceUnit, sweep, signal });
  await addCalls(tools, run.id, before);
  if (different.length === 0) return [];
  const codes = different.slice(0, MOST_NAMED).join(", ");
  const message = {
    tr: `Mağaza güncellemeyi kabul etti, ama geri okunan ${read} üründen ${different.length} tanesi başka bir değer gösteriyor (${codes}). API stok güncellemeyi belgelemiyor; bu mağaza almıyor olabilir.`,
    en: `The store accepted the updates, but ${different.length} of ${read} products read back show other values (${codes}). The API does not document updating the stock; this store may not take it.`,
  };
  await tools.runLog.addWarnings(run.id, [{ code: "W_SYNC_NOT_TAKEN", message }]);
  return [message];
}
