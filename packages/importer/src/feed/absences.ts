/**
 * Which products a feed has named before and names no more, as it is remembered with each accepted
 * version of the feed.
 */

import type { Connection } from "@catalog/connection";
import {
  type AbsentProduct,
  type planAbsentRows,
  readAllRows,
  type RunRecord,
} from "@catalog/runs";

import { type FeedState, isSameFeed, readFeedRecord } from "./feed-state.ts";

type AcceptedFeed = Required<Parameters<FeedState["saveAccepted"]>[0]>;
type NamedProduct = AcceptedFeed["named"][number];
type ProductId = NamedProduct["productId"];

/** Versions in a row that lack a product before it counts as sold out. */
const MIN_ABSENCES = 2;

/** A feed that was not accepted for 7 days no longer speaks for its products. */
const SPEAKS_MS = 7 * 24 * 3_600_000;

/** What an accepted version of a feed says about the products that it has named before. */
export interface Absences {
  /** Entries that are new or change, to be saved with the record of the feed. */
  readonly changed: ReadonlyMap<ProductId, NamedProduct>;
  /** Products of the feed, with absent ones that were not sold out for it yet. */
  readonly known: number;
  /** Products that this version is the first to lack. */
  readonly first: number;
  /** Absent long enough, in stock as far as is known, and named by no other feed. */
  readonly due: readonly AbsentProduct[];
  /** Absent long enough, and named by another feed of the store. */
  readonly elsewhere: number;
  /** All that are absent long enough. */
  readonly absent: readonly NamedProduct[];
  /** Absent, sold out since, and given a stock by another writer after that. */
  readonly restocked: number;
}

interface ReadAbsencesOptions {
  /** Key of the feed. */
  readonly key: string;
  /** Products that this version names. */
  readonly named: ReadonlySet<ProductId>;
  /** Whether the last accepted version had the same content, so that nothing is counted twice. */
  readonly isSame: boolean;
  readonly nowMs: number;
}

/** Compares what the feed names with what it named before. Changes nothing. */
export async function readAbsences(
  feedState: FeedState,
  { key, named, isSame, nowMs }: ReadAbsencesOptions,
): Promise<Absences> {
  const changed = new Map<ProductId, NamedProduct>();
  const fresh = new Set(named);
  const absent: NamedProduct[] = [];
  let first = 0;
  for await (const page of feedState.readNamed(key)) {
    for (const one of page) {
      const { productId, absences } = one;
      if (fresh.delete(productId)) {
        if (absences > 0) changed.set(productId, toNamed(productId));
        continue;
      }
      const isCounted = (isSame && absences > 0) || absences >= MIN_ABSENCES;
      const now = isCounted ? one : toAbsent(one, nowMs);
      if (now !== one) changed.set(productId, now);
      if (now.absences < MIN_ABSENCES) first += 1;
      else absent.push(now);
    }
  }
  for (const productId of fresh) changed.set(productId, toNamed(productId));
  const elsewhere = await findElsewhere(feedState, { key, absent, nowMs });
  const due = absent.filter(({ productId, isEmptied }) => !isEmptied && !elsewhere.has(productId));
  return {
    changed,
    known: named.size + first + absent.filter(({ isEmptied }) => !isEmptied).length,
    first,
    due: due.map(({ productId, absentSinceMs }) => ({
      productId,
      sinceMs: absentSinceMs ?? nowMs,
    })),
    elsewhere: elsewhere.size,
    absent,
    restocked: await countRestocked(feedState, absent),
  };
}

const toNamed = (productId: ProductId): NamedProduct => ({
  productId,
  absences: 0,
  absentSinceMs: null,
  isEmptied: false,
});

const toAbsent = (one: NamedProduct, nowMs: number): NamedProduct => ({
  ...one,
  absences: one.absences + 1,
  absentSinceMs: one.absentSinceMs ?? nowMs,
});

/** The products among them that another feed of the store names. */
async function findElsewhere(
  feedState: FeedState,
  {
    key,
    absent,
    nowMs,
  }: Pick<ReadAbsencesOptions, "key" | "nowMs"> & { readonly absent: readonly NamedProduct[] },
): Promise<ReadonlySet<ProductId>> {
  const found = new Set<ProductId>();
  const ids = absent.filter(({ isEmptied }) => !isEmptied).map(({ productId }) => productId);
  if (ids.length === 0) return found;
  for (const other of await feedState.listFeeds()) {
    if (isSameFeed(key, other)) continue;
    const { acceptedAtMs = -Infinity } = (await readFeedRecord(feedState, other)) ?? {};
    if (nowMs - acceptedAtMs > SPEAKS_MS) continue;
    for (const productId of await feedState.findNamed(other, ids)) found.add(productId);
  }
  return found;
}

async function countRestocked(
  feedState: FeedState,
  absent: readonly NamedProduct[],
): Promise<number> {
  const emptied = absent.filter(({ isEmptied }) => isEmptied).map(({ productId }) => productId);
  const products = await feedState.readById(emptied);
  return products.filter(({ shown, sent }) => (sent.stock_count ?? shown.stock ?? 0) !== 0).length;
}

/** What a sync came to for absent products. */
export interface AbsentCounts extends Pick<Absences, "first" | "elsewhere" | "restocked"> {
  /** Rows of products whose stock became 0. */
  readonly emptied: number;
  readonly held: number;
}

/** Where the rows of absent products stand in the run, beside the sheets of the feed. */
interface PlannedRows extends Awaited<ReturnType<typeof planAbsentRows>> {
  readonly sheet: { readonly rowsBefore: number };
}

interface SettledAbsences extends Pick<AcceptedFeed, "named" | "forgotten"> {
  readonly counts: AbsentCounts;
}

/** The entries to save with the record of the feed, once its run has ended. */
export async function settleAbsent(
  { journal }: Pick<Connection, "journal">,
  { changed, absent, first, elsewhere, restocked }: Absences,
  {
    planned,
    run,
  }: { readonly planned: PlannedRows | undefined; readonly run: Pick<RunRecord, "id"> },
): Promise<SettledAbsences> {
  const named = new Map(changed);
  const counts = { first, elsewhere, restocked, emptied: 0, held: 0 };
  if (planned === undefined) return { named: [...named.values()], forgotten: [], counts };
  const emptied = new Set(planned.empty);
  const after = planned.sheet.rowsBefore;
  for await (const rows of readAllRows(journal, run.id, { states: ["done", "held"], after })) {
    for (const { state, productId } of rows) {
      if (state === "held") counts.held += 1;
      else if (productId !== null) emptied.add(productId);
    }
  }
  counts.emptied = emptied.size - planned.empty.length;
  for (const one of absent) {
    if (emptied.has(one.productId)) named.set(one.productId, { ...one, isEmptied: true });
  }
  return { named: [...named.values()], forgotten: planned.gone, counts };
}
