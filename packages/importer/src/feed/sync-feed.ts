/**
 * Updates the stock and the prices of a store from a feed. Only existing products are changed, and
 * only in fields that differ from the store's known values. No question is asked: a suspicious feed
 * is refused as a whole, and a suspicious price is held.
 *
 * Safe beside other runs of the store: an update carries absolute values, only one update of a
 * product is under way at a time over all processes, and known values come from the journal itself.
 */

import { basename } from "node:path";

import { type Connection, recordCalls, priceUnitOf } from "@catalog/connection";
import { isAddress, type Lang, type Localized } from "@catalog/i18n";
import type { DownloadRetry } from "@catalog/images";
import type { ColumnMapping } from "@catalog/mapping";
import {
  countFileRows,
  type Counts,
  countSentStock,
  type GuardName,
  NO_UNSENDABLE_FIELDS,
  reconcileOpen,
  type RunRecord,
  type RunSync,
  toCounts,
} from "@catalog/runs";

import { type AppliedPlan, applyPlan } from "../apply/apply-plan.ts";
import {
  readReleasedChanges,
  type ReleasedChanges,
  closeReleasedChanges,
} from "../apply/released-changes.ts";
import { type FeedDraft, updateFeedDraft } from "../drafts/feed-draft.ts";
import { readCodeKeys } from "../plan/plan-basis.ts";
import { readPricesStamp } from "../pricing/price-rules.ts";
import { nameSource } from "../pricing/source-names.ts";
import { type AbsentCounts, settleAbsent } from "./absences.ts";
import { type AbsentPolicy, countPlanned } from "./absent-products.ts";
import { type FeedFetch, type FeedFile, fetchFeed } from "./feed-file.ts";
import { feedKey, nameOfFeed } from "./feed-name.ts";
import {
  cancelUnsent,
  checkSent,
  createFeedRun,
  recordFailedSync,
  toShadowPlan,
} from "./feed-run.ts";
import {
  endRests,
  type FeedRecord,
  noteRest,
  readShopRecord,
  readStanding,
  type ShopRecord,
  takeStanding,
} from "./feed-state.ts";
import type { AddPolicy } from "./new-products.ts";
import type { FeedReading } from "./open-feed.ts";
import type { FeedPlan } from "./plan-feed.ts";
import { assertNotStale, newWarnings, type PreparedFeed, prepareFeed } from "./prepare-feed.ts";

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
  /** What becomes of products that the store does not have. @default "never" */
  readonly adds?: AddPolicy | undefined;
  /** Takes a feed whose form has changed; what it is then is its form from now on. @default false */
  readonly acceptsChange?: boolean | undefined;
  /** What becomes of products that the feed names no more. @default "keep" */
  readonly absent?: AbsentPolicy | undefined;
  /** Unit of the listing's prices. @default the learned unit */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Sends fields that the store is known not to take. @default false */
  readonly tryRefused?: boolean | undefined;
  /**
   * Reads, compares and stores the plan as a dry run, of which nothing is ever sent. What the store
   * shows is remembered; the releases and the earlier syncs of the feed stay as they are.
   * - `once`: nothing is remembered of the feed.
   * - `shadow`: it is remembered apart, for the next sync in shadow and the first one that sends.
   * @default the sync sends
   */
  readonly trial?: "once" | "shadow" | undefined;
  readonly reportDir: string;
  /** @default addresses are refused */
  readonly fetch?: FeedFetch | undefined;
  /** Stops new requests; requests under way are waited for. */
  readonly stop?: AbortSignal | undefined;
  readonly onEvent?: ((event: SyncEvent) => void) | undefined;
}

/** Progress events of a sync. */
export type SyncEvent =
  | ({ readonly event: "retrying-download" } & DownloadRetry)
  | { readonly event: "reading-store"; readonly products: number }
  | { readonly event: "planned"; readonly updates: number }
  | { readonly event: "sent"; readonly done: number; readonly total: number };

