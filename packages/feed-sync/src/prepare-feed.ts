/** Reads a feed, accepts or refuses it as a whole, and compares it with the store. */

import {
  CatalogError,
  type Connection,
  fieldLabel,
  savePriceUnitSetting,
} from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import {
  loadActiveRules,
  toRefusedFieldNotes,
  readRefusedFields,
  type ReleasedChanges,
  saveNotations,
} from "@catalog/importer";
import { codeKey, headerKey, type ReadPlatform, CODE_KEYS } from "@catalog/mapping";
import {
  type GuardSettings,
  judgeFeed,
  type PriceUnit,
  readCodeNormalization,
  type RunWarning,
  toGuardSettings,
} from "@catalog/runs";

import {
  type FeedField,
  findLostFields,
  findNewPricing,
  listFields,
  listGiven,
} from "./feed-fields.ts";
import { type FeedRecord, saveShopRecord, type ShopRecord } from "./feed-state.ts";
import { noteFewerRows, warnOfEmpty, warnOfPlan } from "./feed-warnings.ts";
import type { FeedFile } from "./file/feed-file.ts";
import { openFeed, type OpenedFeed } from "./file/open-feed.ts";
import { listUnused } from "./file/unused-columns.ts";
import { createFreshProducts, type FreshProducts } from "./fresh-products.ts";
import { type FeedPlan, planFeed } from "./plan-feed.ts";
import { refreshListing } from "./refresh-listing.ts";
import { assertFeedCredible } from "./refuse-feed.ts";
import { type FeedScan, scanFeed } from "./scan-feed.ts";
import { listShiftSigns } from "./shift-signs.ts";
import type { SyncFeedOptions } from "./sync-feed.ts";

/** What is known before the feed is read. */
export interface FeedInput {
  readonly file: FeedFile;
  /** State of the feed after the last sync that accepted it. */
  readonly last: FeedRecord | undefined;
  readonly store: ShopRecord;
  /** Whether the whole listing is to be read. */
  readonly isDue: boolean;
  readonly releases: ReleasedChanges;
}

/** A feed that was read, accepted and compared. It is closed. */
export interface PreparedFeed {
  readonly feed: Pick<OpenedFeed, "kind" | "endsWithBreak"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "header">;
  };
  /** The fields that the feed gives, each with the header of its column. */
  readonly fields: Readonly<Record<string, string>>;
  /** Filled cells of stock and price. */
  readonly filled: Readonly<Record<string, number>>;
  readonly rows: number;
  /** Rows of these that are no products themselves. */
  readonly others: number;
  /** Platform whose profile the feed is read with; `undefined` for none. */
  readonly platform: ReadPlatform | undefined;
  /** Headers of the columns that are not used. */
  readonly unused: readonly string[];
  readonly plan: FeedPlan;
  /** Warnings about the whole feed. */
  readonly warnings: readonly RunWarning[];
  /** Those of them about which nothing is to be done. */
  readonly noted: readonly RunWarning[];
  readonly store: ShopRecord;
  /** Number of products read with the whole listing; `undefined` where it was not read. */
  readonly reconciled: number | undefined;
  readonly fresh: FreshProducts;
}

/** Throws `CatalogError` `E_FEED_…` for a feed that is refused. */
export async function prepareFeed(
  tools: Connection,
  options: SyncFeedOptions,
  fetched: FeedInput,
): Promise<PreparedFeed> {
  const { file, releases } = fetched;
  const { stop: signal } = options;
  const { profiles } = tools.memory;
  const reading = { ...options.reading, profiles, signal };
  await using feed = await openFeed(file, reading);
  const mapped = listFields(feed.mapping);
  const kept = { last: fetched.last, allowed: options.allowed };
  assertFieldsKept({ ...kept, fields: mapped });
  const scan = await scanFeed(tools, feed, { ...reading, decimal: feed.decimal });
  const fields = listGiven(mapped, scan.filled);
  if (scan.rows > 0) assertFieldsKept({ ...kept, fields });
  assertNoNewPricing({ ...kept, fields, columns: reading.columns });
  const guards = toGuardSettings(tools.guardLimits, options.allowed);
  const shifted = listShiftSigns(mapped, scan, fetched.last);
  const judge = createFeedJudge(tools, { options, fetched, feed, scan, shifted, guards });
  // Before the listing is read, so that a refused feed makes no call.
  judge();

  const { store, reconciled } = await refreshStore(tools, options, fetched);
  const knownUnit = options.priceUnit ?? tools.priceUnit;
  const priceUnit: PriceUnit = knownUnit ?? store.priceUnit;
  const refused = await readRefusedFields(tools, options.tryRefused);
  const { sweep: refresh, reconciledAtMs: refreshedAtMs } = store;
  const fresh = createFreshProducts(tools, { refresh, priceUnit, refreshedAtMs, signal });
  const normalization = await readCodeNormalization(
    { registry: tools.codes, suspectKey: CODE_KEYS.suspect },
    codeKey,
  );
  const { feedState, notes } = tools.memory;
  const { journal } = tools;
  const known = { feedState, journal, normalization, priceUnit, fresh, releases };
  const plan = await planFeed({
    feed,
    scan,
    guards,
    refused,
    nowMs: tools.clock.now(),
    textRules: await loadActiveRules(tools.memory.rules, feed.mapping.platform?.name),
    signal,
    ...known,
  });
  judge(plan);
  file.assertSame();
  if (knownUnit !== undefined) await savePriceUnitSetting(tools, knownUnit, "person");
  // An accepted feed is sent without a question, so its columns are recorded at once.
  const header = feed.mapping.columns.map((column) => column.header);
  const named = { name: file.name, header };
  await saveNotations({ notes, baseUrl: tools.baseUrl }, named, scan.notations.columns);
  const { rows, others, filled, leftOut } = scan;
  const noted = [...leftOut, ...noteFewerRows(rows, fetched.last)];
  const warnings = [
    ...noted,
    ...warnOfEmpty(mapped, fields),
    ...warnOfPlan(plan, toRefusedFieldNotes(feed.mapping, refused)),
  ];
  const { platform } = feed.mapping;
  const read = {
    feed,
    fields,
    filled,
    rows,
    others,
    platform,
    unused: listUnused(feed.mapping),
    plan,
    warnings,
    noted,
  };
  return { ...read, store: { ...store, priceUnit }, reconciled, fresh };
}

