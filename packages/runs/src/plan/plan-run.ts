/**
 * Turns the parsed rows of a run into decisions. Only reads from the marketplace: what the plan
 * stores is what applying it will send, row for row.
 */

import { ALL_GUARDS, type GuardSettings } from "../guards/guard-settings.ts";
import { createStockWatch, holdEmptied, type StockWatch } from "../guards/stock-watch.ts";
import { type Journal } from "../ports/journal.ts";
import { type SeenProduct } from "../ports/listing-cache.ts";
import { type Marketplace } from "../ports/marketplace.ts";
import { readAllRows } from "../ports/read-all-rows.ts";
import { type BeforeValue } from "../ports/verification-log.ts";
import { toCounts, type WriteAction } from "../row/counts.ts";
import { toIssue } from "../row/issue-texts.ts";
import { type RowRecord } from "../row/row-record.ts";
import { type SourceRow } from "../row/source-row.ts";
import { addLookCalls } from "../send/recheck/add-recheck-calls.ts";
import { type ReadMoment } from "../send/recheck/add-rechecks.ts";
import { toBeforeValues } from "../verify/before-values.ts";
import { type Capability } from "../verify/capability.ts";
import { readBackCalls } from "../verify/verify-calls.ts";
import { type CodeWay } from "./codes/code-normalization.ts";
import { readSameCode } from "./codes/duplicate-codes.ts";
import { type AlikeOptions, readCodeWay, toStoredKey } from "./codes/look-alike-codes.ts";
import { type PriceUnit } from "./compare.ts";
import { type Background, type CandidateRow, planRow, type RunMode } from "./decide-row.ts";
import { createRefuseSecond, type RefuseSecond } from "./duplicate-products.ts";
import {
  type AskPriceUnit,
  type KnownPriceUnit,
  learnPriceUnit,
  type PriceUnitFacts,
} from "./learn-price-unit.ts";
import { type PlanReading } from "./plan-reading.ts";
import { readStore, type StoreRead, type StoreReading } from "./read-listing.ts";
import { readBackground } from "./row-background.ts";
import {
  createUnsendableCount,
  type Unsendable,
  type UnsendableCount,
} from "./unsendable-fields.ts";
import { nextLoop, type Turn } from "./yield-to-event-loop.ts";

/** What {@link planRun} plans, through which ports, and by which rules. */
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
  /** Codes that are not equal and look the same. @default they are two products */
  readonly alike?: AlikeOptions | undefined;
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

/** Whose rows are looked at once more, and how the store is read for it. */
export interface HoldAppearedOptions extends StoreReading {
  /** The sheet's name, for issues. */
  readonly sheet: string;
  /** How the store writes codes. @default as they are sent */
  readonly way?: CodeWay | undefined;
}

/** What is known of a run once it is planned; stored with it. */
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
  const { readBy, readMs, way } = await readStoreOf(options, total);
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
    const read = { readBy, readMs, way };
    const common = { sameCode, priceUnit, refuseSecond, stock, unsendable, ...read };
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

/** Reads the store's products, and learns from them how the store writes codes. */
async function readStoreOf(
  options: PlanRunOptions,
  rows: number,
): Promise<StoreRead & { readonly way: CodeWay }> {
  const { alike, codeKey } = options;
  const read = await readStore(options, rows, await alike?.book.readWay());
  return { ...read, way: alike === undefined ? [] : await readCodeWay(alike, codeKey) };
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
  readonly way: CodeWay;
  readonly refuseSecond: RefuseSecond;
  readonly stock: StockWatch;
  readonly unsendable: UnsendableCount;
}

async function planBatch(options: PlanRunOptions, batch: Batch): Promise<void> {
  const { journal, mode = "upsert", guards = ALL_GUARDS } = options;
  const candidates: CandidateRow[] = [];
  for (const row of batch.rows) candidates.push(await options.toCandidate(row));

  const background = await readBackground(options, batch, candidates);

  const decisions = candidates.map((row) => {
    const seen = background.seenOf(row);
    const known = background.knownOf(row);
    const productId = row.productId ?? seen[0]?.product.id ?? known?.productId ?? undefined;
    const decision = planRow(row, {
      seen,
      known,
      sameCode: batch.sameCode.get(row.row) ?? [],
      alike: background.alikeOf(row),
      lastSent: background.lastSentOf(productId),
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
  const seen = candidates.map((row) => background.seenOf(row));
  await options.keepBefore?.(toBeforeValues(decisions, seen));
  await journal.decideRows(options.runId, decisions);
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
  await readStore(options, waiting.rows, options.way);

  let held = 0;
  const filter = { states: ["ready"], action: "add" } as const;
  for await (const adds of readAllRows(journal, runId, filter, BATCH_ROWS)) {
    const seenOf = await readByCode(options, adds);
    for (const record of adds) {
      const { row, code } = record;
      const found = seenOf(record);
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
  }
  return held;
}

/** The products that the listing shows under the codes of rows, or as the store writes them. */
async function readByCode(
  { journal, codeKey, way = [] }: HoldAppearedOptions,
  rows: readonly RowRecord[],
): Promise<(row: RowRecord) => readonly SeenProduct[] | undefined> {
  const storedKey = (row: RowRecord): string | null => toStoredKey(way, row, codeKey);
  const keys = rows.flatMap((row) => [row.codeKey, storedKey(row)]).filter((key) => key !== null);
  const seen = Map.groupBy(await journal.readSeenByCode(keys), (product) => product.codeKey);
  return (row) => seen.get(row.codeKey ?? "") ?? seen.get(storedKey(row) ?? "");
}
