import { completeAdd, type MappedRow, type RowMapper } from "@catalog/mapping";
import { type CandidateRow, type CompletedAdd } from "@catalog/runs";

/** A mapped row as the planner wants it. */
export function toCandidate(mapper: RowMapper, mapped: MappedRow): CandidateRow {
  return {
    row: mapped.row,
    code: mapped.code ?? null,
    codeKey: mapped.codeKey ?? null,
    productId: mapped.productId ?? null,
    action: mapped.action,
    changes: mapped.changes,
    categoryName: mapped.names.category,
    issues: [...mapped.issues, ...mapped.warnings],
    completeAdd: () => complete(mapper, mapped),
    codePlace: mapper.codePlace(mapped),
  };
}

function complete(mapper: RowMapper, mapped: MappedRow): CompletedAdd {
  const issues = mapper.missingForAdd(mapped);
  const body = completeAdd(mapped);
  return body === undefined || issues.length > 0 ? { ok: false, issues } : { ok: true, body };
}
