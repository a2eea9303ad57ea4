/** The values that updates of a plan will overwrite. */

import type { CandidateRow } from "../plan/decide-row.ts";
import type { RowBackground } from "../plan/row-background.ts";
import type { BeforeValue } from "../ports/verification-log.ts";
import type { RowDecision } from "../row/row-decision.ts";

/**
 * Returns the products of the updates as the listing shows them now, of held updates too, because a
 * person may release them.
 */
export function toBeforeValues(
  candidates: readonly CandidateRow[],
  decisions: readonly RowDecision[],
  { seenOf }: Pick<RowBackground, "seenOf">,
): readonly BeforeValue[] {
  return candidates.flatMap((candidate, index) => {
    const { row } = candidate;
    const { action, productId } = decisions[index] ?? {};
    if (action !== "update") return [];
    const found = seenOf(candidate).find(({ product }) => product.id === productId);
    return found === undefined ? [] : [{ row, product: found.product }];
  });
}
