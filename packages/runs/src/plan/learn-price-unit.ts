/** Settles the unit of the listing's prices before anything is compared with them. */

import { type StoreProduct } from "@catalog/contract";

import { type Ledger } from "../ports/ledger.ts";
import { type ListingCache } from "../ports/listing-cache.ts";
import { type RowRepository } from "../ports/row-repository.ts";
import { type RowRecord } from "../row/row-record.ts";
import { type SourceRow } from "../row/source-row.ts";
import { type PriceUnit } from "./compare.ts";
import { type CandidateRow } from "./decide-row.ts";
import { calibratePriceUnit } from "./price-unit.ts";

/** A unit, and what it rests on: the strongest of what there is. Part of the facts of a plan. */
export interface PriceUnitFacts {
  readonly priceUnit: PriceUnit;
  /**
   * - `set`: a person says so.
   * - `sent`: prices that we sent are shown like that.
   * - `remembered`: an earlier run found it out.
   * - `asked`: a person has answered the question now.
   * - `sheet`: only in runs of older versions, which believed prices of the sheet that equal the
   *   listing's. Nothing rests on it any more: see {@link plannedPriceUnit}.
   *
   * Missing in runs of still older versions, and of feeds.
   */
  readonly priceUnitBy?: PriceUnitBasis;
  /** What is left to ask where the unit is unknown and products of the file show a price. */
  readonly priceUnitQuestion?: PriceUnitQuestion | undefined;
}

/**
 * Where the unit of the listing's prices is known from.
 *
 * - `set`: a setting or a flag.
 * - `sent`: prices that were sent and read back.
 * - `remembered`: an earlier run or a person's word.
 * - `asked`: a person, for this run.
 * - `sheet`: prices of the sheet, in plans of older versions; it counts as not known.
 * - `nothing`: it is not known.
 */
export type PriceUnitBasis = "set" | "sent" | "remembered" | "asked" | "sheet" | "nothing";

/** A question that a person answers at a glance: how prices of the listing are to be read. */
export interface PriceUnitQuestion {
  /** The first products of the file that the listing shows with a price; at most 3. */
  readonly examples: readonly PriceUnitExample[];
  /**
   * Where many prices of the sheet equal the listing's under one unit and none under the other.
   * It is shown and never used: a sheet whose prices are 100 times off suggests the wrong unit.
   */
  readonly suggestion?: PriceUnitSuggestion | undefined;
}

/** A product of the file as the listing shows it, for a person to tell the unit from. */
export interface PriceUnitExample {
  /** Product code, as the listing has it. */
  readonly code: string;
  readonly title?: string | undefined;
  readonly currency?: string | undefined;
  /** The price as the listing shows it, in a unit that is to be found out. */
  readonly shown: number;
}

/** The unit under which prices of the sheet and of the listing are equal. */
export interface PriceUnitSuggestion {
  readonly unit: Exclude<PriceUnit, "unknown">;
  /** Prices of the sheet that are equal so. */
  readonly pairs: number;
}

/** Asks a person. `undefined` where the person does not know either. */
export type AskPriceUnit = (
  question: PriceUnitQuestion,
) => Promise<Exclude<PriceUnit, "unknown"> | undefined>;

/** The unit that a plan may rest on. What older versions learnt from the sheet alone does not count. */
export const plannedPriceUnit = (facts: PriceUnitFacts | null): PriceUnit =>
  facts === null || facts.priceUnitBy === "sheet" ? "unknown" : facts.priceUnit;

/** What is known beforehand. */
export interface KnownPriceUnit {
  readonly set?: Exclude<PriceUnit, "unknown"> | undefined;
  readonly remembered?: Exclude<PriceUnit, "unknown"> | undefined;
}

interface LearnPriceUnitOptions {
  readonly runId: string;
  readonly journal: RowRepository & Ledger & ListingCache;
  readonly known: KnownPriceUnit;
  /** The values of a row. */
  readonly toDraft: (row: SourceRow) => Promise<Pick<CandidateRow, "changes">>;
  /** @default nobody is asked */
  readonly ask?: AskPriceUnit | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Pairs of prices that are enough to tell the unit. */
const PRICE_EVIDENCE = 50;

/** Equal prices of a sheet that suggest a unit. */
const FEWEST_PAIRS = 20;

/** Products that a person is shown. */
const MOST_EXAMPLES = 3;

/** Rows of a sheet that are looked at for it. */
const MOST_ROWS = 2_000;

const BATCH_ROWS = 200;

/** Finds the unit out. The store's products have been read by now. */
export async function learnPriceUnit(options: LearnPriceUnitOptions): Promise<PriceUnitFacts> {
  const { journal, known } = options;
  if (known.set !== undefined) return { priceUnit: known.set, priceUnitBy: "set" };
  const sent = calibratePriceUnit(await journal.readPriceEvidence(PRICE_EVIDENCE));
  if (sent !== "unknown") return { priceUnit: sent, priceUnitBy: "sent" };
  if (known.remembered !== undefined) {
    return { priceUnit: known.remembered, priceUnitBy: "remembered" };
  }
  const nothing = { priceUnit: "unknown", priceUnitBy: "nothing" } as const;
  const question = await readQuestion(options);
  if (question === undefined) return nothing;
  const answer = await options.ask?.(question);
  if (answer !== undefined) return { priceUnit: answer, priceUnitBy: "asked" };
  return { ...nothing, priceUnitQuestion: question };
}

interface Pairs {
  minor: number;
  major: number;
  readonly examples: PriceUnitExample[];
}

/** Nothing to ask where no product of the file shows a price. */
async function readQuestion(
  options: LearnPriceUnitOptions,
): Promise<PriceUnitQuestion | undefined> {
  const pairs: Pairs = { minor: 0, major: 0, examples: [] };
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
    after = last.row;
  }
  const { examples } = pairs;
  return examples.length === 0 ? undefined : { examples, suggestion: toSuggestion(pairs) };
}

/** Equal under one unit, often, and never under the other one. */
function toSuggestion({ minor, major }: Pairs): PriceUnitSuggestion | undefined {
  if (minor >= FEWEST_PAIRS && major === 0) return { unit: "minor", pairs: minor };
  if (major >= FEWEST_PAIRS && minor === 0) return { unit: "major", pairs: major };
  return undefined;
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
    comparePrice(pairs, price, first.product);
  }
}

function comparePrice(pairs: Pairs, wanted: number | undefined, product: StoreProduct): void {
  const { price: shown, product_code, title, currency } = product;
  if (wanted === undefined || typeof shown !== "number" || shown <= 0) return;
  if (wanted === shown) pairs.minor += 1;
  if (wanted === Math.round(shown * 100)) pairs.major += 1;
  if (pairs.examples.length === MOST_EXAMPLES) return;
  pairs.examples.push({
    code: product_code ?? product.id,
    title: title ?? undefined,
    currency: currency ?? undefined,
    shown,
  });
}
