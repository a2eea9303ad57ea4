/** The unit of the listing's prices in a plan: what is known of it, and what a person is asked. */

import { type StoreProduct } from "@catalog/contract";

import { type Ledger } from "../ports/ledger.ts";
import { type SeenProduct } from "../ports/listing-cache.ts";
import { type RowRecord } from "../row/row-record.ts";
import {
  createPriceUnitCount,
  type KnownUnit,
  type PriceUnit,
  type PriceUnitSuggestion,
  readSentUnit,
} from "./price-unit.ts";

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

/** Asks a person. `undefined` where the person does not know either. */
export type AskPriceUnit = (question: PriceUnitQuestion) => Promise<KnownUnit | undefined>;

/** The unit that a plan may rest on. What older versions learnt from the sheet alone does not count. */
export const plannedPriceUnit = (facts: PriceUnitFacts | null): PriceUnit =>
  facts === null || facts.priceUnitBy === "sheet" ? "unknown" : facts.priceUnit;

/** What is known beforehand. */
export interface KnownPriceUnit {
  readonly set?: KnownUnit | undefined;
  readonly remembered?: KnownUnit | undefined;
}

/** What is known without looking at the file; `undefined` where that is nothing. */
export async function readKnownUnit(
  journal: Ledger,
  known: KnownPriceUnit,
): Promise<PriceUnitFacts | undefined> {
  if (known.set !== undefined) return { priceUnit: known.set, priceUnitBy: "set" };
  const sent = await readSentUnit(journal);
  if (sent !== "unknown") return { priceUnit: sent, priceUnitBy: "sent" };
  return known.remembered === undefined
    ? undefined
    : { priceUnit: known.remembered, priceUnitBy: "remembered" };
}

/** Asks a person where there is something to ask. */
export async function askForUnit(
  question: PriceUnitQuestion | undefined,
  ask: AskPriceUnit | undefined,
): Promise<PriceUnitFacts> {
  const nothing = { priceUnit: "unknown", priceUnitBy: "nothing" } as const;
  if (question === undefined) return nothing;
  const answer = await ask?.(question);
  if (answer !== undefined) return { priceUnit: answer, priceUnitBy: "asked" };
  return { ...nothing, priceUnitQuestion: question };
}

/** Products that a person is shown. */
const MAX_EXAMPLES = 3;

/** A row of the file, and the one product that the listing shows under its code. */
export interface ListedRow {
  readonly row: RowRecord;
  readonly product: StoreProduct;
}

/** Gathers what a person is asked from rows of the file. */
export interface UnitQuestion {
  /** The rows whose product was in none before: each product speaks once. */
  pair(rows: readonly RowRecord[], seen: readonly SeenProduct[]): readonly ListedRow[];
  /** The price that a row wants, in minor units, beside its product. */
  note(wanted: number | undefined, product: StoreProduct): void;
  /** Nothing to ask where no product of the file shows a price. */
  question(): PriceUnitQuestion | undefined;
}

/** Begins without a product. */
export function createUnitQuestion(): UnitQuestion {
  const count = createPriceUnitCount();
  const examples: PriceUnitExample[] = [];
  const done = new Set<string>();
  return {
    pair(rows, seen) {
      const byCode = Map.groupBy(seen, ({ codeKey }) => codeKey);
      return rows.flatMap((row) => {
        const [first, ...others] = byCode.get(row.codeKey ?? "") ?? [];
        if (first === undefined || others.length > 0 || done.has(first.product.id)) return [];
        done.add(first.product.id);
        return [{ row, product: first.product }];
      });
    },
    note(wanted, { id, price: shown, product_code, title, currency }) {
      if (wanted === undefined || typeof shown !== "number" || shown <= 0) return;
      count.note(wanted, shown);
      if (examples.length === MAX_EXAMPLES) return;
      examples.push({
        code: product_code ?? id,
        title: title ?? undefined,
        currency: currency ?? undefined,
        shown,
      });
    },
    question: () =>
      examples.length === 0 ? undefined : { examples, suggestion: count.suggestion() },
  };
}
