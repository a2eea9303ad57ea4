/** Settles the unit of the listing's prices before anything is compared with them. */

import { type PriceUnit } from "./compare.ts";
import { type Journal, type RowRecord, type SourceRow } from "./journal.ts";
import { type CandidateRow } from "./plan-row.ts";
import { calibratePriceUnit } from "./price-unit.ts";

/** A unit, and what it rests on: the strongest of what there is. */
export interface LearntPriceUnit {
  readonly unit: PriceUnit;
  /**
   * - `set`: a person says so.
   * - `sent`: prices that we sent are shown like that.
   * - `remembered`: an earlier run found it out.
   * - `sheet`: many prices of the sheet are shown like that, and none in the other unit.
   */
  readonly by: "set" | "sent" | "remembered" | "sheet" | "nothing";
}

/** What is known beforehand. */
export interface KnownPriceUnit {
  readonly set?: Exclude<PriceUnit, "unknown"> | undefined;
  readonly remembered?: Exclude<PriceUnit, "unknown"> | undefined;
}

interface LearnPriceUnitOptions {
  readonly runId: string;
  readonly journal: Pick<Journal, "readPriceEvidence" | "readRows" | "readSeenByCode">;
  readonly known: KnownPriceUnit;
  /** The values of a row. */
  readonly toDraft: (row: SourceRow) => Promise<Pick<CandidateRow, "changes">>;
  readonly signal?: AbortSignal | undefined;
}

/** Pairs of prices that are enough to tell the unit. */
const PRICE_EVIDENCE = 50;

/** Prices of a sheet that nobody sent yet prove something only together. */
const FEWEST_PAIRS = 20;

/** Rows of a sheet that are looked at for it. */
const MOST_ROWS = 2_000;

const BATCH_ROWS = 200;

/** Finds the unit out. The store's products have been read by now. */
export async function learnPriceUnit(options: LearnPriceUnitOptions): Promise<LearntPriceUnit> {
  const { journal, known } = options;
  if (known.set !== undefined) return { unit: known.set, by: "set" };
  const sent = calibratePriceUnit(await journal.readPriceEvidence(PRICE_EVIDENCE));
  if (sent !== "unknown") return { unit: sent, by: "sent" };
  if (known.remembered !== undefined) return { unit: known.remembered, by: "remembered" };
  const unit = await compareSheet(options);
  return { unit, by: unit === "unknown" ? "nothing" : "sheet" };
}

interface Pairs {
  minor: number;
  major: number;
}

async function compareSheet(options: LearnPriceUnitOptions): Promise<PriceUnit> {
  const pairs: Pairs = { minor: 0, major: 0 };
  const done = new Set<string>();
  let after = 0;
  for (let rows = 0; rows < MOST_ROWS; rows += BATCH_ROWS) {
    options.signal?.throwIfAborted();
    const batch = await options.journal.readRows(options.runId, {
      states: ["parsed"],
      after,
      limit: BATCH_ROWS,
    });
    const last = batch.at(-1);
    if (last === undefined) break;
    await compareBatch(options, { batch, pairs, done });
    const unit = toUnit(pairs);
    if (unit !== "unknown") return unit;
    after = last.row;
  }
  return "unknown";
}

/** Equal under one unit, often, and never under the other one. */
function toUnit({ minor, major }: Pairs): PriceUnit {
  if (minor >= FEWEST_PAIRS && major === 0) return "minor";
  return major >= FEWEST_PAIRS && minor === 0 ? "major" : "unknown";
}

interface PairBatch {
  readonly batch: readonly RowRecord[];
  readonly pairs: Pairs;
  /** Ids of products that were compared: each speaks once. */
  readonly done: Set<string>;
}

async function compareBatch(
  { journal, toDraft }: LearnPriceUnitOptions,
  { batch, pairs, done }: PairBatch,
): Promise<void> {
  const codeKeys = batch.map(({ codeKey }) => codeKey).filter((key) => key !== null);
  const seen = Map.groupBy(await journal.readSeenByCode(codeKeys), ({ codeKey }) => codeKey);
  for (const row of batch) {
    const [first, ...others] = seen.get(row.codeKey ?? "") ?? [];
    if (first === undefined || others.length > 0 || done.has(first.product.id)) continue;
    done.add(first.product.id);
    const { price } = (await toDraft(row)).changes;
    comparePrice(pairs, price, first.product.price);
  }
}

function comparePrice(pairs: Pairs, wanted: number | undefined, shown: unknown): void {
  if (wanted === undefined || typeof shown !== "number" || shown <= 0) return;
  if (wanted === shown) pairs.minor += 1;
  if (wanted === Math.round(shown * 100)) pairs.major += 1;
}
