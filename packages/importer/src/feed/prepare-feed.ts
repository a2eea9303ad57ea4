/** Reads a feed, accepts or refuses it as a whole, and compares it with the store. */

import type { Clock } from "@catalog/clock";
import { CatalogError, type Connection, fieldLabel, priceUnitOf } from "@catalog/connection";
import { formatNumber, type Localized } from "@catalog/i18n";
import { CODE_KEYS, codeKey, type ColumnMapping } from "@catalog/mapping";
import {
  judgeFeed,
  type PriceUnit,
  readCodeNormalization,
  type RunRecord,
  type RunWarning,
  toGuardSettings,
} from "@catalog/runs";

import type { ReleasedChanges } from "../apply/released-changes.ts";
import { saveNotations } from "../columns/remembered-readings.ts";
import { hashFile } from "../file/open-table.ts";
import { loadActiveRules } from "../names/value-rules.ts";
import { readRefusedFields, toRefusedFieldNotes } from "../plan/plan-basis.ts";
import { PRICE_UNIT_WARNING, describeSuggestion } from "../plan/plan-notes.ts";
import { type PriceRules, readPriceRules } from "../pricing/price-rules.ts";
import { listNeeds, listRuleColumns } from "../pricing/rule-columns.ts";
import { nameSource } from "../pricing/source-names.ts";
import type { Absences } from "./absences.ts";
import { type AbsentPlan, noteAbsent, planAbsent } from "./absent-products.ts";
import type { FeedFile } from "./feed-file.ts";
import { assertSameForm, type FeedForm } from "./feed-form.ts";
import {
  createFreshProducts,
  type FeedRecord,
  type FreshProducts,
  refreshListing,
  saveShopRecord,
  type ShopRecord,
} from "./feed-state.ts";
import { type NewProducts, readNewProducts } from "./new-products.ts";
import { isSentField, listUnused, type OpenedFeed, openFeed } from "./open-feed.ts";
import { planFeed, type FeedPlan } from "./plan-feed.ts";
import { type FeedScan, listShiftSigns, scanFeed } from "./scan-feed.ts";
import type { SyncFeedOptions } from "./sync-feed.ts";

/** What is known before the feed is read. */
interface FeedInput {
  readonly file: FeedFile;
  /** Key of what is known of the feed. */
  readonly key: string;
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
  readonly form: FeedForm;
  /** Headers of the columns that price rules use, by what they are used for. */
  readonly ruleColumns: Readonly<Record<string, string>>;
  /** Path of the records of XML or JSON. */
  readonly record: string | undefined;
  /** Filled cells of stock and price. */
  readonly filled: Readonly<Record<string, number>>;
  readonly rows: number;
  /** Rows of these that are no products themselves. */
  readonly others: number;
  /** Platform whose profile the feed is read with; `undefined` for none. */
  readonly platform: ColumnMapping["platform"];
  /** Headers of the columns that are not used. */
  readonly unused: readonly string[];
  /** The answers for an earlier file that are used, one line each. */
  readonly notes: readonly Localized[];
  readonly plan: FeedPlan;
  /** Digest of the feed's content. */
  readonly sha256: string;
  /** Digest of what a sync reads of it. */
  readonly content: string;
  /** Products that the store does not have; `undefined` where nothing is made of them. */
  readonly newProducts: NewProducts | undefined;
  readonly absences: Absences;
  /** What is done about products that the feed names no more; `undefined` for nothing. */
  readonly absent: AbsentPlan | undefined;
  /** Versions of the price rules and costs. @default none */
  readonly prices: string | undefined;
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
  const reading = { ...options.reading, signal };
  await using feed = await openKnown(tools, reading, options, fetched);
  const mapped = listFields(feed.mapping);
  const scan = await scanFeed(tools, feed, { ...reading, decimal: feed.decimal });
  const fields = listGiven(mapped, scan.filled);
  const guards = toGuardSettings(tools.guardLimits, options.allowed);
  const [{ form }, record] = [scan, recordOf(feed)];
  const prices = await readPriceRules(tools);
  const ruleColumns = listRuleColumns(feed.wholeMapping, prices.rules);
  const needs = listNeeds(prices.rules);
  const now = { fields: scan.rows > 0 ? fields : mapped, form, record, ruleColumns, needs };
  assertFormKept(options, fetched, { feed, now, scalePercent: guards.limits.scalePercent });
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
  const normalization = await readNormalization(tools);
  const { journal, marketplace, memory } = tools;
  const stored = { journal, feedState: memory.feedState, checkUpdate: marketplace.checkUpdate };
  const planning = {
    prices,
    suppliers: nameSource({ file: file.name, profile: reading.profile }),
    feed,
    scan,
    guards,
    refused,
    nowMs: tools.clock.now(),
    textRules: await loadActiveRules(tools.memory.rules, feed.mapping.platform?.name),
    signal,
    ...stored,
    normalization,
    priceUnit,
    fresh,
    releases,
  };
  const { priceNotes, unmatched, ...plan } = await planFeed(planning);
  judge(plan);
  assertRuled(unmatched, guards.allowed);
  const { absent: policy = "keep", adds, lang, trial } = options;
  const seen = { key: fetched.key, isSame: fetched.last?.content === scan.content };
  const missing = await planAbsent({ ...planning, ...seen, plan, policy, lang });
  file.assertSame();
  if (trial === undefined) {
    await recordReading(tools, { file, feed, scan, prices, knownUnit });
  }
  const { rows, others, filled, leftOut } = scan;
  const fewer = policy === "keep" ? noteFewerRows(rows, fetched.last) : [];
  const noted = [...leftOut, ...fewer, ...noteAbsent(missing, policy), ...toRuleNotes(priceNotes)];
  const warnings = [
    ...noted,
    ...warnOfEmpty(mapped, fields),
    ...warnOfPlan(plan, toRefusedFieldNotes(feed.mapping, refused)),
  ];
  const read = {
    feed,
    fields,
    form,
    ruleColumns,
    record,
    filled,
    rows,
    others,
    platform: feed.mapping.platform,
    unused: listUnused(feed.mapping, Object.values(ruleColumns)),
    notes: feed.notes,
    plan,
    sha256: (await hashFile(file.path)) ?? "",
    content: scan.content,
    ...missing,
    prices: prices.stamp,
    newProducts: await readNewProducts(feed, plan, { ...options.reading, adds, trial }),
    warnings,
    noted,
  };
  return { ...read, store: { ...store, priceUnit }, reconciled, fresh };
}

