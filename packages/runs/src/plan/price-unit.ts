/**
 * The unit of listed prices. The API specification does not state it (section Product), so it is
 * found by comparing amounts that we sent with the listed ones, or a person is asked.
 */

import type { Ledger, ListedProductRow, PriceEvidence } from "../ports/journal.ts";
import type { StoreProduct } from "../ports/product.ts";
import type { RowRecord } from "../row/row-record.ts";

/** Unit of listed prices: minor units, whole currency, or unknown. */
export type PriceUnit = "minor" | "major" | "unknown";

/** A unit of prices that is known. */
export type KnownUnit = Exclude<PriceUnit, "unknown">;

export const KNOWN_UNITS: readonly KnownUnit[] = ["minor", "major"];

/**
 * Converts a listed amount to minor units; `undefined` where there is none or its unit is unknown.
 */
export function toMinor(amount: number | null | undefined, unit: PriceUnit): number | undefined {
  if (amount === null || amount === undefined || unit === "unknown") return undefined;
  return unit === "minor" ? amount : Math.round(amount * 100);
}

/**
 * Returns the units under which a listed amount equals the sent one, in minor units; both for 0.
 */
export const findUnits = (sent: number, shown: number): readonly KnownUnit[] =>
  KNOWN_UNITS.filter((unit) => toMinor(shown, unit) === sent);

/** A unit under which prices are equal. */
export interface PriceUnitSuggestion {
  readonly unit: KnownUnit;
  /** Number of prices that are equal under it. */
  readonly pairs: number;
}

/** Counts pairs of prices that are equal under each unit. */
interface PriceUnitCount {
  /** Adds an amount in minor units and the listed amount; an absent amount or 0 is ignored. */
  note(minor: number | undefined, shown: number | null | undefined): void;
  /** Returns the unit that explains at least one pair while the other explains none. */
  unit(): PriceUnit;
  /**
   * Returns a unit with many equal pairs, for amounts that were not sent by us and so prove
   * nothing.
   */
  suggestion(): PriceUnitSuggestion | undefined;
}

/** Minimum number of pairs for a suggestion. */
const MIN_PAIRS = 20;

/** Creates a count without pairs. */
export function createPriceUnitCount(): PriceUnitCount {
  const pairs = { minor: 0, major: 0 };
  const explainedBy = (min: number): KnownUnit | undefined => {
    if (pairs.minor >= min && pairs.major === 0) return "minor";
    return pairs.major >= min && pairs.minor === 0 ? "major" : undefined;
  };
  return {
    note(minor, shown) {
      if (minor === undefined || shown === null || shown === undefined || shown === 0) return;
      for (const unit of findUnits(minor, shown)) pairs[unit] += 1;
    },
    unit: () => explainedBy(1) ?? "unknown",
    suggestion() {
      const unit = explainedBy(MIN_PAIRS);
      return unit === undefined ? undefined : { unit, pairs: pairs[unit] };
    },
  };
}

/**
 * Returns the unit under which prices that we sent are listed; unknown where both units or none
 * fit.
 */
export function calibratePriceUnit(evidence: readonly PriceEvidence[]): PriceUnit {
  const count = createPriceUnitCount();
  for (const { sent, seen } of evidence) count.note(sent, seen);
  return count.unit();
}

/** Number of price pairs that decide the unit. */
const PRICE_EVIDENCE = 50;

/** Returns the unit in which the listing shows prices that we sent. Makes no call. */
export async function readSentUnit(journal: Pick<Ledger, "readPriceEvidence">): Promise<PriceUnit> {
  return calibratePriceUnit(await journal.readPriceEvidence(PRICE_EVIDENCE));
}

