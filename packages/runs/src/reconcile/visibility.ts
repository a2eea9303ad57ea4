/**
 * How soon the store shows a new product. Some of our own adds are looked up by their ids until
 * they are shown; the result decides whether "not found" means anything in this store.
 */

import type { Clock } from "@catalog/clock";

import type { LagSample, Ledger, ShopBehavior } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { ProductId } from "../ports/product.ts";
import type { SentRow } from "../send/outcome.ts";
import { findByCode, findProducts } from "./find-products.ts";

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
interface SampleVisibilityOptions {
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

interface VisibilitySamplerOptions extends SampleVisibilityOptions {
  readonly clock: Clock;
  /** One of this many adds is sampled, and at most one a second; 0 samples none. */
  readonly every: number;
}

/** Receives each row that was sent. */
export interface VisibilitySampler {
  /** Samples the row's product if it is due, and looks up at once whether the store shows it. */
  note(row: SentRow): Promise<void>;
  read(): Promise<Visibility>;
  /** Looks up the first product ever added to the store a few times, within a few seconds. */
  awaitProbe(): Promise<void>;
}

/**
 * Shortest time between two samples, in milliseconds: how soon the store shows a product depends on
 * the time, not on the number of adds.
 */
const MIN_GAP_MS = 1_000;

/** Later lookups of the first product are made by later runs. */
const PROBE_DELAYS_MS: readonly number[] = [1_000, 4_000];

export function createVisibilitySampler(options: VisibilitySamplerOptions): VisibilitySampler {
  const { journal, marketplace, clock, every, signal } = options;
  let adds = 0;
  let sampledAtMs = -Infinity;

  const read = async (): Promise<Visibility> => judgeVisibility(await journal.readLagSamples());
  return {
    read,
    async note({ action, state, productId }) {
      if (every === 0 || action !== "add" || state !== "done" || productId === undefined) return;
      adds += 1;
      const isFirst = adds === 1 && (await read()).samples === 0;
      if (!isFirst && adds % every !== 0) return;
      // A clock that was put back must not end the sampling.
      if (Math.abs(clock.now() - sampledAtMs) < MIN_GAP_MS) return;
      sampledAtMs = clock.now();
      await journal.startLagSample(productId, toServerMs(marketplace));
      await sampleVisibility(options);
    },
    async awaitProbe() {
      for (const delayMs of PROBE_DELAYS_MS) {
        if ((await read()).verdict === "visible") return;
        await clock.sleep(delayMs, signal);
        await sampleVisibility(options);
      }
    },
  };
}

interface ReadVisibilityOptions {
  readonly journal: Ledger & ShopBehavior;
  readonly marketplace: Marketplace;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Returns `visible` only while the store also shows the product that was added last. */
export async function readVisibility(options: ReadVisibilityOptions): Promise<Visibility> {
  const { journal, marketplace, codeKey, signal } = options;
  const visibility = judgeVisibility(await journal.readLagSamples());
  if (visibility.verdict !== "visible") return visibility;
  const latest = await journal.readLatestAdded();
  if (latest === undefined) return visibility;
  const shown = (await findByCode(marketplace, latest.code, signal)).some(
    ({ id, product_code }) =>
      id === latest.productId && codeKey(product_code ?? "") === codeKey(latest.code),
  );
  return shown ? visibility : { ...visibility, verdict: "unknown" };
}

/**
 * Says whether the store shows new products by now, so that one that it does not show is not there.
 * Looks up the samples that are still missing first.
 */
export async function isStoreVisible(options: ReadVisibilityOptions): Promise<boolean> {
  await sampleVisibility(options);
  return (await readVisibility(options)).verdict === "visible";
}