/** Throws for a feed that has another form than its last version, unless a person accepts it. */
function assertFormKept(
  { acceptsChange, allowed, reading: { columns, profile } }: SyncFeedOptions,
  { last }: FeedInput,
  read: Pick<Parameters<typeof assertSameForm>[0], "feed" | "now" | "scalePercent">,
): void {
  if (acceptsChange === true) return;
  assertSameForm({ ...read, last, allowed, columns, hasProfile: profile !== undefined });
}

/** What a feed cannot be opened for once columns of its profile are gone. */
const UNUSABLE: ReadonlySet<string> = new Set(["E_FILE_COLUMNS", "E_FEED_FIELDS"]);

/** Opens the feed; one that a profile does not fit any more is refused by what has changed. */
async function openKnown(
  tools: Connection,
  reading: Parameters<typeof openFeed>[2],
  { acceptsChange = false, allowed }: SyncFeedOptions,
  { file, last }: FeedInput,
): Promise<OpenedFeed> {
  const isKnown = last?.form !== undefined;
  try {
    return await openFeed(tools, file, { ...reading, isKnown });
  } catch (error) {
    const isForm = error instanceof CatalogError && UNUSABLE.has(error.code);
    const hasProfile = reading.profile !== undefined;
    if (!isForm || !isKnown || !hasProfile || acceptsChange) throw error;
    await using feed = await openFeed(tools, file, { ...reading, isKnown, isLenient: true });
    const now = { fields: listFields(feed.mapping), form: {}, record: recordOf(feed) };
    assertSameForm({ feed, now, last, allowed, hasProfile, scalePercent: 0 });
    throw error;
  }
}

/** Throws {@link CatalogError} `E_FEED_NO_RULES` for a feed that no price rule is for. */
function assertRuled(
  unmatched: Localized | undefined,
  allowed: ReturnType<typeof toGuardSettings>["allowed"],
): void {
  if (unmatched === undefined || allowed.has("no-rules")) return;
  throw new CatalogError("E_FEED_NO_RULES", unmatched);
}

/** How the store rewrites codes. */
const readNormalization = (tools: Connection): ReturnType<typeof readCodeNormalization> =>
  readCodeNormalization({ registry: tools.codes, suspectKey: CODE_KEYS.suspect }, codeKey);

interface AcceptedFeed {
  readonly file: FeedFile;
  readonly feed: OpenedFeed;
  readonly scan: FeedScan;
  readonly prices: PriceRules;
  readonly knownUnit: "minor" | "major" | undefined;
}

