import { type TextKey } from "../issues/codes.ts";
import { createIssue, type Issue, type IssueParams } from "../issues/issue.ts";
import { cellAddress } from "../rows/source-row.ts";

/** Reports something about one header cell; index -1 is something that is in no cell. */
export type ReportHeader = (text: TextKey, index: number, params?: IssueParams) => Issue;

/** What was reported about the header of one sheet. */
export interface HeaderReport {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly report: ReportHeader;
}

export interface HeaderReportOptions {
  readonly sheet: string;
  readonly headerRow: number;
  readonly headers: readonly string[];
}

/** Collects issues and warnings apart. A parameter `value` replaces the header as the value. */
export function createHeaderReport(options: HeaderReportOptions): HeaderReport {
  const { sheet, headerRow, headers } = options;
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  return {
    issues,
    warnings,
    report(text, index, params) {
      // A missing column has no header; the first cell of the row stands in for its place.
      const column = text === "E_COLUMN_MISSING" ? "" : (headers[index] ?? "");
      const cell = index < 0 ? "" : cellAddress(index, headerRow);
      const given = params?.["value"];
      const value = typeof given === "string" ? given : column;
      const place = { sheet, row: headerRow, column, cell, value };
      const issue = createIssue({ text, params }, place);
      (text.startsWith("W_") ? warnings : issues).push(issue);
      return issue;
    },
  };
}
