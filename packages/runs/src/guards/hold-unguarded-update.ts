/**
 * Holds a planned update whose price cannot be guarded because the unit of listed prices is
 * unknown.
 */

import { readPriceTag } from "../plan/compare.ts";
import type { CandidateRow } from "../plan/decide-row.ts";
import type { ListedProductRow } from "../ports/listing-cache.ts";
import type { RowDecision } from "../row/row-decision.ts";
import { heldBesides, toUnknownUnitIssue } from "./guard-issue.ts";
import type { GuardSettings } from "./guard-settings.ts";
import { findUnguarded } from "./row-guards.ts";

export interface HoldUnguardedUpdateOptions {
  /** The row's product with prices in minor units; prices of an unknown unit are left out. */
  readonly seen: readonly ListedProductRow[];
  readonly guards: GuardSettings;
}

/**
 * Returns the decision, held where it would send a price or a discount that cannot be compared with
 * the old one; its stock is sent apart. A row that a guard already holds, or
 * whose guards are all allowed, is returned unchanged.
 */
export function holdUnguardedUpdate(
  decision: RowDecision,
  row: Pick<CandidateRow, "locationOf">,
  { seen, guards }: HoldUnguardedUpdateOptions,
): RowDecision {
  const { state, action, payload: sent, productId } = decision;
  if (state !== "ready" || action !== "update" || sent === null) return decision;
  const product = seen.find((each) => each.product.id === productId)?.product;
  const old = readPriceTag({ seen: product, lastSent: undefined, priceUnit: "minor" });
  if (findUnguarded({ old, sent }, guards) === undefined) return decision;
  const location = row.locationOf(sent.price === undefined ? "discount_value" : "price");
  const issue = toUnknownUnitIssue(location, heldBesides(sent, product));
  return { ...decision, state: "held", issues: [...decision.issues, issue] };
}
