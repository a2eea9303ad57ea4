/**
 * Turns the parsed rows of a run into decisions. Only reads from the marketplace: what the plan
 * stores is what applying it will send, row for row.
 */

import {
  LISTING_STATUSES,
  type ListingStatus,
  MAX_PAGE_SIZE,
  type ProductId,
} from "@catalog/contract";

import { type PriceUnit } from "./compare.ts";
import { toCounts, type WriteAction } from "./counts.ts";
import { mayTrust } from "./filters/may-trust.ts";
import { toIssue } from "./findings.ts";
import { ALL_GUARDS, type GuardSettings } from "./guards/guard-settings.ts";
import { createStockWatch, holdEmptied, type StockWatch } from "./guards/stock-watch.ts";
import { type Journal, type RowRecord, type SeenProduct, type SourceRow } from "./journal.ts";
import {
  type AskPriceUnit,
  type KnownPriceUnit,
  learnPriceUnit,
  type PriceUnitFacts,
} from "./learn-price-unit.ts";
import { addLookCalls } from "./look/add-look-calls.ts";
import { type ReadMoment } from "./look/add-looks.ts";
import { type Marketplace } from "./marketplace.ts";
import { type PlanReading } from "./plan-reading.ts";
import { type Background, type CandidateRow, planRow, type RunMode } from "./plan-row.ts";
import { createRefuseSecond, type RefuseSecond } from "./refuse-second.ts";
import { readSameCode } from "./same-code.ts";
import { SWEEP } from "./sweep.ts";
import { nextLoop, type Turn } from "./turn.ts";
import { freeAbsentCodes } from "./unknown/free-codes.ts";
import { toServerMs } from "./unknown/visibility.ts";
import { createUnsendableCount, type Unsendable, type UnsendableCount } from "./unsendable.ts";
import { toBeforeValues } from "./verify/before-values.ts";
import { type Capability } from "./verify/capability.ts";
import { type BeforeValue } from "./verify/read-back-book.ts";
import { readBackCalls } from "./verify/read-back-calls.ts";

export interface PlanRunOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** @default "upsert" */
  readonly mode?: RunMode;
  /** Turns the cells of a row into values. */
  readonly toCandidate: (row: SourceRow) => Promise<CandidateRow>;
  /** The same as far as the cells alone tell: nothing is fetched or counted. @default toCandidate */
  readonly toDraft?: ((row: SourceRow) => Promise<CandidateRow>) | undefined;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /** How long so many calls take. */
  readonly estimateSeconds: (requests: number) => number;
  /** What is known of the unit of the listing's prices. @default nothing */
  readonly knownPriceUnit?: KnownPriceUnit | undefined;
  /** Asked for the unit where nothing is known of it. @default nobody is */
  readonly askPriceUnit?: AskPriceUnit | undefined;
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
  /** Fields that updates do without, because the store was seen to ignore them. @default none */
  readonly refused?: ReadonlySet<string> | undefined;
  /** Keeps what updates will overwrite, before the plan of them is stored. @default not kept */
  readonly keepBefore?: ((values: readonly BeforeValue[]) => Promise<void>) | undefined;
  /** Whether what was sent will be read back, which takes calls. @default false */
  readonly isVerified?: boolean;
  /** So many rows will go first and be read back on their own. @default none */
  readonly canary?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Between batches, so that a signal is heard and progress is drawn. @default the next loop */
  readonly turn?: Turn | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

type StoreReading = Pick<
  PlanRunOptions,
  "runId" | "journal" | "marketplace" | "codeKey" | "signal"
>;

