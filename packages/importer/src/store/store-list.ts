/**
 * The list of the store's products as the page shows it: read as a whole when a person asks for it,
 * one reading at a time over all processes, and by single products after our runs have changed them.
 */

import { type Connection, DatabaseError, priceUnitOf } from "@catalog/connection";
import { LISTING_STATUSES, MAX_PAGE_SIZE, type ProductId } from "@catalog/contract";
import { InputError } from "@catalog/i18n";
import { type PriceUnit, readSentUnit } from "@catalog/runs";

import { createTextFold } from "../drafts/draft-rows.ts";
import type { readPriceUnitExample } from "../plan/plan-notes.ts";
import { readAmounts, toDiscount } from "./product-index.ts";
import { type ReadProgress, readStoreProducts, readWholeStore } from "./read-store.ts";

type StoreProducts = Connection["memory"]["storeProducts"];
type StoredFilter = Parameters<StoreProducts["order"]>[0];

/** A product as the store has shown it last. */
type StoredProduct = Awaited<ReturnType<StoreProducts["readById"]>>[number];

/** A product of the list with its amounts, in minor units; `null` where they are not known. */
interface ShownProduct extends StoredProduct {
  readonly price: number | null;
  /** What the buyer pays. */
  readonly paid: number | null;
  /** What the buyer saves, in percent of the price; `null` for nothing. */
  readonly discount: number | null;
}

/** Which products are listed; all parts hold together. */
interface StoreListFilter extends Omit<StoredFilter, "folded" | "paid"> {
  /** Part of code, title, brand or id; letters fold as in Turkish. */
  readonly text?: string | undefined;
  /** What the buyer pays, in minor units. */
  readonly minPaid?: number | undefined;
  readonly maxPaid?: number | undefined;
}

type StoreListSort = NonNullable<Parameters<StoreProducts["order"]>[1]>;

/** Products that a person has chosen: by number, or all of a filter. */
type StoreSelection =
  | { readonly numbers: readonly number[] }
  | { readonly filter: StoreListFilter };

type UnitExample = Parameters<typeof readPriceUnitExample>[0]["examples"][number];

/** What is known of the list as a whole. */
interface StoreListState {
  readonly total: number;
  /** Grows with each change of what the list shows. */
  readonly version: number;
  /** When the last whole reading began; `null` before the first one. */
  readonly readAtMs: number | null;
  /** The whole reading under way; its total is `null` where another process reads. */
  readonly reading: { readonly done: number; readonly total: number | null } | null;
  /** Products that a reading has met whose process is gone; `null` where the last one has ended. */
  readonly cutOffAt: number | null;
  /** Why the last reading of this process failed; `undefined` where it did not. */
  readonly error: unknown;
  readonly priceUnit: PriceUnit;
  /** A product from whose listed price a person can tell the unit, while it is not known. */
  readonly unitExample: UnitExample | undefined;
  /** Calls that reading all products takes, with those that count them. */
  readonly calls: number;
}

/** The list of one store, for one process. */
export interface StoreList extends AsyncDisposable {
  state(): Promise<StoreListState>;
  /**
   * Begins to read the whole store and returns; nothing happens where it is read already, by this
   * process or another one.
   */
  start(): Promise<void>;
  /** Stops the reading; the list keeps what it had and what was read. */
  stop(): Promise<void>;
  /**
   * Numbers of the products of a filter. Rejects with {@link InputError} for amounts whose unit is
   * not known.
   */
  order(filter: StoreListFilter, sort?: StoreListSort): Promise<Uint32Array>;
  /**
   * Products by their numbers; a number without a product is left out. Those that our runs have
   * changed since they were read are read again, with a few calls at most.
   */
  rows(numbers: readonly number[]): Promise<readonly ShownProduct[]>;
  /** Reads products again now, 50 a call; rejects where the store cannot be read. */
  readAgain(numbers: readonly number[]): Promise<void>;
  /** The chosen products in the order of the list, some at a time. */
  selected(selection: StoreSelection): AsyncIterable<readonly StoredProduct[]>;
  facets(): ReturnType<StoreProducts["readFacets"]>;
}

type ListTools = Pick<
  Connection,
  "memory" | "marketplace" | "clock" | "journal" | "locks" | "baseUrl" | "priceUnit"
>;

interface Reading {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  progress: ReadProgress | undefined;
}

const LOCK = "products of the store";

