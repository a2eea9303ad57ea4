/**
 * The unit in which a listing answers prices. The specification does not state it, so it is found
 * out by comparing amounts that we sent with what is shown for them.
 */

import { type Ledger, type PriceEvidence } from "../ports/ledger.ts";

/** Unit of the prices that a listing answers with: minor units, whole currency, or not known yet. */
export type PriceUnit = "minor" | "major" | "unknown";

/** A unit of prices that is known. */
export type KnownUnit = Exclude<PriceUnit, "unknown">;

export const KNOWN_UNITS: readonly KnownUnit[] = ["minor", "major"];

/** A shown amount in minor units; `undefined` where there is none, or its unit is not known. */
export function toMinor(amount: number | null | undefined, unit: PriceUnit): number | undefined {
  if (amount === null || amount === undefined || unit === "unknown") return undefined;
  return unit === "minor" ? amount : Math.round(amount * 100);
}

/** The units under which a shown amount is the one that was sent, in minor units; for 0 both are. */
export const findUnits = (sent: number, shown: number): readonly KnownUnit[] =>
  KNOWN_UNITS.filter((unit) => toMinor(shown, unit) === sent);

/** A unit that equal prices speak for. */
export interface PriceUnitSuggestion {
  readonly unit: KnownUnit;
  /** Prices that are equal so. */
  readonly pairs: number;
}

/** Counts pairs of prices that are equal under a unit. */
export interface PriceUnitCount {
  /** An amount in minor units, beside the one that is shown; an absent one or 0 tells nothing. */
  note(minor: number | undefined, shown: number | null | undefined): void;
  /** The unit that explains at least one pair while the other explains none. */
  unit(): PriceUnit;
  /** The same by many pairs, where the amounts were not sent by us and thus prove nothing. */
  suggestion(): PriceUnitSuggestion | undefined;
}

/** Pairs that suggest a unit. */
const MIN_PAIRS = 20;

/** Begins without a pair. */
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

/** The unit under which prices that we sent are shown; unknown where they speak for both or none. */
export function calibratePriceUnit(evidence: readonly PriceEvidence[]): PriceUnit {
  const count = createPriceUnitCount();
  for (const { sent, seen } of evidence) count.note(sent, seen);
  return count.unit();
}

/** Pairs of prices that are enough to tell the unit. */
export const PRICE_EVIDENCE = 50;

/** What the prices that we sent and have read since tell. Makes no call. */
export async function readSentUnit(journal: Ledger): Promise<PriceUnit> {
  return calibratePriceUnit(await journal.readPriceEvidence(PRICE_EVIDENCE));
}
