import type { CodeSuspects, MappedRow, RowMapper, SheetReader } from "@catalog/mapping";
import {
  type CandidateRow,
  type IssueLocation,
  type RowIssue,
  type TextDoubt,
  toGarbledIssue,
} from "@catalog/runs";

import type { FindGarbled } from "./garbled-letters.ts";

export interface RowTools {
  readonly mapper: RowMapper;
  readonly codes: SheetReader["codes"];
  /**
   * Whether a row without a reduced price ends the discount that we gave.
   *
   * @default it is left as it is
   */
  readonly endsSales?: boolean | undefined;
  /** @default codes that look alike are accepted */
  readonly suspects?: Pick<CodeSuspects, "judge" | "judgeAdd"> | undefined;
  /** @default texts may have garbled letters */
  readonly findGarbled?: FindGarbled | undefined;
}

/** Converts a mapped row to the planner's candidate. */
export function toCandidate(
  tools: RowTools,
  mapped: MappedRow,
  imageIssues: readonly RowIssue[] = [],
): CandidateRow {
  const { mapper, codes, suspects } = tools;
  const codeLocation = codes.location(mapped.row, mapped.code ?? "");
  const { code, isNumberCode: isNumber } = mapped;
  const suspect =
    code === undefined ? undefined : suspects?.judge({ code, isNumber }, codeLocation);
  return {
    row: mapped.row,
    code: mapped.code ?? null,
    codeKey: mapped.codeKey ?? null,
    productId: mapped.productId ?? null,
    action: mapped.action,
    changes: mapped.changes,
    keepsImages: mapped.keepsImages,
    endsOwnSale: tools.endsSales === true && mapped.leavesSale,
    categoryName: mapped.names.category,
    issues: [
      ...(suspect === undefined ? [] : [suspect]),
      ...mapped.issues,
      ...imageIssues,
      ...mapped.warnings,
    ],
    completeAdd: () => mapper.completeAdd(mapped),
    codeLocation,
    textDoubts: doubtTexts(tools, mapped, codeLocation),
    holdsAdd: code === undefined ? undefined : suspects?.judgeAdd(code, codeLocation),
    locationOf: (field) => mapped.locationOf(field) ?? codeLocation,
  };
}

const TEXT_FIELDS = ["title", "sub_title", "description"] as const;

function doubtTexts(
  { findGarbled }: RowTools,
  mapped: MappedRow,
  codeLocation: IssueLocation,
): readonly TextDoubt[] {
  if (findGarbled === undefined) return [];
  return TEXT_FIELDS.flatMap((field) => {
    const text = mapped.changes[field];
    const kind = field === "description" ? undefined : "title";
    const found = text === undefined ? undefined : findGarbled(text, kind);
    if (text === undefined || found === undefined) return [];
    const location = mapped.locationOf(field) ?? codeLocation;
    return [{ field, issue: toGarbledIssue({ text, ...found }, location) }];
  });
}
