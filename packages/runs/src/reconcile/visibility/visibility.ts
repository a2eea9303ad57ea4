/**
 * How soon the store shows a new product. Some of our own adds are looked up by their ids until
 * they are shown; the result decides whether "not found" means anything in this store.
 */

import type { ProductId } from "@catalog/contract";

import type { Marketplace } from "../../ports/marketplace.ts";
import type { LagSample, ShopBehavior } from "../../ports/shop-behavior.ts";
import { findProducts } from "../find-products.ts";

/**
 * - `unknown`: no sample is old enough.
 * - `visible`: the store shows what we add.
 * - `blind`: an add of ours was not shown within {@link PATIENCE_MS}.
 */
export interface Visibility {
  readonly verdict: "unknown" | "visible" | "blind";
  /** The longest delay of a product so far, in milliseconds; 0 where none was measured. */
  readonly maxLagMs: number;
  readonly samples: number;
}

/** A product that is not shown within this time, in milliseconds, makes the store a blind one. */
export const PATIENCE_MS: number = 15 * 60_000;

/** Judges the visibility of the store by the samples. */
export function judgeVisibility(samples: readonly LagSample[]): Visibility {
  const shown = samples.filter(({ isShown }) => isShown);
  const lags = shown.map(({ addedMs, shownMs }) => (shownMs ?? 0) - (addedMs ?? shownMs ?? 0));
  const maxLagMs = Math.max(0, ...lags);
  const seen = shown.length > 0 ? "visible" : "unknown";
  const verdict = samples.some(isOverdue) ? "blind" : seen;
  return { verdict, maxLagMs, samples: samples.length };
}

const isOverdue = ({ isShown, addedMs, readMs }: LagSample): boolean =>
  !isShown && addedMs !== null && readMs !== null && readMs - addedMs >= PATIENCE_MS;

/** Ports of {@link sampleVisibility}. */
export interface SampleVisibilityOptions {
  readonly journal: ShopBehavior;
  readonly marketplace: Marketplace;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of samples in one lookup; a listing takes 50 ids in one call (section Limits). */
const MAX_SAMPLES = 50;

/**
 * Looks up the samples that were not shown yet. Returns how many are still missing. A listing that
 * cannot be read is ignored, because no row depends on it.
 */
export async function sampleVisibility(options: SampleVisibilityOptions): Promise<number> {
  const { journal, marketplace } = options;
  const open = (await journal.readLagSamples()).filter(({ isShown }) => !isShown);
  const ids = open.slice(-MAX_SAMPLES).map(({ productId }) => productId);
  if (ids.length === 0) return 0;
  const { found, isComplete } = await listSamples(options, ids);
  const serverMs = toServerMs(marketplace);
  for (const id of ids) {
    const shown = found.has(id);
    if (shown || isComplete) await journal.recordLagSample(id, { shown, serverMs });
  }
  return ids.length - found.size;
}

async function listSamples(
  { marketplace, signal }: SampleVisibilityOptions,
  ids: readonly ProductId[],
): Promise<{ readonly found: ReadonlySet<ProductId>; readonly isComplete: boolean }> {
  const found = new Set<ProductId>();
  try {
    for await (const { product } of findProducts(marketplace, { ids, signal })) {
      found.add(product.id);
    }
    return { found, isComplete: true };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { found, isComplete: false };
  }
}

/** Returns the marketplace's own time, where it gives one. */
export function toServerMs(marketplace: Pick<Marketplace, "serverTimeMs">): number | null {
  return marketplace.serverTimeMs?.() ?? null;
}
