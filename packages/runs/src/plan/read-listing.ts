/**
 * Reads the store's products for the rows of a run into the journal. It only reads from the
 * marketplace.
 */

import type { Clock } from "@catalog/clock";

import {
  type Journal,
  type ListedProductRow,
  readAllCodes,
  type RowFilter,
} from "../ports/journal.ts";
import { type ListedEnd, type Marketplace, trustsFilter } from "../ports/marketplace.ts";
import {
  LISTING_STATUSES,
  type ListingStatus,
  PAGE_SIZE,
  type ProductId,
  type StoreProduct,
} from "../ports/product.ts";
import {
  findProducts,
  type FindProductsQuery,
  idsOf,
  STATUS_SWEEP,
} from "../reconcile/find-products.ts";
import { toServerMs } from "../reconcile/visibility.ts";
import type { RowCode } from "../row/row-record.ts";
import {
  type CodeNormalization,
  codeVariants,
  type LookAlikeOptions,
  lookAlikeVariants,
  normalizeCode,
} from "./look-alikes.ts";

/** The run whose products are read, and the ports to read and store them. */
export interface ReadListingOptions extends LookupOptions {
  readonly marketplace: Marketplace;
  readonly lookAlikes?: LookAlikeOptions | undefined;
  /** Tells when the reading begins. @default that is not recorded */
  readonly clock?: Pick<Clock, "now"> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the pages of the store that were read, or with the codes that were looked up. */
  readonly onListing?: ((progress: ListingProgress) => void) | undefined;
}

/** How far the store was read. */
interface ListingProgress {
  /** What is counted: pages of the store, or product codes. */
  readonly step: "store" | "codes";
  readonly done: number;
  readonly total: number;
}

/** How and when the store's products were read. */
export interface ListingRead {
  /** How the store's products were read. */
  readonly readBy: "listing" | "lookups";
  /** When the reading started, by the marketplace's clock. */
  readonly readMs: number | null;
}

/** Products written to the journal, and rows read from it, at a time. */
const BATCH_ROWS = 200;

/** Codes looked up at a time. */
const CODES_AT_ONCE = 16;

/** Maximum number of readings of a listing that changes while it is read. */
const MAX_READINGS = 3;

/**
 * Pages of a listing that stood still for each code that is looked up although it was not shown: a
 * marketplace may cut off its listings and their totals at the same number of products. These
 * look-ups take a tenth of the calls of the listing.
 */
const PAGES_PER_LOOKUP = 10 * STATUS_SWEEP.length;

/** Maximum number of look-ups in every status instead of a page that is refused. */
const MAX_SWEEPS_OF_REFUSED = 1_000;

/**
 * Reads the products that the rows may refer to, in the way that takes fewer calls: each status of
 * the listing once, or the codes and ids of the rows. A product that changes its status or its page
 * while the listing is read may be on none of its pages. So where the listing did not stand still,
 * the codes and ids that it did not show are looked up, or it is read again until it does.
 */
export async function readListing(
  options: ReadListingOptions,
  scope: ListingScope,
): Promise<ListingRead> {
  const { journal, marketplace, signal } = options;
  await journal.clearSeen();
  const totals = await countStatuses(options);
  const readMs = toServerMs(marketplace);
  const pages = totals.reduce((sum, total) => sum + Math.max(1, Math.ceil(total / PAGE_SIZE)), 0);
  const isCheaper =
    pages <= scope.rows * STATUS_SWEEP.length || pages <= (await countLookups(options, scope));
  if (!isCheaper && (await trustsFilter(marketplace, "product_code", signal))) {
    await saveKeys(options, await listKeys(options, scope));
    return { readBy: "lookups", readMs };
  }
  const reading = await readTogether(options, pages);
  await confirmAbsent(options, scope, { pages, reading });
  return { readBy: "listing", readMs };
}

const countStatuses = async ({ marketplace, signal }: ReadListingOptions): Promise<number[]> =>
  await Promise.all(
    LISTING_STATUSES.map(async (status) => await marketplace.countProducts(status, signal)),
  );

/**
 * Says whether nothing moved while the statuses were read. A product that has changed its status
 * meanwhile shows in two of them, or in the totals afterwards.
 */
async function stoodStill(options: ReadListingOptions, reading: ReadStatuses): Promise<boolean> {
  if (!reading.isStill) return false;
  const totals = await countStatuses(options);
  return totals.every((total, index) => total === reading.found[index]);
}

/** What was read of the statuses. */
interface ReadStatuses extends ListedEnd {
  /** Number of products of each status. */
  readonly found: readonly number[];
}

