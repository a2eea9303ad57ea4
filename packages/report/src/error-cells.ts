/** Cells of result files about a row as a whole. */

import type { Lang } from "@catalog/i18n";
import { columnLetter } from "@catalog/mapping";
import {
  isBlocking,
  locateIssue,
  rowAddress,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { columnOf, inputColumns, toLines } from "./input-cells.ts";
import { RESULT_TEXTS } from "./result-texts.ts";
import type { AddedColumn } from "./sheet-layout.ts";

/** Width of a column that holds a word, in characters. */
export const WORD_WIDTH = 13;

/** Headers of the input's columns that are shown. */
export const inputHeader = (run: RunRecord): readonly string[] =>
  inputColumns(run).map((index) => run.file.header[index] ?? "");

/** Whether rows are named by their sheet. */
export const hasPlaces = ({ file }: RunRecord): boolean => file.sheets !== undefined;

/** The name of the row, where a column is for it. */
export const placeCells = (run: RunRecord, { row }: RowRecord): readonly OutCell[] =>
  hasPlaces(run) ? [rowAddress(run.file, row)] : [];

/** The row in the imported file: its number, with its sheet where there are several. */
export const placeCell = ({ file }: RunRecord, { row }: RowRecord): OutCell =>
  file.sheets === undefined ? row : rowAddress(file, row);

/** What is wrong with a row: codes, messages and suggestions, one line each. */
export type ErrorCells = Readonly<Record<"errorCode" | "error" | "suggestion", OutCell>>;

/** The name of the cell of an issue; empty where it has none. */
type NameCell = (issue: RowIssue) => string;

/** Describes errors; of warnings only where there is no error. */
export function errorCells(
  { id, lang, file }: RunRecord,
  { issues }: RowRecord,
  nameCell: NameCell = (issue) => locateIssue(file, issue).cell,
): ErrorCells {
  const shown = issues.some(isBlocking) ? issues.filter(isBlocking) : issues;
  return {
    errorCode: toLines(shown.map(({ code }) => code)),
    error: toLines(shown.map((issue) => prefix(nameCell(issue), issue.message[lang]))),
    suggestion: toLines(shown.map((issue) => locateIssue(file, issue, id).suggestion?.[lang])),
  };
}

/** Names cells as the workbook shows them in a row of its own. */
export const cellsIn =
  (columns: readonly number[], row: number): NameCell =>
  (issue) => {
    const column = columnOf(columns, issue);
    return column === undefined ? "" : `${columnLetter(column)}${row}`;
  };

const prefix = (cell: string, message: string): string =>
  cell === "" ? message : `${cell}: ${message}`;

/** The columns that say what is wrong, as result and failed files have them. */
export function errorColumns(
  lang: Lang,
): Readonly<Record<keyof ErrorCells | "result" | "place" | "record", AddedColumn<ErrorColumn>>> {
  const texts = RESULT_TEXTS[lang].columns;
  return {
    result: { name: "result", header: texts.result, width: WORD_WIDTH },
    error: { name: "error", header: texts.error, width: 38, wraps: true },
    suggestion: { name: "suggestion", header: texts.suggestion, width: 52, wraps: true },
    errorCode: { name: "errorCode", header: texts.errorCode, width: 22, wraps: true },
    place: { name: "place", header: texts.place, width: 18 },
    record: { name: "record", header: texts.record, width: 16 },
  };
}

export type ErrorColumn = keyof ErrorCells | "result" | "place" | "record";
