/** What the store and the ledger know of a batch of rows, read in a few queries. */

import type { KnownCode, ListedProductRow } from "../ports/journal.ts";
import type { ProductChanges, ProductId } from "../ports/product.ts";
import { freeAbsentCodes } from "../reconcile/decide-absent.ts";
import type { CandidateRow } from "../row/row-record.ts";
import {
  type CodeNormalization,
  readCodeNormalization,
  readLookAlikes,
  type TakenCode,
  toStoredKey,
} from "./look-alikes.ts";
import {
  findVariants,
  type ListingRead,
  readListing,
  type ReadListingOptions,
} from "./read-listing.ts";

/** The store's products as they were read for a plan. */
export interface StoreBackground extends ListingRead {
  /** How the store rewrites codes. */
  readonly normalization: CodeNormalization;
  /** When the reading has begun; absent where no clock was given. */
  readonly beganAtMs?: number | undefined;
}

/**
 * Reads the products that this number of rows may refer to, and learns how the store rewrites
 * codes.
 */
export async function readStoreBackground(
  options: ReadListingOptions,
  rows: number,
): Promise<StoreBackground> {
  const { lookAlikes, codeKey, clock } = options;
  const beganAtMs = clock?.now();
  const normalization = await lookAlikes?.registry.readNormalization();
  const read = await readListing(options, { rows, normalization });
  return {
    ...read,
    beganAtMs,
    normalization: lookAlikes === undefined ? [] : await readCodeNormalization(lookAlikes, codeKey),
  };
}

/** What is known of the products of rows. */
export interface RowBackground {
  seenOf(row: CandidateRow): readonly ListedProductRow[];
  knownOf(row: CandidateRow): KnownCode | undefined;
  /** Returns the codes in use that look like the row's, where the row would add a product. */
  lookAlikeOf(row: CandidateRow): readonly TakenCode[];
  lastSentOf(productId: ProductId | undefined): ProductChanges | undefined;
}

/** Reads the listing cache, the ledger and the values sent last for some rows. */
export async function readBackground(
  options: ReadListingOptions,
  store: StoreBackground,
  candidates: readonly CandidateRow[],
): Promise<RowBackground> {
  const { journal } = options;
  const codeKeys = candidates.map(({ codeKey }) => codeKey).filter((key) => key !== null);
  const [{ seenOf, hasCode }, inUse] = await Promise.all([
    readSeen(options, store, candidates),
    journal.readKnownCodes(codeKeys),
  ]);
  // The code of a row that names its product by id is not looked up, so nothing is proven of it.
  const byCode = candidates.filter(({ productId }) => productId === null);
  const lookedUp = new Set(byCode.map(({ codeKey }) => codeKey));
  const taken = await freeAbsentCodes(
    { ...options, lookedUpMs: store.readMs },
    inUse,
    (codeKey) => !lookedUp.has(codeKey) || hasCode(codeKey),
  );
  const known = new Map(taken.map((code) => [code.codeKey, code]));
  const knownOf = ({ codeKey }: CandidateRow): KnownCode | undefined => known.get(codeKey ?? "");
  const fresh = candidates.filter((row) => {
    const isNamed = row.productId !== null || row.codeKey === null || knownOf(row) !== undefined;
    return !isNamed && seenOf(row).length === 0;
  });
  const lookAlikes = await readLookAlikesOf(options, store, fresh);
  const lastSent = await journal.readLastSent([
    ...candidates.flatMap((row) => seenOf(row).map(({ product }) => product.id)),
    ...[...known.values()].map(({ productId }) => productId).filter((id) => id !== null),
  ]);
  return {
    seenOf,
    knownOf,
    lookAlikeOf: ({ row }) => lookAlikes.get(row) ?? [],
    lastSentOf: (productId) => (productId === undefined ? undefined : lastSent.get(productId)),
  };
}

interface ListedProducts {
  readonly seenOf: (row: CandidateRow) => readonly ListedProductRow[];
  /** Says whether the store shows a product under the code or under its rewriting. */
  readonly hasCode: (codeKey: string) => boolean;
}

async function readSeen(
  options: ReadListingOptions,
  { normalization }: Pick<StoreBackground, "normalization">,
  candidates: readonly CandidateRow[],
): Promise<ListedProducts> {
  const { journal } = options;
  const keys = toProductKeys(candidates, { normalization, codeKey: options.codeKey });
  const [ofCodes, ofIds] = await Promise.all([
    journal.readSeenByCode(keys.codeKeys),
    journal.readSeenById(keys.ids),
  ]);
  const byCode = Map.groupBy(ofCodes, ({ codeKey }) => codeKey);
  const byId = Map.groupBy(ofIds, ({ product }) => product.id);
  const storedKeys = new Map(candidates.map((row) => [row.codeKey, keys.storedKeyOf(row) ?? ""]));
  return {
    seenOf: (row) => keys.productsOf(row, { byCode, byId }),
    hasCode: (key) => byCode.has(key) || byCode.has(storedKeys.get(key) ?? ""),
  };
}

/** How rows find their products: by id, by code, or by the rewritten code. */
export interface ProductKeys {
  readonly codeKeys: readonly string[];
  readonly ids: readonly ProductId[];
  storedKeyOf(row: CandidateRow): string | null;
  /** Returns the products of a row among those that were found by these keys. */
  productsOf<T>(row: CandidateRow, found: FoundProducts<T>): readonly T[];
}

/** Products that were found by the keys of some rows. */
interface FoundProducts<T> {
  readonly byCode: ReadonlyMap<string, readonly T[]>;
  readonly byId: ReadonlyMap<ProductId, readonly T[]>;
}

/** Returns the keys of rows, in the order of the rows. */
export function toProductKeys(
  candidates: readonly CandidateRow[],
  {
    normalization,
    codeKey,
  }: Pick<StoreBackground, "normalization"> & Pick<ReadListingOptions, "codeKey">,
): ProductKeys {
  const storedKeyOf = (row: CandidateRow): string | null =>
    toStoredKey(normalization, row, codeKey);
  return {
    codeKeys: candidates
      .flatMap((row) => [row.codeKey, storedKeyOf(row)])
      .filter((key) => key !== null),
    ids: candidates.map(({ productId }) => productId).filter((id) => id !== null),
    storedKeyOf,
    productsOf(row, { byCode, byId }) {
      if (row.productId !== null) return byId.get(row.productId) ?? [];
      return byCode.get(row.codeKey ?? "") ?? byCode.get(storedKeyOf(row) ?? "") ?? [];
    },
  };
}

/** Returns codes that look like those of rows that would add a product, by row. */
async function readLookAlikesOf(
  options: ReadListingOptions,
  { readBy }: StoreBackground,
  rows: readonly CandidateRow[],
): ReturnType<typeof readLookAlikes> {
  const { lookAlikes, runId } = options;
  if (lookAlikes === undefined) return new Map();
  if (readBy === "lookups") {
    for (const { code } of rows) await findVariants(options, code ?? "");
  }
  return await readLookAlikes(lookAlikes, runId, rows);
}