/** An accepted feed is sent without a question, so how it was read is recorded at once. */
async function recordReading(
  tools: Connection,
  { file, feed, scan, prices, knownUnit }: AcceptedFeed,
): Promise<void> {
  await prices.bases.save();
  if (knownUnit !== undefined) await priceUnitOf(tools).save(knownUnit, "person");
  const { notes } = tools.memory;
  const header = feed.mapping.columns.map((column) => column.header);
  const named = { name: file.name, header };
  await saveNotations({ notes, baseUrl: tools.baseUrl }, named, scan.notations.columns);
}

const recordOf = ({ kind, sheet }: Pick<OpenedFeed, "kind" | "sheet">): string | undefined =>
  kind === "xml" || kind === "json" ? sheet.sheet : undefined;

interface FeedJudgeOptions {
  readonly options: Pick<SyncFeedOptions, "maxAgeMs">;
  readonly fetched: Pick<FeedInput, "file" | "last">;
  readonly feed: Pick<OpenedFeed, "endsWithBreak">;
  readonly scan: Pick<FeedScan, "rows" | "endsShort" | "filled">;
  readonly shifted: readonly Localized[];
  readonly guards: Parameters<typeof judgeFeed>[1];
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
  const [rows, lastRows] = [scan.rows, last?.rows];
  const facts = { cells, rows, lastRows, ageMs, lastAgeMs, maxAgeMs, isCutOff };
  return ({ stock, moved } = { stock: { rows: 0, emptied: 0 }, moved: 0 }) => {
    const why = judgeFeed({ ...facts, stock, moved, shifted: shifted.length }, guards);
    if (why === undefined) return;
    const details = {
      empty: ["E_FEED_EMPTY", file.name],
      "cut-off": ["E_FEED_CUT_OFF", file.name],
      stale: ["E_FEED_STALE", describeAge(file.name, ageMs ?? 0)],
      shifted: ["E_FEED_SHIFTED", joinTexts(shifted)],
      older: ["E_FEED_OLDER", file.name],
      "few-rows": ["E_FEED_FEW_ROWS", describeCounts(facts)],
      "zero-stock": ["E_FEED_ZERO_STOCK", `${stock.emptied} / ${stock.rows}`],
      "moved-values": ["E_FEED_MOVED_VALUES", `${moved} / ${rows}`],
    } as const satisfies Record<typeof why, readonly [CatalogError["code"], string | Localized]>;
    const [code, detail] = details[why];
    throw new CatalogError(code, detail);
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
  if (priceUnit !== store.priceUnit) await priceUnitOf(tools).save(priceUnit, "sent");
  const note = { reconciledAtMs, priceUnit, sweep: refresh };
  await saveShopRecord(tools.memory.feedState, note);
  return { store: note, reconciled: products };
}

/** The header of each field that is sent. */
export const listFields = ({ columns }: OpenedFeed["mapping"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ header, target }) =>
      target.kind === "field" && isSentField(target.field) ? [[target.field, header]] : [],
    ),
  );

/** The fields of which a cell is filled; a column of empty cells sends nothing. */
export const listGiven = (
  fields: Readonly<Record<string, string>>,
  filled: Readonly<Record<string, number>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => filled[field] !== 0));

const HOUR_MS = 3_600_000;

/** Throws {@link CatalogError} `E_FEED_STALE` for a feed that has not been written for too long. */
export function assertNotStale(
  { name, modifiedMs }: { readonly name: string; readonly modifiedMs: number | undefined },
  { maxAgeMs, clock }: { readonly maxAgeMs?: number | undefined; readonly clock: Clock },
): void {
  const ageMs = modifiedMs === undefined ? 0 : clock.now() - modifiedMs;
  if (maxAgeMs === undefined || ageMs <= maxAgeMs) return;
  throw new CatalogError("E_FEED_STALE", describeAge(name, ageMs));
}

const describeAge = (name: string, ageMs: number): string =>
  `${name}, ${Math.floor(ageMs / HOUR_MS)} h`;

const joinTexts = (texts: readonly Localized[]): Localized => ({
  tr: texts.map(({ tr }) => tr).join(", "),
  en: texts.map(({ en }) => en).join(", "),
});

