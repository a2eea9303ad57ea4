/** Reads products of the store into its list, which keeps what it has until a reading is whole. */

import { type Connection, priceUnitOf } from "@catalog/connection";
import { LISTING_STATUSES, MAX_PAGE_SIZE, type ProductId } from "@catalog/contract";
import { createPriceUnitCount, findProducts, type PriceUnit, readProducts } from "@catalog/runs";

import { createProductIndex, type ReadProduct } from "./product-index.ts";

type ReadTools = Pick<
  Connection,
  "memory" | "marketplace" | "clock" | "journal" | "baseUrl" | "priceUnit"
>;

interface ReadStoreOptions {
  readonly priceUnit: PriceUnit;
  readonly signal?: AbortSignal | undefined;
  /** Called with the products that were read so far. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** How far the store was read. */
export interface ReadProgress {
  readonly done: number;
  /** Products of all statuses, by their totals. */
  readonly total: number;
}

/** Products saved at a time. */
const BATCH_ROWS = 200;

/** How long the list remembers what others have changed. */
const CHANGES_KEPT_MS = 90 * 24 * 60 * 60_000;

/**
 * Each status is read once, and twice those that a product moves between, before a product counts as
 * gone.
 */
const ID_STATUSES = [...LISTING_STATUSES, ...LISTING_STATUSES];

/**
 * Reads every status once. A product may slip from a page that was not read to one that was; so those
 * that no status showed are looked for by their ids before they are forgotten. Rejects with the
 * refusal of a page that a total had promised, after everything else was stored: new products may be
 * on that page.
 */
export async function readWholeStore(tools: ReadTools, options: ReadStoreOptions): Promise<void> {
  const {
    memory: { storeProducts: list },
    marketplace,
  } = tools;
  const { signal, onProgress } = options;
  const totals = await Promise.all(
    LISTING_STATUSES.map((status) => marketplace.countProducts(status, signal)),
  );
  const total = totals.reduce((sum, products) => sum + products, 0);
  const reading = await list.beginReading();
  onProgress?.({ done: 0, total });
  const refusals: Error[] = [];
  let done = 0;
  const units = createPriceUnitCount();
  const save = createSave(tools, { ...options, reading, units });
  const onEnd = ({ refusal }: { readonly refusal?: Error | undefined }): void => {
    if (refusal !== undefined) refusals.push(refusal);
  };
  const all = findProducts(marketplace, { statuses: LISTING_STATUSES, signal, onEnd });
  await save(all, (products) => {
    done += products;
    onProgress?.({ done, total: Math.max(done, total) });
  });
  const ids = await list.readUnmet(reading);
  await save(findProducts(marketplace, { statuses: ID_STATUSES, ids, signal }));
  await list.endReading(reading, CHANGES_KEPT_MS);
  await priceUnitOf(tools).save(units.unit(), "sent");
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
}

interface SaveReadOptions extends ReadStoreOptions {
  readonly reading: number;
  /** Counts prices that we sent and the listing shows, while the unit is not known. */
  readonly units: ReturnType<typeof createPriceUnitCount>;
}

type Found = Pick<ReadProduct, "product" | "status">;

type SaveFound = (
  products: AsyncIterable<Found>,
  onSaved?: (products: number) => void,
) => Promise<void>;

/** Creates the function that saves products as they are read, some at a time. */
function createSave({ memory, clock, journal }: ReadTools, options: SaveReadOptions): SaveFound {
  const toIndexed = createProductIndex();
  const { reading, priceUnit, units } = options;
  const noteUnits = async (batch: readonly ReadProduct[]): Promise<void> => {
    if (priceUnit !== "unknown") return;
    const sent = await journal.readLastSent(batch.map(({ product }) => product.id));
    for (const { product } of batch) units.note(sent.get(product.id)?.price, product.price);
  };
  return async (products, onSaved) => {
    let batch: ReadProduct[] = [];
    const flush = async (): Promise<void> => {
      const full = batch;
      batch = [];
      await memory.storeProducts.save(full, { reading, priceUnit });
      await noteUnits(full);
      onSaved?.(full.length);
    };
    for await (const { product, status } of products) {
      batch.push(toIndexed({ product, status, atMs: clock.now() }));
      if (batch.length >= BATCH_ROWS) await flush();
    }
    if (batch.length > 0) await flush();
  };
}

/**
 * Reads products by their ids, 50 a call, each first in the status that has shown it last; those that
 * no status shows are forgotten.
 */
export async function readStoreProducts(
  tools: ReadTools,
  ids: readonly ProductId[],
  { priceUnit, signal }: ReadStoreOptions,
): Promise<void> {
  const {
    memory: { storeProducts: list },
    marketplace,
    clock,
  } = tools;
  const toIndexed = createProductIndex();
  const journal = {
    readSeenById: async (asked: readonly ProductId[]) =>
      (await list.readById(asked)).map(({ product, status }) => ({
        codeKey: product.product_code ?? "",
        product,
        status,
      })),
  };
  for (let at = 0; at < ids.length; at += MAX_PAGE_SIZE) {
    const some = ids.slice(at, at + MAX_PAGE_SIZE);
    const found = await readProducts(some, { marketplace, journal, clock, signal });
    await list.save([...found.values()].map(toIndexed), { priceUnit });
    await list.forget(some.filter((id) => !found.has(id)));
  }
}