/** Returns the lock of a reading; `undefined` where another one has it. */
async function takeLock({ locks }: ListTools): Promise<AsyncDisposable | undefined> {
  try {
    return await locks.export(LOCK);
  } catch (failure) {
    if (failure instanceof DatabaseError && failure.code === "E_STORE_BUSY") return undefined;
    throw failure;
  }
}

async function isReadElsewhere(tools: ListTools): Promise<boolean> {
  await using lock = await takeLock(tools);
  return lock === undefined;
}

/** Values of a facet. */
const MAX_FACETS = 1_000;

/** Opens the list of a store. */
export function openStoreList(tools: ListTools): StoreList {
  const {
    memory: { storeProducts: list },
  } = tools;
  let reading: Reading | undefined;
  let error: unknown;
  const refresh = createRefresh(tools);

  const begin = (lock: AsyncDisposable): Reading => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      await using _lock = lock;
      const options = {
        priceUnit: await readUnit(tools),
        signal: stop.signal,
        onProgress: (progress: ReadProgress) => (begun.progress = progress),
      };
      await readWholeStore(tools, options);
    };
    const settle = async (): Promise<void> => {
      // The reading begins once it can be seen.
      await Promise.resolve();
      try {
        await read();
      } catch (failure) {
        error = stop.signal.aborted ? undefined : failure;
      } finally {
        reading = undefined;
      }
    };
    const begun: Reading = { stop, ended: settle(), progress: undefined };
    return begun;
  };
  const stop = async (): Promise<void> => {
    reading?.stop.abort(new Error("the reading was stopped"));
    await reading?.ended;
  };
  const readListState = async (): Promise<StoreListState> => {
    const own = reading;
    const { total, version, readAtMs, begun } = await list.readState();
    const priceUnit = await readUnit(tools);
    const unitExample = priceUnit === "unknown" ? await findUnitExample(list) : undefined;
    const facts = { priceUnit, unitExample, calls: countReadCalls(total) };
    const known = { total, version, readAtMs, error, ...facts };
    if (own !== undefined) {
      const progress = own.progress ?? { done: 0, total: null };
      return { ...known, reading: progress, cutOffAt: null };
    }
    if (begun === null) return { ...known, reading: null, cutOffAt: null };
    if (await isReadElsewhere(tools)) {
      return { ...known, reading: { done: begun.met, total: null }, cutOffAt: null };
    }
    // The reading may have ended since its state was read.
    const { begun: left } = await list.readState();
    if (left?.atMs !== begun.atMs) return await readListState();
    return { ...known, reading: null, cutOffAt: begun.met };
  };
  return {
    state: readListState,
    async start() {
      if (reading !== undefined) return;
      const lock = await takeLock(tools);
      if (lock === undefined) return;
      error = undefined;
      reading = begin(lock);
    },
    stop,
    order: async (filter, sort) => await readOrder(tools, filter, sort),
    async rows(numbers) {
      const unit = await readUnit(tools);
      await list.noteSent(unit);
      return (await refresh(numbers)).map((stored) => toShownProduct(stored, unit));
    },
    async readAgain(numbers) {
      const ids = (await list.readByNumber(numbers)).map(({ product }) => product.id);
      await readStoreProducts(tools, ids, { priceUnit: await readUnit(tools) });
    },
    selected: (selection) => readSelected(tools, selection),
    facets: () => list.readFacets(MAX_FACETS),
    [Symbol.asyncDispose]: stop,
  };
}

const UNKNOWN_AMOUNTS = { price: null, paid: null };

function toShownProduct(stored: StoredProduct, unit: PriceUnit): ShownProduct {
  // A discount is the same share under both units.
  const discount = toDiscount(readAmounts(stored.product, "major"));
  const amounts = unit === "unknown" ? UNKNOWN_AMOUNTS : readAmounts(stored.product, unit);
  return { ...stored, ...amounts, discount };
}

/** The unit of listed prices, by the strongest source. */
async function readUnit(tools: ListTools): Promise<PriceUnit> {
  const { set, remembered } = await priceUnitOf(tools).known();
  if (set !== undefined) return set;
  const sent = await readSentUnit(tools.journal);
  return sent === "unknown" ? (remembered ?? "unknown") : sent;
}

/** Products that are looked through for an example; the list is asked for often while it is read. */
const EXAMPLE_NUMBERS: readonly number[] = Array.from({ length: 50 }, (_, at) => at + 1);