/** Result of a sync. */
export interface SyncResult {
  /** `undefined` where the address answered that its feed has not changed. */
  readonly run: RunRecord | undefined;
  readonly end: AppliedPlan["end"];
  readonly reason: Localized | undefined;
  readonly counts: Counts;
  /** Platform whose profile the feed was read with; `undefined` for none. */
  readonly platform: ColumnMapping["platform"];
  /** The fields that the feed gave, each with the header of its column. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Headers of the columns that were not used. */
  readonly unused: readonly string[];
  /** The answers for an earlier file that were used, one line each. */
  readonly notes: readonly Localized[];
  /** Changes that the store does not take; their rows count as skipped or updated. */
  readonly unsendable: typeof NO_UNSENDABLE_FIELDS;
  /** Held rows whose prices cannot be compared until the unit of the store's prices is known. */
  readonly unguarded: number;
  /** Held rows whose stock was sent. */
  readonly stockSent: number;
  /** Rows whose product the store does not have. */
  readonly unknownCodes: number;
  /** New products of the feed that wait in a draft, and its id; `null` for none. */
  readonly draft: FeedDraft | null;
  /** Products that the feed has named before and names no more; `undefined` where it was not read. */
  readonly absent: AbsentCounts | undefined;
  /** Rows that a guard would hold and a person has released. */
  readonly released: number;
  /** Number of products read with the whole listing; `undefined` where it was not read. */
  readonly reconciled: number | undefined;
  /** When the whole listing was read last; `null` where that is not known. */
  readonly storeReadAtMs: number | null;
  readonly warnings: readonly Localized[];
  /**
   * The store answered with success and shows other values, or does not take a field of the feed.
   */
  readonly isQuestioned: boolean;
}

/**
 * Runs one sync. Throws `CatalogError` `E_FEED_…` for a refused feed, and `DatabaseError`
 * `E_STORE_BUSY`.
 */
export async function syncFeed(
  connection: Connection,
  options: SyncFeedOptions,
): Promise<SyncResult> {
  await using lock = await connection.locks.feeds("catalog sync");
  const tools: Connection = { ...connection, journal: connection.feedJournal };
  // A sync is short and its values become outdated, so its calls get priority over those of long
  // runs.
  connection.meters.pacing.usePriority();
  const before = connection.meters.calls.counts();
  const begun = await beginSync(tools, options);
  const fetched = await fetchOrRecord(tools, options, begun);
  if (fetched.kind === "unchanged") return RESTED;
  using file = fetched.file;
  try {
    const prepared = await tools.meters.span({ name: "plan" }, () =>
      prepareFeed(tools, options, { ...begun, file }),
    );
    const planned = { ...options, ...prepared, ...begun, opened: prepared.feed, file };
    const run = await createFeedRun(tools, { ...planned, last: begun.last?.plan });
    const { plan, absent, fresh } = prepared;
    const values = fresh.toBefore([...plan.rows, ...(absent?.rows ?? [])]);
    await tools.verificationLog.saveBefore(run.id, values);
    await lock.nameRun(run.id);
    await recordCalls(tools, run.id, before);
    return await endSync(tools, options, { ...begun, file, prepared, run });
  } catch (error) {
    const { path, name } = file;
    await recordFailedSync(tools, { ...options, ...begun, path, name, error });
    throw error;
  }
}

/** What is known before a feed is read. */
interface BegunSync {
  /** Key of the feed. */
  readonly feed: string;
  readonly sync: RunSync;
  /** Key of what is known of the feed, which a sync in shadow has apart. */
  readonly key: string;
  readonly last: FeedRecord | undefined;
  readonly store: ShopRecord;
  /** Whether the whole listing is to be read. */
  readonly isDue: boolean;
  /** Whether a feed that has not changed needs no sync. */
  readonly mayRest: boolean;
  readonly releases: ReleasedChanges;
}

