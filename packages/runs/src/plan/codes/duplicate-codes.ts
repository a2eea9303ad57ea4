/** Rows of one file that have the same product code: which of them may be sent. */

import { isDeepStrictEqual } from "node:util";

import { isBlocking } from "../../row/issue-texts.ts";
import { type DuplicateCode } from "../../row/source-row.ts";
import { type CandidateRow } from "../decide-row.ts";

/**
 * The rows that may not be sent, each with all rows of its code. Of rows that ask for the same the
 * first is planned as if it were alone; of different ones none may be sent.
 */
export function toSameCode(
  duplicates: readonly DuplicateCode[],
): ReadonlyMap<number, readonly number[]> {
  const sameCode = new Map<number, readonly number[]>();
  for (const { rows, identical } of duplicates) {
    for (const row of identical ? rows.slice(1) : rows) sameCode.set(row, rows);
  }
  return sameCode;
}

/**
 * Whether the rows of one code, given one after the other, ask for the same so far. Their cells may
 * differ where nothing is sent, as in the columns of a result file.
 */
export function createSameRequest(): (draft: CandidateRow) => boolean {
  let first: unknown;
  return (draft) => {
    // What could not be read may be different.
    if (draft.issues.some(isBlocking)) return false;
    const asked = toAsked(draft);
    first ??= asked;
    return isDeepStrictEqual(first, asked);
  };
}

/** All that either call may send for the row: whether it adds or updates is not known yet. */
function toAsked(candidate: CandidateRow): Readonly<Record<string, unknown>> {
  const { code, productId, action, changes } = candidate;
  const add = candidate.completeAdd();
  return { code, productId, action, changes, body: add.ok ? add.body : undefined };
}
