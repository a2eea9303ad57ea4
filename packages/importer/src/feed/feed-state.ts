/**
 * What is known of a store's feeds and products between two syncs: the listing is read as a whole now and
 * then, and products that a feed is about to change are read again, as their prices may have been changed
 * elsewhere.
 */

import type { Connection } from "@catalog/connection";
import {
  LISTING_STATUSES,
  MAX_PAGE_SIZE,
  type ProductId,
  type StoreProduct,
} from "@catalog/contract";
import { codeKey } from "@catalog/mapping";
import {
  createPriceUnitCount,
  findProducts,
  type PriceUnit,
  readProducts,
  RECHECK_MAX_AGE_MS,
  type RowDecision,
} from "@catalog/runs";
import { z } from "zod";

import type { FeedValidators } from "./feed-file.ts";
import { type FeedForm, feedFormSchema } from "./feed-form.ts";
import { feedKey } from "./feed-name.ts";

export type FeedState = Connection["memory"]["feedState"];

/** A listed product, with the fields that were sent and answered after it was listed. */
export type FeedProduct = Awaited<ReturnType<FeedState["readById"]>>[number];

/** A product as a listing showed it. */
type ShownProduct = Parameters<FeedState["saveShown"]>[1][number];

/** Fields as sent, prices in minor units. */
type SentFields = ShownProduct["sent"];

/** State of the store, shared by all of its feeds. */
export interface ShopRecord {
  /** When the whole listing was read last. */
  readonly reconciledAtMs: number | null;
  readonly priceUnit: PriceUnit;
  readonly sweep: number;
}

const storeNoteSchema = z.object({
  reconciledAtMs: z.number().nullable(),
  priceUnit: z.enum(["minor", "major", "unknown"]),
  sweep: z.number(),
});

/** State of one feed after the last sync that accepted it. */
export interface FeedRecord extends FeedValidators {
  readonly rows: number;
  readonly endsWithBreak: boolean;
  /** Every row was sent or needed no sending. */
  readonly isSettled: boolean;
  /** Versions of the price rules and costs with which it was planned. @default none */
  readonly prices?: string | undefined;
  /** The fields that the feed gave, each with the header of its column. @default none is known */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** How its columns gave their values. @default it is not known */
  readonly form?: FeedForm | undefined;
  /** Headers of the columns that price rules used, by what for. @default none is known */
  readonly ruleColumns?: Readonly<Record<string, string>> | undefined;
  /** Path of the records of XML or JSON. @default it is a table, or not known */
  readonly record?: string | undefined;
  /** Filled cells of stock and price. @default none is known */
  readonly filled?: Readonly<Record<string, number>> | undefined;
  /** When its file was written, in milliseconds since 1970. @default it is not known */
  readonly modifiedMs?: number | undefined;
  /** Digest of what a sync read of it. @default it is not known */
  readonly content?: string | undefined;
  /** What was done about products that it named no more. @default it is not known */
  readonly absent?: "keep" | "zero" | "hold" | undefined;
  /** When it was accepted, in milliseconds since 1970. @default it is not known */
  readonly acceptedAtMs?: number | undefined;
  /** The last plan of a shadow that has rows of its own. @default there is none */
  readonly plan?: ShadowPlan | undefined;
}

/** A stored plan, and a digest of its rows. */
export interface ShadowPlan {
  readonly run: string;
  readonly digest: string;
  readonly atMs: number;
}

const feedNoteSchema = z.object({
  rows: z.number(),
  endsWithBreak: z.boolean().default(false),
  isSettled: z.boolean(),
  prices: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  form: feedFormSchema.optional(),
  ruleColumns: z.record(z.string(), z.string()).optional(),
  record: z.string().optional(),
  filled: z.record(z.string(), z.number()).optional(),
  modifiedMs: z.number().optional(),
  content: z.string().optional(),
  absent: z.enum(["keep", "zero", "hold"]).optional(),
  acceptedAtMs: z.number().optional(),
  plan: z.object({ run: z.string(), digest: z.string(), atMs: z.number() }).optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});

const NEW_SHOP: ShopRecord = { reconciledAtMs: null, priceUnit: "unknown", sweep: 0 };

const SHOP_KEY = "store";