/** Finishes what earlier syncs have left, which a dry run does not, and reads what is known. */
async function beginSync(tools: Connection, options: SyncFeedOptions): Promise<BegunSync> {
  const { feedState } = tools.memory;
  const { trial } = options;
  const beganAtMs = tools.clock.now();
  const feed = feedKey(options.feed);
  const foreign =
    trial === undefined
      ? await finishEarlierRun(tools, options.stop)
      : await feedState.applySentChanges();
  const store = await readShop(tools);
  const isDue = isRefreshDue(store, options.reconcileMs, tools.clock.now());
  const { key, record: last } =
    trial === "once"
      ? await readStanding(feedState, feed)
      : await takeStanding(feedState, feed, { isShadow: trial === "shadow" });
  const rests = { ...options, prices: await readPricesStamp(tools) };
  const mayRest = foreign === 0 && !isDue && isSettledFor(last, rests);
  const releases = await readReleasedChanges(tools, { isReadOnly: trial !== undefined });
  const sync = { beganAtMs, ...(trial === "shadow" && { isShadow: true }) };
  return { feed, sync, key, last, store, isDue, mayRest, releases };
}

interface PlannedSync extends Pick<BegunSync, "key" | "last" | "releases"> {
  readonly file: FeedFile;
  readonly prepared: PreparedFeed;
  readonly run: RunRecord;
}

/** Sends what is planned, unless the sync is a dry run. */
async function endSync(
  tools: Connection,
  options: SyncFeedOptions,
  { run, ...planned }: PlannedSync,
): Promise<SyncResult> {
  const { prepared, releases } = planned;
  const { trial } = options;
  const sent =
    trial === undefined
      ? await send(tools, options, { run, prepared, releases })
      : await endDryRun(tools, options, run);
  if (trial === "once") {
    return toSynced(prepared, { ...sent, absent: countPlanned(prepared) }, releases);
  }
  return await acceptFeed(tools, options, { ...planned, sent });
}

interface AcceptedFeed extends Omit<PlannedSync, "run"> {
  readonly sent: SentFeed;
}

/** Remembers the feed for the next sync, with the products that it names, in one commit. */
async function acceptFeed(
  tools: Connection,
  { feed, absent = "keep", trial, lang, stop, reading: { profile } }: SyncFeedOptions,
  { file, key, last, prepared, releases, sent }: AcceptedFeed,
): Promise<SyncResult> {
  const ended = { planned: prepared.absent, run: sent.run };
  const { counts, ...changes } = await settleAbsent(tools, prepared.absences, ended);
  const shown = trial === undefined ? counts : countPlanned(prepared);
  const synced = toSynced(prepared, { ...sent, absent: shown }, releases);
  // An address that gives no time has written its feed by now at the latest.
  const acceptedAtMs = tools.clock.now();
  const { validators, modifiedMs = acceptedAtMs } = file;
  const read = toRecord(synced, prepared, { modifiedMs, acceptedAtMs, absent });
  // What a shadow has seen was not sent, so that the first sync that sends must read the feed.
  const record: FeedRecord =
    trial === undefined
      ? { ...read, ...validators }
      : { ...read, isSettled: false, plan: toShadowPlan(prepared, sent.run, last?.plan) };
  await tools.memory.feedState.saveAccepted({ feed: key, record, ...changes });
  const { newProducts } = prepared;
  if (newProducts === undefined) return synced;
  const suppliers = nameSource({ file: file.name, profile });
  const found = { ...newProducts, feed: feedKey(feed), name: file.name, suppliers, lang };
  const draft = await updateFeedDraft(tools, found, stop);
  return { ...synced, draft: draft ?? null };
}

