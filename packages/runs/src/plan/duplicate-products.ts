/** Lets only one row of a plan update a product, however its rows name it. */

import { guardOf } from "../guards/guard-issue.ts";
import { toIssue } from "../row/issue-texts.ts";
import type { RowDecision } from "../row/row-decision.ts";
import { createCompactTextMap } from "./compact-text-map.ts";
import type { CandidateRow } from "./decide-row.ts";
import { isUnsendable } from "./unsendable-fields.ts";

/**
 * Makes a row a duplicate when an earlier row of the plan updates its product, or would update it
 * once a person releases that row.
 */
export type FindDuplicateProduct = (
  decision: RowDecision,
  row: Pick<CandidateRow, "codeLocation">,
) => RowDecision;

/** Creates the check for one plan, which takes its rows in the order of the sheet. */
export function createDuplicateProductCheck(
  nameRow: (row: number) => string = String,
): FindDuplicateProduct {
  const firstRowOf = createCompactTextMap();
  return (decision, { codeLocation }) => {
    const { productId } = decision;
    if (productId === null || !mayWrite(decision)) return decision;
    const first = firstRowOf.get(productId);
    if (first === undefined) {
      firstRowOf.set(productId, decision.row);
      return decision;
    }
    // A duplicate cannot be released, so the issues of guards are left out.
    const others = decision.issues.filter((issue) => guardOf(issue) === undefined);
    const issues = [...others, toIssue("E_PRODUCT_TWICE", codeLocation, nameRow(first))];
    const nothing = { action: null, payload: null, changes: [] } as const;
    return { ...decision, ...nothing, state: "duplicate", issues };
  };
}

/**
 * An unchanged row, or one that cannot be sent, counts too, because another value for its product
 * contradicts it.
 */
const mayWrite = (decision: RowDecision): boolean => {
  const { state, payload } = decision;
  if (state === "ready" || state === "unchanged" || isUnsendable(decision)) return true;
  return state === "held" && payload !== null;
};