/**
 * Reads each status once, all of them side by side. A product is missed that moves meanwhile to a
 * page that was read from one that was not. {@link stoodStill} notices that, whatever the order of
 * the pages: where no product was shown twice, and as many were shown as the totals count
 * afterwards, one can be missing only where another one has left the store.
 */
async function readTogether(options: ReadListingOptions, pages: number): Promise<ReadStatuses> {
  const closing = new AbortController();
  const signals = [closing.signal, ...(options.signal === undefined ? [] : [options.signal])];
  await using sweep = openSweep({ ...options, signal: AbortSignal.any(signals) }, pages);
  const reads = LISTING_STATUSES.map((status) => sweep.read(status));
  try {
    await Promise.all(reads);
  } finally {
    // Where one of them fails, the others end, too.
    closing.abort(new Error("another status cannot be read"));
    await Promise.allSettled(reads);
  }
  return await sweep.end();
}

/**
 * Reads each status once, one after the other: in a store that keeps changing, no product is
 * missed that moves to a later status.
 */
async function readInOrder(options: ReadListingOptions, pages: number): Promise<ReadStatuses> {
  await using sweep = openSweep(options, pages);
  for (const status of LISTING_STATUSES) await sweep.read(status);
  return await sweep.end();
}

interface Sweep extends AsyncDisposable {
  /** Stores what a status lists. */
  read(status: ListingStatus): Promise<void>;
  /** Waits until all is stored. Says whether each status stood still and showed its own products. */
  end(): Promise<ReadStatuses>;
}

/** Disposing of it waits until nothing is being stored any more. */
function openSweep(options: ReadListingOptions, pages: number): Sweep {
  // The statuses share it, since transactions on the same products could lock each other out.
  const saving = createWriteBehind();
  const ids = new Set<ProductId>();
  const found = new Map<ListingStatus, number>();
  let isStill = true;
  let refusal: Error | undefined;
  let done = 0;
  const reportPage = (): void => {
    done += 1;
    options.onListing?.({ step: "store", done, total: Math.max(pages, done) });
  };
  return {
    async read(status) {
      let isEmpty = true;
      let products = 0;
      const query: FindProductsQuery = {
        statuses: [status],
        onPage() {
          isEmpty = false;
          reportPage();
        },
        onEnd(end) {
          // A status without products takes a page, too.
          if (isEmpty) reportPage();
          isStill &&= end.isStill;
          refusal ??= end.refusal;
        },
      };
      const onProduct = (id: ProductId): void => {
        products += 1;
        ids.add(id);
      };
      await saveInBatches(options, query, { saving, onProduct });
      found.set(status, products);
    },
    async end() {
      await saving.end();
      const counts = LISTING_STATUSES.map((status) => found.get(status) ?? 0);
      const products = counts.reduce((sum, count) => sum + count, 0);
      return { isStill: isStill && ids.size === products, refusal, found: counts };
    },
    [Symbol.asyncDispose]: () => saving[Symbol.asyncDispose](),
  };
}

interface FirstReading {
  readonly pages: number;
  readonly reading: ReadStatuses;
}

/**
 * Makes sure that the codes and ids which the listing did not show are in no status. Throws the
 * refusal of a page that was promised where their products may be on it.
 */
async function confirmAbsent(
  options: ReadListingOptions,
  scope: ListingScope,
  { pages, reading }: FirstReading,
): Promise<void> {
  const { marketplace, signal } = options;
  const { refusal } = reading;
  // More sweeps than this take more calls than reading the listing again, which does not help where
  // a page is refused every time.
  const cheaper = Math.floor(pages / STATUS_SWEEP.length);
  const maxSweeps = refusal === undefined ? cheaper : Math.max(cheaper, MAX_SWEEPS_OF_REFUSED);
  const absent = await listAbsent(options, scope, maxSweeps);
  const sweeps = countSweeps(absent);
  if (sweeps === 0) return;
  const isTrusted = async (): Promise<boolean> =>
    absent.codes.size === 0 || (await trustsFilter(marketplace, "product_code", signal));
  if (await stoodStill(options, reading)) {
    const some = [...absent.codes].slice(0, Math.floor(pages / PAGES_PER_LOOKUP));
    if (some.length === 0 || !(await isTrusted()) || !(await findSome(options, some))) return;
    // The listing is cut off, so that it proves nothing about the other codes.
    await saveKeys(options, await listAbsent(options, scope, Infinity));
    return;
  }
  // The proof of a filter takes calls, so it comes last.
  if (sweeps <= maxSweeps && (await isTrusted())) {
    await saveKeys(options, absent);
    return;
  }
  let last = reading;
  for (let readings = 1; readings < MAX_READINGS; readings += 1) {
    last = await readInOrder(options, pages);
    if (await stoodStill(options, last)) break;
  }
  if (last.refusal !== undefined) throw last.refusal;
}