async function findUnitExample(list: StoreProducts): Promise<UnitExample | undefined> {
  for (const { product } of await list.readByNumber(EXAMPLE_NUMBERS)) {
    const { id, product_code: code, price: shown, currency } = product;
    if (typeof shown === "number" && shown > 0) {
      return { code: code ?? id, shown, currency: currency ?? undefined };
    }
  }
  return undefined;
}

async function readOrder(
  tools: ListTools,
  { text = "", minPaid: min, maxPaid: max, ...filter }: StoreListFilter,
  sort?: StoreListSort,
): Promise<Uint32Array> {
  const { storeProducts: list } = tools.memory;
  const unit = await readUnit(tools);
  await list.noteSent(unit);
  // Signs fold to nothing, and no text of a product has them: they find none, and not everything.
  const folded = createTextFold()(text) || text.trim();
  const sought = folded === "" ? filter : { ...filter, folded };
  if (min === undefined && max === undefined) return await list.order(sought, sort);
  if (unit === "unknown") throw new InputError(UNIT_UNKNOWN);
  return await list.order({ ...sought, paid: { unit, min, max } }, sort);
}

const UNIT_UNKNOWN = {
  tr: "Mağazanın fiyatları kuruş mu lira mı gösterdiği henüz bilinmiyor; fiyata göre süzülemez. Birim, fiyat içeren ilk gönderimden sonra ya da Ayarlar'da seçilince bilinir.",
  en: "It is not known yet whether the store shows prices in kuruş or lira, so they cannot be filtered. The unit is known after the first sending with a price, or once it is chosen in the settings.",
};

/** Products read at a time. */
const SELECTED_AT_ONCE = 500;

async function* readSelected(
  tools: ListTools,
  selection: StoreSelection,
): AsyncGenerator<readonly StoredProduct[]> {
  const numbers =
    "numbers" in selection
      ? [...new Set(selection.numbers)]
      : await readOrder(tools, selection.filter);
  for (let at = 0; at < numbers.length; at += SELECTED_AT_ONCE) {
    const some = Array.from(numbers.slice(at, at + SELECTED_AT_ONCE));
    yield await tools.memory.storeProducts.readByNumber(some);
  }
}

/** Calls that showing products takes at most, where each is in the status that has shown it last. */
const MAX_CALLS = 4;

/** How long products are waited for that are read again; they come later where that takes longer. */
const PATIENCE_MS = 1_500;

/** A value that the store does not show yet is looked for again after so long, and no more later. */
const AGAIN_MS = 30_000;
const GIVEN_UP_MS = 30 * 60_000;

/** Creates the function that returns products, and reads those again that our runs have changed. */
function createRefresh(
  tools: ListTools,
): (numbers: readonly number[]) => Promise<readonly StoredProduct[]> {
  const {
    memory: { storeProducts: list },
    clock,
  } = tools;
  const asked = new Map<ProductId, number>();
  let running: Promise<void> | undefined;
  const isStale = ({ product, atMs, oursAtMs, unshownSinceMs }: StoredProduct): boolean => {
    const now = clock.now();
    if (unshownSinceMs === null || now - unshownSinceMs > GIVEN_UP_MS) return false;
    const waitedMs = now - (asked.get(product.id) ?? -Infinity);
    return waitedMs >= AGAIN_MS && (atMs <= (oursAtMs ?? 0) || now - atMs >= AGAIN_MS);
  };
  const readAgain = async (ids: readonly ProductId[]): Promise<void> => {
    for (const id of ids) asked.set(id, clock.now());
    try {
      await readStoreProducts(tools, ids, { priceUnit: await readUnit(tools) });
    } catch {
      // What is shown says how old it is, and the next look tries again.
    } finally {
      running = undefined;
    }
  };
  return async (numbers) => {
    const found = await list.readByNumber(numbers);
    const stale = found.filter(isStale).slice(0, MAX_CALLS * MAX_PAGE_SIZE);
    if (stale.length === 0 || running !== undefined) return found;
    running = readAgain(stale.map(({ product }) => product.id));
    const waiting = new AbortController();
    await Promise.race([running, clock.sleep(PATIENCE_MS, waiting.signal).catch(() => undefined)]);
    waiting.abort(new Error("the products are read"));
    return await list.readByNumber(numbers);
  };
}

const countReadCalls = (products: number): number =>
  LISTING_STATUSES.length + Math.max(LISTING_STATUSES.length, Math.ceil(products / MAX_PAGE_SIZE));
