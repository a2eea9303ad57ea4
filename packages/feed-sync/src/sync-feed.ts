/**
 * Updates the stock and the prices of a store from a feed. Only existing products are changed, and
 * only in fields that differ from the store's known values. No question is asked: a suspicious feed
 * is refused as a whole, and a suspicious price is held.
 *
 * Safe beside other runs of the store: an update carries absolute values, only one update of a
 * product is under way at a time over all processes, and known values come from the journal itself.
 */

import { addCalls, recallPriceUnit, type Toolkit } from "@catalog/connection";
import { type Lang, type Localized } from "@catalog/i18n";
import {
  type Applied,
  applyPlan,
  type ApplyProgress,
  closeReleases,
  readCodeKeys,
  readReleases,
  type Releases,
} from "@catalog/importer";
import {
  type Counts,
  type GuardName,
  NOTHING_UNSENDABLE,
  type RunRecord,
  settleOpen,
  toCounts,
  type Unsendable,
} from "@catalog/runs";

import { cancelLeftovers } from "./cancel-unsent.ts";
import { checkSent } from "./check-sent.ts";
import { createFeedRun, recordRefusal } from "./feed-run.ts";
import {
  feedKey,
  type FeedNote,
  readFeedNote,
  readStoreNote,
  saveFeedNote,
  type StoreNote,
} from "./feed-state.ts";
import { newWarnings } from "./feed-warnings.ts";
import { type FeedFetch, type FeedFile } from "./file/feed-file.ts";
import { fetchFeed } from "./file/fetch-feed.ts";
import { type FeedReading } from "./file/open-feed.ts";
import { type FeedPlan } from "./plan-feed.ts";
import { type PreparedFeed, prepareFeed } from "./prepare-feed.ts";

export interface SyncFeedOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly lang: Lang;
  readonly reading: Omit<FeedReading, "signal">;
  /** Guards that are switched off for this sync; the connection has the limits of the others. */
  readonly allowed: readonly GuardName[];
  /** Time between two readings of the whole listing, in milliseconds; 0 reads it every time. */
  readonly reconcileMs: number;
  /** @default no feed is too old */
  readonly maxAgeMs?: number | undefined;
  /** Unit of the listing's prices. @default the learned unit */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Sends fields that the store is known not to take. @default false */
  readonly tryRefused?: boolean | undefined;
  readonly reportDir: string;
  /** @default addresses are refused */
  readonly fetch?: FeedFetch | undefined;
  /** Stops new requests; requests under way are waited for. */
  readonly stop?: AbortSignal | undefined;
  readonly onEvent?: ((event: SyncEvent) => void) | undefined;
}

/** Progress events of a sync. */
export type SyncEvent =
  | { readonly event: "reading-store"; readonly products: number }
  | { readonly event: "planned"; readonly updates: number }
  | ({ readonly event: "sent" } & Pick<ApplyProgress, "done" | "total">);

/** Result of a sync. */
export interface Synced {
  /** `undefined` where the address answered that its feed has not changed. */
  readonly run: RunRecord | undefined;
  readonly end: Applied["end"];
  readonly reason: Localized | undefined;
  readonly counts: Counts;
  /** Changes that the store does not take; their rows count as skipped or updated. */
  readonly unsendable: Unsendable;
  /** Held rows whose prices cannot be compared until the unit of the store's prices is known. */
  readonly unguarded: number;
  /** Rows whose product the store does not have. */
  readonly unknownCodes: number;
  /** Rows that a guard would hold and a person has released. */
  readonly released: number;
  /** Number of products read with the whole listing; `undefined` where it was not read. */
  readonly reconciled: number | undefined;
  readonly warnings: readonly Localized[];
  /**
   * The store answered with success and shows other values, or does not take a field of the feed.
   */
  readonly isDoubted: boolean;
}

/**
 * Runs one sync. Throws `ToolkitError` `E_FEED_…` for a refused feed, and `StoreError`
 * `E_STORE_BUSY`.
 */
