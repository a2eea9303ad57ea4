/** Decides which rows of one file with the same product code may be sent. */

import { isDeepStrictEqual } from "node:util";

import { isBlocking } from "../../row/issue-texts.ts";
import type { DuplicateCode } from "../../row/source-row.ts";
import type { CandidateRow } from "../decide-row.ts";

/**
 * Returns the rows that may not be sent, each with all rows of its code. Of rows with the same
 * request the first is planned as if it were alone; of different rows none may be sent.
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
 * Returns a function that says for each further row of one code whether all rows so far send the
 * same. Cells that are not sent, such as those of a result file, may differ.
 */
export function createSameRequest(): (draft: CandidateRow) => boolean {
  let first: unknown;
  return (draft) => {
    // A row with an error may differ from the others.
    if (draft.issues.some(isBlocking)) return false;
    const asked = toRequest(draft);
    first ??= asked;
    return isDeepStrictEqual(first, asked);
  };
}

/**
 * All fields that an add or an update may send for the row, because the action is not decided yet.
 */
function toRequest(candidate: CandidateRow): Readonly<Record<string, unknown>> {
  const { code, productId, action, changes } = candidate;
  const add = candidate.completeAdd();
  return { code, productId, action, changes, body: add.ok ? add.body : undefined };
}