export interface HoldAppearedOptions extends StoreReading {
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

export interface PlanFacts extends PriceUnitFacts {
  /** How the store's products were read. */
  readonly readBy: "listing" | "lookups";
  readonly planned: PlannedCounts;
  /** When the store was read for it; missing in runs of older versions. */
  readonly readAt?: ReadMoment;
  /** What the store does not take; missing in runs of older versions. */
  readonly unsendable?: Unsendable;
  /** What reading back had taught by then; missing in runs of older versions. */
  readonly capabilities?: readonly Capability[];
  /** What was made of the file as a whole; missing in runs of older versions. */
  readonly reading?: PlanReading;
}

/** What applying the plan will do, and what it costs. */
export interface PlannedCounts {
  readonly add: number;
  readonly update: number;
  readonly unchanged: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly held: number;
  /** Calls that applying takes if nothing goes wrong. */
  readonly requests: number;
  /** How long they take, estimated from the calls made while planning. */
  readonly seconds: number;
}

/** Rows planned in one go: one query each for listing, ledger and last bodies. */
const BATCH_ROWS = 200;

/** Plans every parsed row of the run; rows planned before are left as they are. */
export async function planRun(options: PlanRunOptions): Promise<PlanFacts> {
  const { runId, journal, turn = nextLoop } = options;
  const total = (await journal.countRows(runId)).reduce((sum, { rows }) => sum + rows, 0);
  const { readBy, readMs } = await readStore(options, total);
  const drafting = { ...options, toDraft: options.toDraft ?? options.toCandidate };
  const { knownPriceUnit: known = {}, askPriceUnit: ask } = options;
  const learnt = await learnPriceUnit({ ...drafting, known, ask });
  const { priceUnit } = learnt;
  const sameCode = await readSameCode(drafting);
  const refuseSecond = createRefuseSecond();
  const stock = createStockWatch();
  const unsendable = createUnsendableCount();

  let after = 0;
  let done = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const rows = await journal.readRows(runId, { states: ["parsed"], after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) break;
    const common = { sameCode, priceUnit, readBy, readMs, refuseSecond, stock, unsendable };
    await planBatch(options, { rows, ...common });
    after = last.row;
    done += rows.length;
    options.onProgress?.(done, total);
    await turn();
  }
  await holdEmptied(stock, { runId, journal, guards: options.guards ?? ALL_GUARDS });
  const planned = await countPlanned(options);
  return { readBy, ...learnt, planned, unsendable: unsendable.counts() };
}

/** Counts what the stored decisions of a run come to. */
export async function countPlanned({
  journal,
  runId,
  estimateSeconds,
  isVerified = false,
  canary = 0,
}: Pick<
  PlanRunOptions,
  "journal" | "runId" | "estimateSeconds" | "isVerified" | "canary"
>): Promise<PlannedCounts> {
  const states = await journal.countRows(runId);
  const ready = (action: WriteAction): number =>
    states
      .filter((count) => count.state === "ready" && count.action === action)
      .reduce((sum, { rows }) => sum + rows, 0);
  const { unchanged, invalid, duplicate, held } = toCounts(states);
  const add = ready("add");
  const update = ready("update");
  const first = Math.min(canary, add + update);
  const rest = isVerified ? add + update - first : 0;
  // What an update overwrites is looked at before it leaves.
  const looks = readBackCalls(update);
  const addLooks = addLookCalls(add, estimateSeconds(add));
  const requests = add + update + looks + addLooks + readBackCalls(first) + readBackCalls(rest);
  const seconds = estimateSeconds(requests);
  return { add, update, unchanged, invalid, duplicate, held, requests, seconds };
}

interface Batch {
  readonly rows: readonly RowRecord[];
  readonly sameCode: ReadonlyMap<number, readonly number[]>;
  readonly priceUnit: PriceUnit;
  readonly readBy: PlanFacts["readBy"];
  readonly readMs: number | null;
  readonly refuseSecond: RefuseSecond;
  readonly stock: StockWatch;
  readonly unsendable: UnsendableCount;
}

async function planBatch(options: PlanRunOptions, batch: Batch): Promise<void> {
  const { journal, mode = "upsert", guards = ALL_GUARDS } = options;
  const candidates: CandidateRow[] = [];
  for (const row of batch.rows) candidates.push(await options.toCandidate(row));

  const codeKeys = candidates.map(({ codeKey }) => codeKey).filter((key) => key !== null);
  const ids = candidates.map(({ productId }) => productId).filter((id) => id !== null);
  if (batch.readBy === "lookups") await lookUpIds(options, ids);
  const seenByCode = Map.groupBy(await journal.readSeenByCode(codeKeys), (seen) => seen.codeKey);
  const seenById = Map.groupBy(await journal.readSeenById(ids), ({ product }) => product.id);
  const taken = await freeAbsentCodes(
    { ...options, lookedMs: batch.readMs },
    await journal.readKnownCodes(codeKeys),
    (key) => seenByCode.has(key),
  );
  const known = new Map(taken.map((code) => [code.codeKey, code]));
  const seenOf = ({ productId, codeKey }: CandidateRow): readonly SeenProduct[] =>
    (productId === null ? seenByCode.get(codeKey ?? "") : seenById.get(productId)) ?? [];
  const lastSent = await journal.readLastSent([
    ...candidates.flatMap((row) => seenOf(row).map(({ product }) => product.id)),
    ...[...known.values()].map(({ productId }) => productId).filter((id) => id !== null),
  ]);

  const decisions = candidates.map((row) => {
    const seen = seenOf(row);
    const code = known.get(row.codeKey ?? "");
    const productId = row.productId ?? seen[0]?.product.id ?? code?.productId ?? undefined;
    const decision = planRow(row, {
      seen,
      known: code,
      sameCode: batch.sameCode.get(row.row) ?? [],
      lastSent: productId === undefined ? undefined : lastSent.get(productId),
      priceUnit: batch.priceUnit,
      mode,
      guards,
      refused: options.refused,
    } satisfies Background);
    const final = batch.refuseSecond(decision, row);
    batch.stock.observe(row, final);
    batch.unsendable.note(final);
    return final;
  });
  await options.keepBefore?.(toBeforeValues(decisions, candidates.map(seenOf)));
  await journal.decideRows(options.runId, decisions);
}

interface StoreRead {
  readonly readBy: PlanFacts["readBy"];
  /** When it began, by the marketplace's time. */
  readonly readMs: number | null;
}

/** Reads the products that the rows may meet, by whichever way costs fewer calls. */
async function readStore(options: StoreReading, rows: number): Promise<StoreRead> {
  const { journal, marketplace, signal } = options;
  await journal.clearSeen();
  const pages = new Map<ListingStatus, number>();
  for (const status of LISTING_STATUSES) {
    const products = await marketplace.countProducts(status, signal);
    pages.set(status, Math.ceil(products / MAX_PAGE_SIZE));
  }
  const readMs = toServerMs(marketplace);
  const sweepPages = SWEEP.reduce((sum, status) => sum + (pages.get(status) ?? 0), 0);
  const isCheaper = sweepPages <= rows * SWEEP.length;
  if (isCheaper || !(await mayTrust(marketplace, "product_code", signal))) {
    for (const status of SWEEP) await saveListing(options, { status });
    return { readBy: "listing", readMs };
  }
  await lookUpRows(options);
  return { readBy: "lookups", readMs };
}

async function saveListing(
  { journal, marketplace, codeKey, signal }: StoreReading,
  query: Parameters<Marketplace["listProducts"]>[0],
): Promise<void> {
  let batch: SeenProduct[] = [];
  for await (const product of marketplace.listProducts({ ...query, signal })) {
    batch.push({ codeKey: codeKey(product.product_code ?? ""), status: query.status, product });
    if (batch.length < BATCH_ROWS) continue;
    await journal.saveSeen(batch);
    batch = [];
  }
  await journal.saveSeen(batch);
}

async function lookUpRows(options: StoreReading): Promise<void> {
  const lookedUp = new Set<string>();
  let after = 0;
  for (;;) {
    const rows = await options.journal.readRows(options.runId, { after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const { code, codeKey } of rows) {
      if (code === null || codeKey === null || lookedUp.has(codeKey)) continue;
      lookedUp.add(codeKey);
      for (const status of SWEEP) await saveListing(options, { status, code });
    }
    after = last.row;
  }
}

/**
 * Holds the adds of a run whose code the store shows by now: somebody else has added the product
 * since the plan was made. Says how many there were.
 */
export async function holdAppeared(options: HoldAppearedOptions): Promise<number> {
  const { journal, runId, sheet } = options;
  // What an earlier process wrote down and never sent will be sent again: it is looked at as well.
  await journal.recover();
  const states = await journal.countRows(runId);
  const waiting = states.find(({ state, action }) => state === "ready" && action === "add");
  if (waiting === undefined) return 0;
  await readStore(options, waiting.rows);

  let held = 0;
  let after = 0;
  for (;;) {
    const rows = await journal.readRows(runId, { states: ["ready"], after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return held;
    const adds = rows.filter(({ action }) => action === "add");
    const codeKeys = adds.map(({ codeKey }) => codeKey).filter((key) => key !== null);
    const seen = Map.groupBy(await journal.readSeenByCode(codeKeys), ({ codeKey }) => codeKey);
    for (const { row, code, codeKey } of adds) {
      const found = seen.get(codeKey ?? "");
      if (found === undefined) continue;
      const ids = found.map(({ product }) => product.id).join(", ");
      const place = { sheet, row, column: "", cell: "", value: code ?? "" };
      const issues = [toIssue("E_APPEARED", place, ids)];
      await journal.settle(
        { runId, row, from: "ready" },
        { to: "held", cause: "appeared", issues },
      );
      held += 1;
    }
    after = last.row;
  }
}

/** Rows that name their product by its id only are known as such once their cells were read. */
async function lookUpIds(options: PlanRunOptions, productIds: readonly ProductId[]): Promise<void> {
  for (let at = 0; at < productIds.length; at += MAX_PAGE_SIZE) {
    const ids = productIds.slice(at, at + MAX_PAGE_SIZE);
    for (const status of SWEEP) await saveListing(options, { status, ids });
  }
}
