import type { TextKey } from "../issues/codes.ts";
import { createIssue, type Issue, type IssueParams } from "../issues/issue.ts";
import { cellAddress } from "../rows/source-row.ts";

/**
 * Reports an issue about one header cell; index -1 stands for a column that the file does not have.
 */
export type ReportHeader = (text: TextKey, index: number, params?: IssueParams) => Issue;

/** The issues and warnings about the header of one sheet. */
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

/**
 * Collects issues and warnings separately. A parameter `value` replaces the header as the issue's
 * value.
 */
export function createHeaderReport(options: HeaderReportOptions): HeaderReport {
  const { sheet, headerRow, headers } = options;
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  return {
    issues,
    warnings,
    report(text, index, params) {
      // A missing column has no header, so the issue is located at the first cell of the row.
      const column = text === "E_COLUMN_MISSING.code" ? "" : (headers[index] ?? "");
      const cell = index < 0 ? "" : cellAddress(index, headerRow);
      const given = params?.["value"];
      const value = typeof given === "string" ? given : column;
      const location = { sheet, row: headerRow, column, cell, value };
      const issue = createIssue({ text, params }, location);
      (text.startsWith("W_") ? warnings : issues).push(issue);
      return issue;
    },
  };
}