interface KeptFields extends Pick<SyncFeedOptions, "allowed"> {
  readonly fields: Readonly<Record<string, string>>;
  readonly last: FeedRecord | undefined;
}

/** Throws `CatalogError` `E_FEED_FEWER_COLUMNS` where the feed no longer gives a field that it gave. */
function assertFieldsKept({ fields, last, allowed }: KeptFields): void {
  if (allowed.includes("fewer-columns")) return;
  const lost = findLostFields(fields, last);
  if (lost.length === 0) return;
  throw new CatalogError("E_FEED_FEWER_COLUMNS", nameFields(lost));
}

/**
 * Throws `CatalogError` `E_FEED_NEW_COLUMN` where a column has come that changes what buyers pay, and
 * nobody has said what it is.
 */
function assertNoNewPricing({
  fields,
  last,
  allowed,
  columns = new Map(),
}: KeptFields & Pick<SyncFeedOptions["reading"], "columns">): void {
  if (allowed.includes("moved-values")) return;
  const stated = new Set([...columns.keys()].map(headerKey));
  const found = findNewPricing(fields, last).filter(({ header }) => !stated.has(headerKey(header)));
  if (found.length === 0) return;
  throw new CatalogError("E_FEED_NEW_COLUMN", nameFields(found));
}

/** Fields with the headers of their columns, in words for people. */
function nameFields(fields: readonly FeedField[]): Localized {
  const write = (lang: Lang): string =>
    fields.map(({ field, header }) => `${fieldLabel(field, lang)} (“${header}”)`).join(", ");
  return { tr: write("tr"), en: write("en") };
}

interface FeedJudgeOptions {
  readonly options: Pick<SyncFeedOptions, "maxAgeMs">;
  readonly fetched: Pick<FeedInput, "file" | "last">;
  readonly feed: Pick<OpenedFeed, "endsWithBreak">;
  readonly scan: Pick<FeedScan, "rows" | "endsShort" | "filled">;
  readonly shifted: readonly Localized[];
  readonly guards: GuardSettings;
}

/** Refuses a feed by its own figures, and by its stocks and prices once it is planned. */
function createFeedJudge(
  { clock }: Pick<Connection, "clock">,
  { options: { maxAgeMs }, fetched, feed, scan, shifted, guards }: FeedJudgeOptions,
): (plan?: Pick<FeedPlan, "stock" | "moved">) => void {
  const { file, last } = fetched;
  const isCutOff = !feed.endsWithBreak && (last?.endsWithBreak === true || scan.endsShort);
  const nowMs = clock.now();
  const toAge = (atMs: number | undefined): number | undefined =>
    atMs === undefined ? undefined : nowMs - atMs;
  const [ageMs, lastAgeMs] = [toAge(file.modifiedMs), toAge(last?.modifiedMs)];
  // A column that is quite empty is one column fewer.
  const cells = Object.entries(scan.filled)
    .filter(([, now]) => now > 0)
    .map(([field, now]) => ({ field, now, last: last?.filled?.[field] }));
  const facts = {
    cells,
    rows: scan.rows,
    lastRows: last?.rows,
    ageMs,
    lastAgeMs,
    maxAgeMs,
    isCutOff,
  };
  return ({ stock, moved } = { stock: { rows: 0, emptied: 0 }, moved: 0 }) => {
    const judged = { ...facts, stock, moved };
    const why = judgeFeed({ ...judged, shifted: shifted.length }, guards);
    assertFeedCredible(why, { ...judged, shifted, file });
  };
}

/** Reads the whole listing where that is due. */
async function refreshStore(
  tools: Connection,
  { stop: signal, onEvent }: SyncFeedOptions,
  { store, isDue }: FeedInput,
): Promise<Pick<PreparedFeed, "store" | "reconciled">> {
  if (!isDue) return { store, reconciled: undefined };
  const reconciledAtMs = tools.clock.now();
  const { products, refresh, priceUnit } = await refreshListing(tools, {
    priceUnit: store.priceUnit,
    signal,
    onProgress: (read) => onEvent?.({ event: "reading-store", products: read }),
  });
  if (priceUnit !== store.priceUnit) await savePriceUnitSetting(tools, priceUnit, "sent");
  const note = { reconciledAtMs, priceUnit, sweep: refresh };
  await saveShopRecord(tools.memory.feedState, note);
  return { store: note, reconciled: products };
}
