/** What a plan keeps of the products that its updates will overwrite. */

import { type RowDecision, type SeenProduct } from "../journal.ts";
import { type BeforeValue } from "./read-back-book.ts";

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