/** State of the store; defaults for a new one. */
export async function readShopRecord({
  readNote,
}: Pick<FeedState, "readNote">): Promise<ShopRecord> {
  return (await readNote(SHOP_KEY, storeNoteSchema)) ?? NEW_SHOP;
}

/** State of the feed after the last sync that accepted it, if there was one. */
export async function readFeedRecord(
  { readFeed }: Pick<FeedState, "readFeed">,
  key: string,
): Promise<FeedRecord | undefined> {
  return await readFeed(key, feedNoteSchema);
}

const SHADOW = "shadow:";

/** Key of what a feed's syncs in shadow remember; it begins as a copy of what is known of the feed. */
export const toShadowKey = (key: string): string => `${SHADOW}${key}`;

/** Whether both keys are of one feed, or `other` is that of a shadow, which speaks for no product. */
export const isSameFeed = (key: string, other: string): boolean =>
  other === key || other.startsWith(SHADOW) || toShadowKey(other) === key;

/** What the next sync of a feed goes by, and its key: that of its shadow, where it has one. */
interface StandingRecord {
  readonly key: string;
  readonly record: FeedRecord | undefined;
}

/** Reads what a sync would go by now. */
export async function readStanding(
  feedState: Pick<FeedState, "readFeed">,
  key: string,
): Promise<StandingRecord> {
  const shadow = await readFeedRecord(feedState, toShadowKey(key));
  if (shadow !== undefined) return { key: toShadowKey(key), record: shadow };
  return { key, record: await readFeedRecord(feedState, key) };
}

/**
 * Reads what a sync in shadow goes by, or a sync that sends. The first one in shadow begins with
 * what is known of the feed; the first one that sends takes over what the shadow has seen, so that
 * it does what the last one in shadow has shown.
 */
export async function takeStanding(
  feedState: FeedState,
  key: string,
  { isShadow }: { readonly isShadow: boolean },
): Promise<StandingRecord> {
  const standing = await readStanding(feedState, key);
  if (isShadow) {
    if (standing.key === key && standing.record !== undefined) {
      await feedState.copyFeed(key, toShadowKey(key));
    }
    return { ...standing, key: toShadowKey(key) };
  }
  if (standing.key !== key) {
    await feedState.copyFeed(standing.key, key);
    await feedState.removeFeed(standing.key);
  }
  return { ...standing, key };
}

/** Syncs in a row that found their feed unchanged, so that they have no run. */
export interface FeedRests {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
  /** Whether no other sync of the feed has come since. */
  readonly isOpen: boolean;
}

const restsSchema = z.array(
  z.object({ firstMs: z.number(), lastMs: z.number(), count: z.number(), isOpen: z.boolean() }),
);

/** Series of rests that are kept, of each feed. */
const MAX_RESTS = 300;

const toRestsKey = (key: string): string => `rests ${key}`;

/** Reads the rests of a feed, the oldest first. */
export const readRests = async (
  { readNote }: Pick<FeedState, "readNote">,
  key: string,
): Promise<readonly FeedRests[]> => (await readNote(toRestsKey(key), restsSchema)) ?? [];

/** Notes that a sync has found its feed unchanged. */
export async function noteRest(
  feedState: Pick<FeedState, "readNote" | "saveNotes">,
  key: string,
  nowMs: number,
): Promise<void> {
  const rests = await readRests(feedState, key);
  const last = rests.at(-1);
  const now =
    last?.isOpen === true
      ? [...rests.slice(0, -1), { ...last, lastMs: nowMs, count: last.count + 1 }]
      : [...rests, { firstMs: nowMs, lastMs: nowMs, count: 1, isOpen: true }];
  await feedState.saveNotes({ [toRestsKey(key)]: now.slice(-MAX_RESTS) });
}

/** Ends the series of rests, as another sync of the feed has come. */
export async function endRests(
  feedState: Pick<FeedState, "readNote" | "saveNotes">,
  key: string,
): Promise<void> {
  const rests = await readRests(feedState, key);
  const last = rests.at(-1);
  if (last?.isOpen !== true) return;
  const ended = [...rests.slice(0, -1), { ...last, isOpen: false }];
  await feedState.saveNotes({ [toRestsKey(key)]: ended });
}

/**
 * Takes a person's word that these fields were removed from the feed on purpose, so that the next
 * sync does not miss them. A field that comes back is missed again once it is gone.
 */
