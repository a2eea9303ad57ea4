/**
 * The unit of listed prices. The API specification does not state it (section Product), so it is
 * found by comparing amounts that we sent with the listed ones.
 */

import type { Ledger, PriceEvidence } from "../ports/ledger.ts";

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
export interface PriceUnitCount {
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
export const PRICE_EVIDENCE = 50;

/** Returns the unit in which the listing shows prices that we sent. Makes no call. */
export async function readSentUnit(journal: Ledger): Promise<PriceUnit> {
  return calibratePriceUnit(await journal.readPriceEvidence(PRICE_EVIDENCE));
}