export async function syncFeed(toolkit: Toolkit, options: SyncFeedOptions): Promise<Synced> {
  using lock = toolkit.locks.feeds("catalog sync");
  const tools: Toolkit = { ...toolkit, journal: toolkit.feedJournal };
  // A sync is short and its values become outdated, so its calls get priority over those of long
  // runs.
  toolkit.meters.pacing.hurry();
  const before = toolkit.meters.calls.counts();
  const key = feedKey(options.feed);
  const foreign = await settleEarlier(tools, options.stop);
  const store = await readStore(tools);
  const isDue = isSweepDue(store, options.reconcileMs, toolkit.clock.now());
  const last = readFeedNote(tools.memory.feeds, key);
  const mayRest =
    foreign === 0 && !isDue && last?.isSettled === true && options.tryRefused !== true;
  const releases = await readReleases(tools);
  const fetched = await fetchFeed(options, mayRest ? last : undefined);
  if (fetched.kind === "unchanged") return RESTED;
  using file = fetched.file;
  try {
    const prepared = await prepareFeed(tools, options, { file, last, store, isDue, releases });
    const run = await createFeedRun(tools, { ...options, ...prepared, file });
    await tools.readBack.saveBefore(run.id, prepared.fresh.toBefore(prepared.plan.rows));
    lock.nameRun(run.id);
    await addCalls(tools, run.id, before);
    const sent = await send(tools, options, { run, prepared, releases });
    const synced = toSynced(prepared, sent, releases);
    saveFeedNote(tools.memory.feeds, key, toNote(synced, prepared, file));
    return synced;
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

/** Reconciles the open rows of earlier syncs, and stores what other runs have sent meanwhile. */
async function settleEarlier(tools: Toolkit, signal: AbortSignal | undefined): Promise<number> {
  const {
    journal,
    marketplace,
    clock,
    memory: { feeds },
  } = tools;
  const open = { journal, marketplace, clock, sheet: "", signal };
  await settleOpen({ ...open, ...(await readCodeKeys(tools)) });
  await cancelLeftovers(tools);
  return feeds.absorb();
}

/**
 * The unit of prices belongs to the marketplace and may have been learned by an import or a feed.
 * The stored unit of the feed's state is ignored, as older versions stored a mere suggestion there.
 */
async function readStore(tools: Toolkit): Promise<StoreNote> {
  const note = readStoreNote(tools.memory.feeds);
  const { remembered: priceUnit = "unknown" } = await recallPriceUnit(tools);
  return { ...note, priceUnit };
}

function isSweepDue({ reconciledAtMs }: StoreNote, everyMs: number, nowMs: number): boolean {
  // After the clock was put back, the age is unknown.
  if (reconciledAtMs === null || reconciledAtMs > nowMs) return true;
  return nowMs - reconciledAtMs >= everyMs;
}

interface FeedToSend {
  readonly run: RunRecord;
  readonly prepared: PreparedFeed;
  readonly releases: Releases;
}

interface SentFeed extends Pick<Applied, "run" | "end" | "reason"> {
  /** Counts of the stored rows. */
  readonly counts: Counts;
  /** Warnings learned while sending and reading back. */
  readonly warnings: readonly Localized[];
}

async function send(
  tools: Toolkit,
  options: SyncFeedOptions,
  { run, prepared, releases }: FeedToSend,
): Promise<SentFeed> {
  const { stop } = options;
  options.onEvent?.({ event: "planned", updates: run.facts?.planned.update ?? 0 });
  const applied = await applyPlan(tools, {
    runId: run.id,
    feed: { readAtMs: prepared.fresh.readAtMs },
    // A sync reads a sample of its products back itself, in fewer calls.
    settings: { noVerify: true },
    stop,
    onProgress: ({ done, total }) => options.onEvent?.({ event: "sent", done, total }),
  });
  await closeReleases(tools, releases, run.id);
  const learnt = newWarnings(applied.run, run);
  const checked = await checkSent(tools, { run: applied.run, store: prepared.store, stop });
  const counts = toCounts(await tools.journal.countRows(run.id));
  // Values sent by this run are stored as its own, so that later differences are known to be
  // another writer's.
  tools.memory.feeds.absorb();
  const { end, reason } = applied;
  const now = (await tools.runLog.read(run.id)) ?? applied.run;
  return { run: now, end, reason, counts, warnings: [...learnt, ...checked] };
}

function toSynced(
  { plan, reconciled, warnings: planned }: PreparedFeed,
  { run, end, reason, counts: stored, warnings: learnt }: SentFeed,
  { rows: released }: Releases,
): Synced {
  const warnings = [...planned.map(({ message }) => message), ...learnt];
  const { unsendable, unguarded } = plan;
  const counts = {
    ...stored,
    rows: stored.rows + plan.unchanged + unsendable.rows,
    unchanged: stored.unchanged + plan.unchanged,
    skipped: stored.skipped + unsendable.rows,
  };
  return {
    run,
    end,
    reason,
    counts,
    unsendable,
    unguarded,
    unknownCodes: countUnknown(plan),
    released: released.length,
    reconciled,
    warnings,
    isDoubted: warnings.length > 0,
  };
}

const countUnknown = ({ rows }: FeedPlan): number =>
  rows.filter(({ decision }) => decision.issues.some(({ code }) => code === "E_PRODUCT_UNKNOWN"))
    .length;

/** State of the feed for the next sync. */
function toNote(
  { counts, warnings }: Pick<Synced, "counts" | "warnings">,
  { feed, rows }: PreparedFeed,
  { validators }: Pick<FeedFile, "validators">,
): FeedNote {
  const isSettled = counts.updated + counts.unchanged === counts.rows && warnings.length === 0;
  return { rows, endsWithBreak: feed.endsWithBreak, isSettled, ...validators };
}