export async function dropFields(
  feedState: Pick<FeedState, "readFeed" | "saveAccepted">,
  feed: string,
  dropped: readonly string[],
): Promise<void> {
  const { key, record } = await readStanding(feedState, feedKey(feed));
  if (record?.fields === undefined || dropped.length === 0) return;
  const kept = Object.entries(record.fields).filter(([field]) => !dropped.includes(field));
  const changed: FeedRecord = { ...record, fields: Object.fromEntries(kept) };
  await feedState.saveAccepted({ feed: key, record: changed });
}

export async function saveShopRecord(
  { saveNotes }: Pick<FeedState, "saveNotes">,
  note: ShopRecord,
): Promise<void> {
  await saveNotes({ [SHOP_KEY]: note });
}

type RefreshTools = Pick<Connection, "memory" | "marketplace" | "journal">;

interface RefreshListingOptions {
  readonly priceUnit: PriceUnit;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((products: number) => void) | undefined;
}

interface RefreshedListing {
  readonly products: number;
  readonly refresh: number;
  /**
   * Unit in which this reading shows prices that we sent; the known unit where no price shows it.
   */
  readonly priceUnit: PriceUnit;
}

/** A product, and the status that lists it. */
interface ShownStatus {
  readonly status: string;
  readonly product: StoreProduct;
}

/** Notes a price as it was sent and as the store shows it. */
type NoteUnit = Pick<ReturnType<typeof createPriceUnitCount>, "note">;

/** Products saved at a time. */
const BATCH_ROWS = 200;

/**
 * Reads every status once, and reads products that no status showed by their ids before they are
 * removed.
 */
export async function refreshListing(
  tools: RefreshTools,
  options: RefreshListingOptions,
): Promise<RefreshedListing> {
  const {
    memory: { feedState },
    marketplace,
  } = tools;
  const { signal, priceUnit } = options;
  await feedState.applySentChanges();
  const refresh = await feedState.beginRefresh();
  const units = createPriceUnitCount();
  let products = 0;
  const save = async (batch: readonly ShownStatus[]): Promise<void> => {
    if (priceUnit === "unknown") await noteSent(tools, batch, units);
    await saveBatch(feedState, { batch, refresh, priceUnit, units });
    products += batch.length;
    options.onProgress?.(products);
  };
  await eachBatch(findProducts(marketplace, { statuses: LISTING_STATUSES, signal }), save);
  const missed = await feedState.readUnrefreshed(refresh);
  for (const status of LISTING_STATUSES) {
    // The products that were missed are read in each status; the last status that lists a product
    // is its present one.
    const query = { statuses: [status], ids: missed, signal };
    await eachBatch(findProducts(marketplace, query), save);
  }
  await feedState.forget(await feedState.readUnrefreshed(refresh));
  await feedState.applySentChanges();
  const told = units.unit();
  return { products, refresh, priceUnit: told === "unknown" ? priceUnit : told };
}

async function eachBatch(
  products: AsyncIterable<ShownStatus>,
  save: (batch: readonly ShownStatus[]) => Promise<void>,
): Promise<void> {
  let batch: ShownStatus[] = [];
  for await (const product of products) {
    batch.push(product);
    if (batch.length < BATCH_ROWS) continue;
    await save(batch);
    batch = [];
  }
  if (batch.length > 0) await save(batch);
}

/** Prices sent before the last reading are not in the state of the feeds, and tell the unit too. */
async function noteSent(
  { journal }: RefreshTools,
  batch: readonly ShownStatus[],
  units: NoteUnit,
): Promise<void> {
  const sent = await journal.readLastSent(batch.map(({ product }) => product.id));
  for (const { product } of batch) units.note(sent.get(product.id)?.price, product.price);
}

interface FoundBatch {
  readonly batch: readonly ShownStatus[];
  readonly refresh: number;
  readonly priceUnit: PriceUnit;
  readonly units: NoteUnit;
}

async function saveBatch(
  feeds: FeedState,
  { batch, refresh, priceUnit, units }: FoundBatch,
): Promise<void> {
  const stored = await feeds.readById(batch.map(({ product }) => product.id));
  const known = new Map(stored.map((one) => [one.productId, one]));
  const shown = batch.map(({ product, status }): ShownProduct => {
    const sent = known.get(product.id)?.sent ?? {};
    units.note(sent.price, product.price);
    return toShown(product, status, priceUnit === "unknown" ? keepPrices(sent) : {});
  });
  await feeds.saveShown(refresh, shown);
}

