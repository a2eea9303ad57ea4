import { type CodeColumn, completeAdd, type MappedRow, type RowMapper } from "@catalog/mapping";
import { type CandidateRow, type CompletedAdd, type RowIssue } from "@catalog/runs";

export interface RowTools {
  readonly mapper: RowMapper;
  readonly codes: CodeColumn;
}

/** A mapped row as the planner wants it. */
export function toCandidate(
  { mapper, codes }: RowTools,
  mapped: MappedRow,
  pictureIssues: readonly RowIssue[] = [],
): CandidateRow {
  return {
    row: mapped.row,
    code: mapped.code ?? null,
    codeKey: mapped.codeKey ?? null,
    productId: mapped.productId ?? null,
    action: mapped.action,
    changes: mapped.changes,
    categoryName: mapped.names.category,
    issues: [...mapped.issues, ...pictureIssues, ...mapped.warnings],
    completeAdd: () => complete(mapper, mapped),
    codePlace: codes.place(mapped.row, mapped.code ?? ""),
  };
}

function complete(mapper: RowMapper, mapped: MappedRow): CompletedAdd {
  const issues = mapper.missingForAdd(mapped);
  const body = completeAdd(mapped);
  return body === undefined || issues.length > 0 ? { ok: false, issues } : { ok: true, body };
}
