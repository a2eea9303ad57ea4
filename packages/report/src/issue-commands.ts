/** Commands in the texts of issues as a person types them after a run. */

import { type Localized, nameProgram, quoteWord } from "@catalog/i18n";
import type { RowIssue, RunRecord } from "@catalog/runs";

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
  const toNamed = (issue: RowIssue): RowIssue => nameIssueCommands(issue, commands);
  const stored = { ...row.stored, issues: row.stored.issues.map(toNamed) };
  return { ...row, issues: row.issues.map(toNamed), stored };
}

const hasCommand = (texts: readonly (Localized | undefined)[]): boolean =>
  texts.some((text) => text?.tr.includes("catalog ") === true);

/** Names the program in the warnings and notes about the file as a whole. */
export function nameRunCommands(run: RunRecord, program: string): RunRecord {
  const name = ({ tr, en }: Localized): Localized => ({
    tr: nameProgram(tr, program),
    en: nameProgram(en, program),
  });
  const warnings = run.warnings.map((each) => ({ ...each, message: name(each.message) }));
  const { facts } = run;
  if (facts?.reading === undefined) return { ...run, warnings };
  const reading = { ...facts.reading, notes: facts.reading.notes.map(name) };
  return { ...run, warnings, facts: { ...facts, reading } };
}

/** Names the program, and the path of the workbook in which held rows are approved. */
export function nameIssueCommands<Issue extends RowIssue>(
  issue: Issue,
  { program, held }: IssueCommands,
): Issue {
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