/** Fetches the feed; the history names a sync whose feed could not be had. */
async function fetchOrRecord(
  tools: Connection,
  options: SyncFeedOptions,
  { feed, sync, last, mayRest }: BegunSync,
): ReturnType<typeof fetchFeed> {
  const { feedState } = tools.memory;
  const path = nameOfFeed(options.feed);
  const name = isAddress(options.feed) ? path : basename(path);
  try {
    const onRetry = (retry: DownloadRetry): void =>
      options.onEvent?.({ event: "retrying-download", ...retry });
    const fetched = await fetchFeed({ ...options, onRetry }, mayRest ? last : undefined);
    if (fetched.kind === "unchanged") {
      assertNotStale({ name, modifiedMs: last?.modifiedMs }, { ...options, clock: tools.clock });
      if (options.trial === undefined) await noteRest(feedState, feed, tools.clock.now());
    } else if (options.trial === undefined) await endRests(feedState, feed);
    return fetched;
  } catch (error) {
    if (options.trial === undefined) await endRests(feedState, feed);
    await recordFailedSync(tools, { ...options, feed, sync, path, name, error });
    throw error;
  }
}

/** Whether the last accepted version left nothing to do that these options would do now. */
const isSettledFor = (
  last: FeedRecord | undefined,
  {
    tryRefused = false,
    absent = "keep",
    prices,
  }: Pick<SyncFeedOptions, "tryRefused" | "absent"> & Pick<FeedRecord, "prices">,
): boolean =>
  last?.isSettled === true && last.absent === absent && last.prices === prices && !tryRefused;

const RESTED: SyncResult = {
  run: undefined,
  end: "finished",
  reason: undefined,
  counts: toCounts([]),
  platform: undefined,
  fields: undefined,
  unused: [],
  notes: [],
  unsendable: NO_UNSENDABLE_FIELDS,
  unguarded: 0,
  stockSent: 0,
  unknownCodes: 0,
  draft: null,
  absent: undefined,
  released: 0,
  reconciled: undefined,
  storeReadAtMs: null,
  warnings: [
    {
      tr: "Besleme son alınandan beri değişmemiş; yapılacak bir şey yok. Panelde değiştirilenler, mağazanın tamamı yeniden okununca (--reconcile) düzeltilir.",
      en: "The feed has not changed since it was taken last; there is nothing to do. What was changed in the panel is corrected when the whole store is read again (--reconcile).",
    },
  ],
  isQuestioned: false,
};

/** Reconciles the open rows of earlier syncs, and stores what other runs have sent meanwhile. */
async function finishEarlierRun(
  tools: Connection,
  signal: AbortSignal | undefined,
): Promise<number> {
  const {
    journal,
    marketplace,
    clock,
    memory: { feedState },
  } = tools;
  const open = { journal, marketplace, clock, sheet: "", signal };
  await reconcileOpen({ ...open, ...(await readCodeKeys(tools)) });
  await cancelUnsent(tools);
  return await feedState.applySentChanges();
}

/** The unit of prices belongs to the marketplace and may have been learned by an import or a feed. */
async function readShop(tools: Connection): Promise<ShopRecord> {
  const note = await readShopRecord(tools.memory.feedState);
  const { remembered: priceUnit = "unknown" } = await priceUnitOf(tools).known();
  return { ...note, priceUnit };
}

function isRefreshDue({ reconciledAtMs }: ShopRecord, everyMs: number, nowMs: number): boolean {
  // After the clock was put back, the age is unknown.
  if (reconciledAtMs === null || reconciledAtMs > nowMs) return true;
  return nowMs - reconciledAtMs >= everyMs;
}

/** Rows that are sent, with those of which only the stock is. */
const countUpdates = ({ facts }: RunRecord): number =>
  (facts?.planned.update ?? 0) + (facts?.planned.stock ?? 0);

interface FeedToSend {
  readonly run: RunRecord;
  readonly prepared: PreparedFeed;
  readonly releases: ReleasedChanges;
}

interface SentFeed extends Pick<AppliedPlan, "run" | "end" | "reason"> {
  /** Counts of the stored rows. */
  readonly counts: Counts;
  readonly stockSent: number;
  /** Warnings learned while sending and reading back. */
  readonly warnings: readonly Localized[];
  /** Warnings about fields of answers that could not be used. */
  readonly leftOut: readonly Localized[];
}

