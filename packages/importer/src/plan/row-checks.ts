/** What keeps a row from being sent beside what is wrong with its cells. */

import { type SourceRow } from "@catalog/mapping";
import { type CandidateRow, type RowIssue } from "@catalog/runs";

import { type RowReadingCheck } from "../file/describe-file.ts";
import { type RefusalCheck } from "./repeated-refusals.ts";

export interface RowChecks {
  readonly checkReading: RowReadingCheck;
  readonly checkRefusal: RefusalCheck;
}

interface JudgedRow {
  readonly candidate: CandidateRow;
  /** Nothing of it was found here. */
  readonly isSound: boolean;
}

/** Looks at a row once its cells are understood. */
export function createRowJudge({
  checkReading,
  checkRefusal,
}: RowChecks): (row: SourceRow, candidate: CandidateRow) => JudgedRow {
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