/** Looks up codes that the listing did not show, and says whether the store has one of them. */
async function findSome(options: ReadListingOptions, codes: readonly string[]): Promise<boolean> {
  await saveByCode(options, codes);
  return (await options.journal.readSeenCodes(codes.map(options.codeKey))).size > 0;
}

/** Stores the products that are found. */
async function saveFound(options: ReadListingOptions, query: FindProductsQuery): Promise<void> {
  await using saving = createWriteBehind();
  await saveInBatches(options, query, { saving });
  await saving.end();
}

interface Saving {
  readonly saving: Pick<WriteBehind, "start">;
  readonly onProduct?: (id: ProductId) => void;
}

/** Stores the products that are found; the last ones may still be being stored afterwards. */
async function saveInBatches(
  { journal, marketplace, codeKey, lookAlikes, signal }: ReadListingOptions,
  query: FindProductsQuery,
  { saving, onProduct }: Saving,
): Promise<void> {
  let batch: ListedProductRow[] = [];
  for await (const { product, status } of findProducts(marketplace, { ...query, signal })) {
    onProduct?.(product.id);
    batch.push(
      toListedProductRow(product, status, { codeKey, suspectKey: lookAlikes?.suspectKey }),
    );
    if (batch.length < BATCH_ROWS) continue;
    const full = batch;
    batch = [];
    await saving.start(() => journal.saveSeen(full));
  }
  await saving.start(() => journal.saveSeen(batch));
}

/** Looks up codes and ids in every status. */
async function saveKeys(options: ReadListingOptions, { codes, ids }: LookupKeys): Promise<void> {
  await saveByCode(options, [...codes]);
  await saveById(options, [...ids]);
}

/** Looks up codes in every status, several codes at a time. */
async function saveByCode(options: ReadListingOptions, codes: readonly string[]): Promise<void> {
  for (let at = 0; at < codes.length; at += CODES_AT_ONCE) {
    const some = codes.slice(at, at + CODES_AT_ONCE);
    await Promise.all(some.map((code) => saveFound(options, { code })));
    const done = at + some.length;
    options.onListing?.({ step: "codes", done, total: codes.length });
  }
}

/** How product codes are compared. */
export interface ProductKeys {
  readonly codeKey: (code: string) => string;
  readonly suspectKey: ((code: string) => string) | undefined;
}

/** Converts a listed product into an entry of the listing cache. */
export function toListedProductRow(
  product: StoreProduct,
  status: ListingStatus,
  { codeKey, suspectKey }: ProductKeys,
): ListedProductRow {
  const code = product.product_code ?? "";
  return { codeKey: codeKey(code), suspectKey: suspectKey?.(code), status, product };
}

/**
 * Counts the calls of looking up each row, with the variants of its code. Rarer spellings, which are
 * searched for new codes only, are not counted: most rows are found by their own code.
 */
async function countLookups(
  options: ReadListingOptions,
  { filter = {} }: ListingScope,
): Promise<number> {
  let calls = 0;
  for await (const rows of readAllCodes(options.journal, options.runId, filter, BATCH_ROWS)) {
    for (const { code } of rows) calls += STATUS_SWEEP.length + countVariants(options, code);
  }
  return calls;
}

const countVariants = (options: ReadListingOptions, code: string | null): number =>
  searchesVariants(options) && code !== null
    ? codeVariants(code).length * LISTING_STATUSES.length
    : 0;

const searchesVariants = ({ lookAlikes }: ReadListingOptions): boolean =>
  lookAlikes !== undefined && lookAlikes.isAllowed !== true;

/**
 * Searches other spellings of a code that was not found: the filter may be exact. A spelling that is
 * not among them is found in a listing only.
 */
export async function findVariants(options: ReadListingOptions, code: string): Promise<void> {
  if (!searchesVariants(options)) return;
  for (const variant of lookAlikeVariants(code)) {
    await saveFound(options, { statuses: LISTING_STATUSES, code: variant });
  }
}

/** Looks up ids in every status, several pages of ids at a time. */
async function saveById(
  options: ReadListingOptions,
  productIds: readonly ProductId[],
): Promise<void> {
  if (productIds.length === 0) return;
  // Each status is asked for all ids, because the last status that lists a product is its current
  // one.
  for (const status of STATUS_SWEEP) {
    await saveFound(options, { statuses: [status], ids: productIds });
  }
}