/** The numbers of rows and of filled cells that have become smaller: "rows: 30 / 60, Stock: 3 / 60". */
function describeCounts({
  rows,
  lastRows,
  cells,
}: {
  readonly rows: number;
  readonly lastRows: number | undefined;
  readonly cells: readonly {
    readonly field: string;
    readonly now: number;
    readonly last: number | undefined;
  }[];
}): Localized {
  const counts = [
    { name: { tr: "satır", en: "rows" }, now: rows, last: lastRows },
    ...cells.map(({ field, ...count }) => ({
      name: { tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") },
      ...count,
    })),
  ].filter(({ now, last = 0 }) => now < last);
  const list = (lang: "tr" | "en"): string =>
    counts.map(({ name, now, last }) => `${name[lang]}: ${now} / ${last}`).join(", ");
  return { tr: list("tr"), en: list("en") };
}

/** `refused` is the line about fields that the store does not take, where the feed has some. */
function warnOfPlan(
  {
    unsendable,
    unguarded,
    suggestion,
    left,
  }: Pick<FeedPlan, "unsendable" | "unguarded" | "suggestion" | "left">,
  refused: readonly Localized[],
): readonly RunWarning[] {
  const isLeft = unsendable.rows + unsendable.partly > 0;
  return [
    // Where the store already has the feed's values, no field is left out.
    ...(isLeft ? refused.map((message) => ({ code: "W_FIELD_REFUSED", message })) : []),
    ...(unguarded > 0
      ? [{ code: PRICE_UNIT_WARNING, message: describeUnguarded(unguarded, suggestion) }]
      : []),
    ...(left > 0 ? [{ code: "W_PRICE_RULE_LEFT", message: describeLeft(left) }] : []),
  ];
}

const toRuleNotes = (notes: readonly Localized[]): readonly RunWarning[] =>
  notes.map((message) => ({ code: "W_PRICE_RULES", message }));

/** Tells of products that the last accepted version had; nothing is sent for them. */
function noteFewerRows(rows: number, last: FeedRecord | undefined): readonly RunWarning[] {
  const missing = (last?.rows ?? 0) - rows;
  if (missing <= 0) return [];
  return [
    {
      code: "W_FEED_FEWER_ROWS",
      message: {
        tr: `Beslemede son alınan sürümünden ${formatNumber(missing, "tr")} satır az var; beslemede olmayan ürünlerin stoğuna ve fiyatına dokunulmaz.`,
        en: `The feed has fewer rows than its last accepted version (${formatNumber(missing, "en")} fewer); stocks and prices of products that it does not have are left as they are.`,
      },
    },
  ];
}

/** Tells of columns whose cells are all empty, as nothing is sent of them. */
function warnOfEmpty(
  mapped: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): readonly RunWarning[] {
  return Object.entries(mapped)
    .filter(([field]) => !Object.hasOwn(given, field))
    .map(([field, header]) => ({
      code: "W_FEED_COLUMN_EMPTY",
      message: {
        tr: `“${header}” sütunu bütün satırlarda boş; ${fieldLabel(field, "tr")} gönderilmiyor.`,
        en: `The column “${header}” is empty in every row; ${fieldLabel(field, "en")} is not sent.`,
      },
    }));
}

const describeLeft = (rows: number): Localized => ({
  tr: `${formatNumber(rows, "tr")} satırda fiyat ya da stok mağazada olduğu gibi bırakıldı, çünkü hangi kuralın uygulanacağı belli değil. Besleme ürünün kategorisini, markasını ya da maliyetini söylemiyor olabilir; deneyin: catalog rules try BESLEME`,
  en: `The price or stock of ${formatNumber(rows, "en")} rows is left as the store has it, as it is not certain which rule holds. The feed may not give the category, brand or cost of the product; try it: catalog rules try FEED`,
});

const describeUnguarded = (rows: number, suggestion: FeedPlan["suggestion"]): Localized => ({
  tr: [
    `Fiyatı değişen ${rows} satır bekletildi: mağazadaki fiyatların birimi (kuruş mu, lira mı) henüz bilinmiyor, fiyat korumaları bakamadı. Stok değişiklikleri bekletilmez, gönderilir. Birimi biliyorsanız bir kez --price-unit minor (kuruş) ya da --price-unit major (lira) ile çalıştırın; sonraki eşitlemeler hatırlar.`,
    ...describeSuggestion(suggestion, "tr"),
  ].join(" "),
  en: [
    `Rows held because they change a price: ${rows}. The unit of the store's prices (minor or major) is not known yet, so no price guard could look at them. Their stock changes do not wait; they are sent. If you know the unit, run it once with --price-unit minor or --price-unit major; later syncs remember it.`,
    ...describeSuggestion(suggestion, "en"),
  ].join(" "),
});

/** Warnings about what sending has taught about the store. */
export function newWarnings(now: RunRecord, before: RunRecord): readonly Localized[] {
  const shown = new Set(before.warnings.map(({ message }) => message.en));
  return now.warnings.map(({ message }) => message).filter(({ en }) => !shown.has(en));
}
