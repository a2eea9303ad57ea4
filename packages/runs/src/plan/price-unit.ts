/** Finds out in which unit a listing answers prices, which the specification does not state. */

import { type PriceEvidence } from "../ports/ledger.ts";
import { type PriceUnit } from "./compare.ts";

/**
 * Compares prices that we sent with what is shown for them. One unit must explain at least one
 * pair while the other explains none; otherwise the unit stays unknown.
 */
export function calibratePriceUnit(evidence: readonly PriceEvidence[]): PriceUnit {
  const minor = evidence.filter(({ sent, seen }) => sent === seen).length;
  const major = evidence.filter(({ sent, seen }) => sent === Math.round(seen * 100)).length;
  if (minor > 0 && major === 0) return "minor";
  if (major > 0 && minor === 0) return "major";
  return "unknown";
}
