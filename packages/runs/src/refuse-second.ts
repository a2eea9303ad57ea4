/** Sees to it that of the rows that name one product, by its id or by its code, one updates it. */

import { type ProductId } from "@catalog/contract";

import { toIssue } from "./findings.ts";
import { type RowDecision } from "./journal.ts";
import { type CandidateRow } from "./plan-row.ts";

/** Makes a duplicate of a row whose product an earlier row of the plan updates. */
export type RefuseSecond = (
  decision: RowDecision,
  row: Pick<CandidateRow, "codePlace">,
) => RowDecision;

/** For the rows of one plan, in the order of the sheet. */
export function createRefuseSecond(): RefuseSecond {
  const firstRowOf = new Map<ProductId, number>();
  return (decision, { codePlace }) => {
    const { productId, state, issues } = decision;
    if (productId === null || (state !== "ready" && state !== "unchanged")) return decision;
    const first = firstRowOf.get(productId);
    if (first === undefined) {
      firstRowOf.set(productId, decision.row);
      return decision;
    }
    const issue = toIssue("E_PRODUCT_TWICE", codePlace, String(first));
    const nothing = { action: null, payload: null } as const;
    return { ...decision, ...nothing, state: "duplicate", issues: [...issues, issue] };
  };
}