/** A unit, and the strongest source that it comes from. Part of the facts of a plan. */
export interface PriceUnitFacts {
  readonly priceUnit: PriceUnit;
  /**
   * - `set`: a person's setting.
   * - `sent`: the listing shows prices that we sent.
   * - `remembered`: an earlier run found it out.
   * - `asked`: a person has answered the question for this run.
   *
   * Missing in runs of feeds.
   */
  readonly priceUnitBy?: PriceUnitBasis;
  /** The open question where the unit is unknown and products of the file show a price. */
  readonly priceUnitQuestion?: PriceUnitQuestion | undefined;
}

/**
 * Source of the unit of listed prices.
 *
 * - `set`: a setting or a flag.
 * - `sent`: prices that were sent and read back.
 * - `remembered`: an earlier run or a person's answer.
 * - `asked`: a person, for this run.
 * - `nothing`: the unit is unknown.
 */
type PriceUnitBasis = "set" | "sent" | "remembered" | "asked" | "nothing";

/** A question to a person: in which unit the listing shows prices. */
export interface PriceUnitQuestion {
  /** The first products of the file that the listing shows with a price; at most 3. */
  readonly examples: readonly PriceUnitExample[];
  /**
   * Set where many prices of the sheet equal the listed ones under one unit and none under the
   * other. It is shown and never used: a sheet whose prices are 100 times off suggests the wrong
   * unit.
   */
  readonly suggestion?: PriceUnitSuggestion | undefined;
}

/** A product of the file as listed, from which a person can tell the unit. */
interface PriceUnitExample {
  /** Product code as listed. */
  readonly code: string;
  readonly title?: string | undefined;
  readonly currency?: string | undefined;
  /** The price as listed, in the unknown unit. */
  readonly shown: number;
}

/** Asks a person. Resolves with `undefined` where the person does not know. */
export type AskPriceUnit = (question: PriceUnitQuestion) => Promise<KnownUnit | undefined>;

/** What is known of the unit before the file is read. */
export interface KnownPriceUnit {
  readonly set?: KnownUnit | undefined;
  readonly remembered?: KnownUnit | undefined;
}

/** Returns the unit that is known without the file; `undefined` where none is. */
export async function readKnownUnit(
  journal: Pick<Ledger, "readPriceEvidence">,
  known: KnownPriceUnit,
): Promise<PriceUnitFacts | undefined> {
  if (known.set !== undefined) return { priceUnit: known.set, priceUnitBy: "set" };
  const sent = await readSentUnit(journal);
  if (sent !== "unknown") return { priceUnit: sent, priceUnitBy: "sent" };
  return known.remembered === undefined
    ? undefined
    : { priceUnit: known.remembered, priceUnitBy: "remembered" };
}

/** The facts of a run whose unit is not known. */
export const UNKNOWN_UNIT: PriceUnitFacts = { priceUnit: "unknown", priceUnitBy: "nothing" };

/** Asks a person where there is a question. */
export async function askForUnit(
  question: PriceUnitQuestion | undefined,
  ask: AskPriceUnit | undefined,
): Promise<PriceUnitFacts> {
  if (question === undefined) return UNKNOWN_UNIT;
  const answer = await ask?.(question);
  if (answer !== undefined) return { priceUnit: answer, priceUnitBy: "asked" };
  return { ...UNKNOWN_UNIT, priceUnitQuestion: question };
}

/** Maximum number of products in the question. */
const MAX_EXAMPLES = 3;

/** A row of the file, and the only product that the listing shows under its code. */
interface ListedRow {
  readonly row: RowRecord;
  readonly product: StoreProduct;
}

/** Builds the question from rows of the file. */
interface UnitQuestion {
  /** Returns the rows whose product is new to the question, because each product counts once. */
  pair(rows: readonly RowRecord[], seen: readonly ListedProductRow[]): readonly ListedRow[];
  /** Counts the price that a row wants, in minor units, with its listed product. */
  note(wanted: number | undefined, product: StoreProduct): void;
  /** Returns the question; `undefined` where no product of the file shows a price. */
  question(): PriceUnitQuestion | undefined;
}

/** Creates a question without products. */
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
