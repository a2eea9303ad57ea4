/** The issues of rows that share a product code. */

import { type CandidateRow, toIssue } from "@catalog/runs";

import type { CodeGroup } from "./code-groups.ts";
import type { Found } from "./draft-issues.ts";

const MAX_NAMED = 20;

/** Of rows that say the same, the first is sent. */
export function toDuplicateIssues(
  { row, codeLocation }: CandidateRow,
  { rows, isIdentical, isCut }: CodeGroup,
  nameRow: (row: number) => string,
): readonly Found[] {
  if (rows.length < 2 || (isIdentical && rows[0] === row)) return [];
  const named = rows.slice(0, MAX_NAMED).map(nameRow);
  const list = [...named, ...(isCut || rows.length > MAX_NAMED ? ["…"] : [])].join(", ");
  const issue = toIssue("E_CODE_DUPLICATE", codeLocation, list);
  return [{ issue, severity: isIdentical ? "warning" : "error" }];
}