/** The rows of a run, and how they name their products. */
interface LookupOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /**
   * Reads the rows whose products are wanted, some at a time, with their product ids.
   * @default the rows have codes and no ids
   */
  readonly readIdentities?: (() => AsyncIterable<readonly RowIdentity[]>) | undefined;
}

/** How a row names its product. */
interface RowIdentity extends Pick<RowCode, "code" | "codeKey"> {
  readonly productId: ProductId | null;
}

/** The rows whose products are wanted. */
interface ListingScope {
  /** Number of rows whose products are wanted. */
  readonly rows: number;
  /** The rows of the run whose products are wanted. @default all */
  readonly filter?: Omit<RowFilter, "after" | "limit"> | undefined;
  /** How the store rewrites codes. @default codes are kept as sent */
  readonly normalization?: CodeNormalization | undefined;
}

/** Codes and ids to look up, each once. */
interface LookupKeys {
  readonly codes: ReadonlySet<string>;
  readonly ids: ReadonlySet<ProductId>;
}

/** Sweeps over the statuses that look them up. */
const countSweeps = ({ codes, ids }: LookupKeys): number =>
  codes.size + Math.ceil(ids.size / PAGE_SIZE);

/** Codes under which the store may show the products of the rows, and their ids. */
async function listKeys(options: LookupOptions, scope: ListingScope): Promise<LookupKeys> {
  const { normalization = [] } = scope;
  const codes = new Set<string>();
  const ids = new Set<ProductId>();
  for await (const rows of readKeys(options, scope)) {
    for (const { productId } of rows) if (productId !== null) ids.add(productId);
    for (const code of toFirstCodes(rows).values()) {
      codes.add(code).add(normalizeCode(normalization, code));
    }
  }
  return { codes, ids };
}

/**
 * Keys of rows whose product the listing did not show, as {@link listKeys}; where they take more
 * sweeps than the maximum, only the first ones, but more than that.
 */
async function listAbsent(
  options: LookupOptions,
  scope: ListingScope,
  maxSweeps: number,
): Promise<LookupKeys> {
  const { journal, codeKey } = options;
  const { normalization = [] } = scope;
  const absent = { codes: new Set<string>(), ids: new Set<ProductId>() };
  for await (const rows of readKeys(options, scope)) {
    const ids = idsOf(rows);
    const listed = new Set((await journal.readSeenById(ids)).map(({ product }) => product.id));
    for (const id of ids) if (!listed.has(id)) absent.ids.add(id);
    const codes = [...toFirstCodes(rows)].map(([key, code]) => {
      const stored = normalizeCode(normalization, code);
      return { code, stored, keys: [key, codeKey(stored)] };
    });
    const shown = await journal.readSeenCodes(codes.flatMap(({ keys }) => keys));
    for (const { code, stored, keys } of codes) {
      if (!keys.some((key) => shown.has(key))) absent.codes.add(code).add(stored);
    }
    if (countSweeps(absent) > maxSweeps) break;
  }
  return absent;
}

async function* readKeys(
  { journal, runId, readIdentities }: LookupOptions,
  { filter = {} }: ListingScope,
): AsyncGenerator<readonly RowIdentity[]> {
  if (readIdentities !== undefined) {
    yield* readIdentities();
    return;
  }
  for await (const rows of readAllCodes(journal, runId, filter, BATCH_ROWS)) {
    yield rows.map(({ code, codeKey }) => ({ code, codeKey, productId: null }));
  }
}

/** The first of the codes with each key; a row that names its product by id needs no code. */
function toFirstCodes(rows: readonly RowIdentity[]): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const { code, codeKey: key, productId } of rows) {
    if (productId !== null || code === null || key === null) continue;
    if (!codes.has(key)) codes.set(key, code);
  }
  return codes;
}

export interface WriteBehind extends AsyncDisposable {
  /**
   * Starts a write once those before have ended, also where several callers start theirs at once;
   * rejects where one of those failed.
   */
  start(write: () => Promise<void>): Promise<void>;
  /** Waits for the last write; rejects where it failed. */
  end(): Promise<void>;
}

/** Disposing of it waits for the last write, too, but ignores its error. */
export function createWriteBehind(): WriteBehind {
  let last = Promise.resolve();
  return {
    async start(write) {
      const before = last;
      last = before.then(write);
      // The next call gets the rejection; meanwhile it must not count as unhandled.
      last.catch(() => undefined);
      await before;
    },
    end: () => last,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([last]);
    },
  };
}
