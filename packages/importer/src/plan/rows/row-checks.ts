/** Issues of a row besides those of its cells. */

import type { SourceRow } from "@catalog/mapping";
import type { CandidateRow, RowIssue } from "@catalog/runs";

import type { RowFileCheck } from "../../file/describe-file.ts";
import type { RepeatedRefusalCheck } from "./repeated-refusals.ts";

export interface RowChecks {
  readonly checkReading: RowFileCheck;
  readonly checkRefusal: RepeatedRefusalCheck;
}

interface CheckedRow {
  readonly candidate: CandidateRow;
  /** The check found no issue. */
  readonly isSound: boolean;
}

/** Creates the check of a row whose cells are mapped. */
export function createRowChecks({
  checkReading,
  checkRefusal,
}: RowChecks): (row: SourceRow, candidate: CandidateRow) => CheckedRow {
  return (row, candidate) => {
    const read = withIssues(candidate, checkReading(row));
    const { refused, held: heldBefore } = checkRefusal(row, read);
    const judged = withIssues(read, refused);
    return {
      candidate: heldBefore.length === 0 ? judged : { ...judged, heldBefore },
      isSound: judged === candidate,
    };
  };
}

const withIssues = (row: CandidateRow, issues: readonly RowIssue[]): CandidateRow =>
  issues.length === 0 ? row : { ...row, issues: [...issues, ...row.issues] };
