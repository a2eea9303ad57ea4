/** What a plan keeps of the products that its updates will overwrite. */

import { type SeenProduct } from "../ports/listing-cache.ts";
import { type BeforeValue } from "../ports/verification-log.ts";
import { type RowDecision } from "../row/row-decision.ts";

/** The products of the updates as the listing shows them now; a held one may be released. */
export function toBeforeValues(
  decisions: readonly RowDecision[],
  seen: readonly (readonly SeenProduct[])[],
): readonly BeforeValue[] {
  return decisions.flatMap(({ row, action, productId }, index) => {
    const found = seen[index]?.find(({ product }) => product.id === productId);
    return action !== "update" || found === undefined ? [] : [{ row, product: found.product }];
  });
}
