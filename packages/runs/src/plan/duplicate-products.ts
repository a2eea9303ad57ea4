/** Sees to it that of the rows that name one product, by its id or by its code, one updates it. */

import { guardOf } from "../guards/guard-issue.ts";
import { toIssue } from "../row/issue-texts.ts";
import { type RowDecision } from "../row/row-decision.ts";
import { createTextRows } from "./compact-text-map.ts";
import { type CandidateRow } from "./decide-row.ts";
import { isUnsendable } from "./unsendable-fields.ts";

/**
 * Makes a duplicate of a row whose product an earlier row of the plan updates, or would update once
 * a person releases it.
 */
export type RefuseSecond = (
  decision: RowDecision,
  row: Pick<CandidateRow, "codePlace">,
) => RowDecision;

/** For the rows of one plan, in the order of the sheet. */
export function createRefuseSecond(): RefuseSecond {
  const firstRowOf = createTextRows();
  return (decision, { codePlace }) => {
    const { productId } = decision;
    if (productId === null || !mayWrite(decision)) return decision;
    const first = firstRowOf.get(productId);
    if (first === undefined) {
      firstRowOf.set(productId, decision.row);
      return decision;
    }
    // Nobody can release this row, so what a guard would have asked about it is not asked.
    const others = decision.issues.filter((issue) => guardOf(issue) === undefined);
    const issues = [...others, toIssue("E_PRODUCT_TWICE", codePlace, String(first))];
    const nothing = { action: null, payload: null, changes: [] } as const;
    return { ...decision, ...nothing, state: "duplicate", issues };
  };
}

/** A row that agrees with the store, or cannot be sent, counts: another value for its product contradicts it. */
const mayWrite = (decision: RowDecision): boolean => {
  const { state, payload } = decision;
  if (state === "ready" || state === "unchanged" || isUnsendable(decision)) return true;
  return state === "held" && payload !== null;
};