/** The run stays planned for good; its counts are those of the plan. */
async function endDryRun(
  tools: Connection,
  { onEvent }: SyncFeedOptions,
  run: RunRecord,
): Promise<SentFeed> {
  onEvent?.({ event: "planned", updates: countUpdates(run) });
  return {
    run,
    end: "finished",
    reason: undefined,
    counts: toCounts(await tools.journal.countRows(run.id)),
    stockSent: run.facts?.planned.stock ?? 0,
    warnings: [],
    leftOut: [],
  };
}

async function send(
  tools: Connection,
  options: SyncFeedOptions,
  { run, prepared, releases }: FeedToSend,
): Promise<SentFeed> {
  const { stop } = options;
  options.onEvent?.({ event: "planned", updates: countUpdates(run) });
  const applied = await applyPlan(tools, {
    runId: run.id,
    feed: { readAtMs: prepared.fresh.readAtMs },
    // A sync reads a sample of its products back itself, in fewer calls.
    settings: { noVerify: true },
    stop,
    onProgress: ({ step, done, total }) => {
      if (step === "send") options.onEvent?.({ event: "sent", done, total });
    },
  });
  await closeReleasedChanges(tools, releases, run.id);
  const learned = newWarnings(applied.run, run);
  const checked = await checkSent(tools, { run: applied.run, store: prepared.store, stop });
  const counts = toCounts(await tools.journal.countRows(run.id));
  const stockSent = await countSentStock({ journal: tools.journal, runId: run.id });
  // Values sent by this run are stored as its own, so that later differences are known to be
  // another writer's.
  await tools.memory.feedState.applySentChanges();
  const { end, reason } = applied;
  const leftOut = tools.meters.omittedFields.warnings();
  await tools.runs.addWarnings(run.id, leftOut);
  const now = (await tools.runs.read(run.id)) ?? applied.run;
  return {
    run: now,
    end,
    reason,
    counts,
    stockSent,
    warnings: [...learned, ...checked],
    leftOut: leftOut.map(({ message }) => message),
  };
}

function toSynced(
  {
    plan,
    platform,
    fields,
    unused,
    notes,
    reconciled,
    store,
    noted,
    warnings: planned,
  }: PreparedFeed,
  {
    run,
    end,
    reason,
    counts: stored,
    stockSent,
    absent,
    warnings: learned,
    leftOut,
  }: SentFeed & Pick<SyncResult, "absent">,
  { rows: released }: ReleasedChanges,
): SyncResult {
  const warnings = [...planned.map(({ message }) => message), ...learned];
  const { unsendable, unguarded } = plan;
  const counts = countFileRows(run, stored);
  return {
    run,
    end,
    reason,
    counts,
    platform,
    fields,
    unused,
    notes,
    unsendable,
    unguarded,
    stockSent,
    unknownCodes: countUnknown(plan),
    draft: null,
    absent,
    released: released.length,
    reconciled,
    storeReadAtMs: store.reconciledAtMs,
    // A field that was left out of an answer is reported; the sync itself lacks nothing.
    warnings: [...warnings, ...leftOut],
    isQuestioned: warnings.length > noted.length,
  };
}

const countUnknown = ({ rows }: FeedPlan): number =>
  rows.filter(({ decision }) => decision.issues.some(({ code }) => code === "E_PRODUCT_UNKNOWN"))
    .length;

/** State of the feed for the next sync. */
function toRecord(
  { counts, isQuestioned }: Pick<SyncResult, "counts" | "isQuestioned">,
  { feed, plan, rows, others, ...prepared }: PreparedFeed,
  known: Pick<FeedRecord, "modifiedMs" | "acceptedAtMs" | "absent">,
): FeedRecord {
  const products = counts.rows - others;
  const isDone = counts.updated + counts.unchanged === products;
  // Reduced prices begin and end at their dates, although the feed stays as it is.
  const isSettled = isDone && !isQuestioned && plan.dated === 0;
  const { endsWithBreak } = feed;
  const { fields, form, ruleColumns, record, filled, prices, content } = prepared;
  const read = { fields, form, ruleColumns, record, filled, prices, content };
  return { rows, endsWithBreak, isSettled, ...read, ...known };
}
