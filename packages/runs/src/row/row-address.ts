/**
 * Names rows for people. The rows of several sheets have numbers that differ in one run; a person
 * knows them by the sheet and the number that the spreadsheet program shows.
 */

import { quoteWord } from "@catalog/i18n";

import { toFeedAdvice } from "./feed-advice.ts";
import type { RowIssue } from "./issue.ts";

/** One of several sheets whose rows are in one run. */
export interface RunSheet {
  readonly name: string;
  /** The number of a row in the run is its number in the sheet and this. */
  readonly rowsBefore: number;
}

/** The sheets of a run's file; left out where there is one. */
export interface RunSheets {
  readonly sheets?: readonly RunSheet[] | undefined;
}

/** The file whose issues are shown; that of a sync has its feed. */
export interface IssueFile extends RunSheets {
  /** Key of the feed. @default the rows are of an import */
  readonly feed?: string | undefined;
}

/** A row in its sheet. */
export interface SheetLocation {
  readonly sheet: string;
  /** As the spreadsheet program shows it. */
  readonly row: number;
}

/** The sheet of a row and its number there; `undefined` for a file with one sheet. */
export function locateRow({ sheets = [] }: RunSheets, row: number): SheetLocation | undefined {
  const sheet = sheets.findLast(({ rowsBefore }) => rowsBefore < row);
  return sheet && { sheet: sheet.name, row: row - sheet.rowsBefore };
}

/** The row as people name it: `7`, or `Kış!7` in a file with several sheets. */
export const rowAddress = (file: RunSheets, row: number): string => cellInSheet(file, row, "");

/**
 * The row as `--rows` takes it on a command line. The name of a sheet needs its quotes where it has a
 * comma, blanks at its ends, or begins as a flag does.
 */
export function rowArgument(file: RunSheets, row: number): string {
  const located = locateRow(file, row);
  const isPlain = located !== undefined && /^[^\s',-](?:[^',]*[^\s',])?$/u.test(located.sheet);
  return quoteWord(isPlain ? `${located.sheet}!${located.row}` : rowAddress(file, row));
}

/** The cell as people name it: `B7`, or `Kış!B7` in a file with several sheets. */
export const cellInSheet = (file: RunSheets, row: number, column: string): string => {
  const located = locateRow(file, row);
  return located === undefined
    ? `${column}${row}`
    : `${quote(located.sheet)}!${column}${located.row}`;
};

/** The number of a row that a person names by its number in the run or in its sheet. */
export function parseRowAddress(file: RunSheets, text: string): number | undefined {
  const { sheet, row = "" } = /^(?:(?<sheet>.*)!)?\s*(?<row>\d+)\s*$/su.exec(text)?.groups ?? {};
  const number = Number(row);
  if (!Number.isSafeInteger(number) || number < 1) return undefined;
  if (sheet === undefined) return number;
  const name = toKey(unquote(sheet.trim()));
  const found = file.sheets?.find((each) => toKey(each.name) === name);
  return found && number + found.rowsBefore;
}

/** Names the sheet of a cell; unchanged for a file with one sheet, and for a row without a cell. */
export function locateCell(file: RunSheets, row: number, cell: string): string {
  const letters = /^[A-Z]*/u.exec(cell)?.[0] ?? "";
  return file.sheets === undefined || letters === "" ? cell : cellInSheet(file, row, letters);
}

/** An issue whose sheet and cell are those of the file. */
export interface LocatedIssue extends RowIssue {
  /** Number of the row in its sheet, where the file has several. */
  readonly sheet_row?: number;
}

/**
 * Names the sheet of an issue, and in its advice the row and the run, where the caller gives its id.
 * A file with one sheet has no names of sheets. Advice on a row of a feed is that for a sync.
 */
export function locateIssue<Issue extends RowIssue>(
  file: IssueFile,
  stored: Issue,
  runId?: string,
): Issue & LocatedIssue {
  const advised = file.feed === undefined ? stored : toFeedAdvice(stored);
  const issue = runId === undefined ? advised : fillAdvice(file, advised, runId);
  const located = locateRow(file, issue.row);
  if (located === undefined) return issue;
  const cell = locateCell(file, issue.row, issue.cell);
  return { ...issue, sheet: located.sheet, cell, sheet_row: located.row };
}

/** Stored advice has `<run>` and `<row>` in its commands, as a text is made before its run. */
function fillAdvice<Issue extends RowIssue>(file: RunSheets, issue: Issue, runId: string): Issue {
  const { suggestion } = issue;
  if (suggestion === undefined) return issue;
  const row = rowArgument(file, issue.row);
  const fill = (text: string): string =>
    text.replaceAll(/<(?:çalıştırma|run)>/gu, runId).replaceAll(/<(?:satır|row)>/gu, row);
  return { ...issue, suggestion: { tr: fill(suggestion.tr), en: fill(suggestion.en) } };
}

/** Names with other signs than letters and digits stand in quotes, as in formulas. */
const quote = (name: string): string =>
  /^[\p{L}\p{N}_.]+$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;

const unquote = (name: string): string =>
  /^'.*'$/su.test(name) ? name.slice(1, -1).replaceAll("''", "'") : name;

const toKey = (name: string): string => name.normalize("NFC").toLocaleLowerCase("tr");