/** The product as the state of the feeds stores it. */
export function toShown(product: StoreProduct, status: string, sent: SentFields): ShownProduct {
  const { id, product_code, price, currency, stock } = product;
  const { has_discount, discount_type, discount_value } = product;
  return {
    productId: id,
    codeKey: codeKey(product_code ?? ""),
    status,
    shown: {
      id,
      product_code,
      price,
      currency,
      stock,
      has_discount,
      discount_type,
      discount_value,
    },
    sent,
  };
}

/**
 * While the unit of the listing's prices is unknown, the price that was sent is the best known one.
 */
function keepPrices({ price, currency, ...rest }: SentFields): SentFields {
  const { has_discount, discount_type, discount_value } = rest;
  const kept = { price, currency, has_discount, discount_type, discount_value };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

export interface FreshProducts {
  /** Reads the products, 50 a call, and stores what they show in the state of the feeds. */
  refresh(ids: readonly ProductId[]): Promise<void>;
  /** Values read for the products that the rows change. */
  toBefore(
    rows: readonly { readonly decision: RowDecision }[],
  ): readonly { readonly row: number; readonly product: StoreProduct }[];
  /** Earliest time at which one of them was read; infinite where none was. */
  readonly readAtMs: number;
}

interface FreshProductsOptions {
  readonly refresh: number;
  readonly priceUnit: PriceUnit;
  /** When the whole listing was read last. */
  readonly refreshedAtMs: number | null;
  readonly signal?: AbortSignal | undefined;
}

type FreshTools = Pick<Connection, "memory" | "marketplace" | "clock">;

export function createFreshProducts(
  tools: FreshTools,
  options: FreshProductsOptions,
): FreshProducts {
  const {
    memory: { feedState },
    clock,
  } = tools;
  const { refreshedAtMs } = options;
  const read = new Map<ProductId, StoreProduct>();
  let readAtMs = -Infinity;
  const note = (
    products: readonly Pick<FeedProduct, "productId" | "shown">[],
    atMs: number,
  ): void => {
    if (products.length > 0 && read.size === 0) readAtMs = atMs;
    for (const { productId, shown } of products) read.set(productId, shown);
  };
  return {
    async refresh(ids) {
      const known = await feedState.readById(ids);
      const ageMs = clock.now() - (refreshedAtMs ?? -Infinity);
      const isYoung = ageMs >= 0 && ageMs < RECHECK_MAX_AGE_MS;
      // The last reading of the listing does not show what was sent since.
      const swept = isYoung ? known.filter(({ sent }) => Object.keys(sent).length === 0) : [];
      note(swept, refreshedAtMs ?? -Infinity);
      const missing = ids.filter((id) => !read.has(id));
      const atMs = clock.now();
      note(await readFresh(tools, options, missing), atMs);
    },
    toBefore: (rows) =>
      rows.flatMap(({ decision: { row, action, productId } }) => {
        const product = productId === null ? undefined : read.get(productId);
        return action === "update" && product !== undefined ? [{ row, product }] : [];
      }),
    get readAtMs() {
      return readAtMs;
    },
  };
}

async function readFresh(
  { memory: { feedState }, marketplace }: FreshTools,
  { refresh, priceUnit, signal }: FreshProductsOptions,
  ids: readonly ProductId[],
): Promise<readonly ShownProduct[]> {
  const found: ShownProduct[] = [];
  for (let at = 0; at < ids.length; at += MAX_PAGE_SIZE) {
    const some = ids.slice(at, at + MAX_PAGE_SIZE);
    const stored = await feedState.readById(some);
    const sentOf = new Map(stored.map(({ productId, sent }) => [productId, sent]));
    for (const { status, product } of (
      await readProducts(some, { marketplace, signal })
    ).values()) {
      const sent = priceUnit === "unknown" ? sentOf.get(product.id) : undefined;
      found.push(toShown(product, status, sent === undefined ? {} : keepPrices(sent)));
    }
  }
  await feedState.saveShown(refresh, found);
  return found;
}
