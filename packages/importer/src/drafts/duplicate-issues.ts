/** The issues of rows that share a product code. */

import { type CandidateRow, toIssue } from "@catalog/runs";

import type { Found } from "./draft-issues.ts";

/** Rows that share a product code. */
export interface RowsOfCode {
  /** Rows with the row's code, this one included. */
  readonly rows: readonly number[];
  /** Whether all of them ask for the same, so that the first one is sent. */
  readonly isIdentical: boolean;
  /** Whether there are more rows than are compared. */
  readonly isCut: boolean;
}

const MAX_NAMED = 20;

/** Of rows that say the same, the first is sent. */
export function toDuplicateIssues(
  { row, codeLocation }: CandidateRow,
  { rows, isIdentical, isCut }: RowsOfCode,
  nameRow: (row: number) => string,
): readonly Found[] {
  if (rows.length < 2 || (isIdentical && rows[0] === row)) return [];
  const named = rows.slice(0, MAX_NAMED).map(nameRow);
  const list = [...named, ...(isCut || rows.length > MAX_NAMED ? ["…"] : [])].join(", ");
  const issue = toIssue("E_CODE_DUPLICATE", codeLocation, list);
  return [{ issue, severity: isIdentical ? "warning" : "error" }];
}
