/** Commands in the texts of issues as a person types them after a run. */

import { type Localized, nameProgram, quoteWord } from "@catalog/i18n";
import type { RowIssue } from "@catalog/runs";

import type { ReportedRow } from "./reported-rows.ts";

export interface IssueCommands {
  /** Words that start the program. */
  readonly program: string;
  /** Path of the workbook of held rows; `null` where none is written. */
  readonly held: string | null;
}

/** Names the program, and the path of the workbook in which held rows are approved. */
export function nameCommands(row: ReportedRow, commands: IssueCommands): ReportedRow {
  const isPlain = !row.issues.some(({ message, suggestion }) => hasCommand([message, suggestion]));
  if (isPlain) return row;
  const toNamed = (issue: RowIssue): RowIssue => nameInIssue(issue, commands);
  const stored = { ...row.stored, issues: row.stored.issues.map(toNamed) };
  return { ...row, issues: row.issues.map(toNamed), stored };
}

const hasCommand = (texts: readonly (Localized | undefined)[]): boolean =>
  texts.some((text) => text?.tr.includes("catalog ") === true);

function nameInIssue(issue: RowIssue, { program, held }: IssueCommands): RowIssue {
  const name = (text: string): string => {
    const named = nameProgram(text, program);
    return held === null
      ? named
      : named.replaceAll(APPROVED, () => `--approved ${quoteWord(held)}`);
  };
  const inEach = ({ tr, en }: Localized): Localized => ({ tr: name(tr), en: name(en) });
  const { message, suggestion } = issue;
  const named = { ...issue, message: inEach(message) };
  return suggestion === undefined ? named : { ...named, suggestion: inEach(suggestion) };
}

const APPROVED = /--approved held\.xlsx/gu;
