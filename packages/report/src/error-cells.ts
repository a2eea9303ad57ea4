/** Cells of result files about a row as a whole. */

import { isBlocking, locateIssue, rowAddress, type RowRecord, type RunRecord } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { inputColumns, toLines } from "./input-cells.ts";

/** Width of a column, in characters. */
export const CELL_WIDTH = 18;
/** Width of a column that holds sentences. */
export const TEXT_WIDTH = 60;

/** Headers of the input's columns that are shown. */
export const inputHeader = (run: RunRecord): readonly string[] =>
  inputColumns(run).map((index) => run.file.header[index] ?? "");

/** Whether rows are named by their sheet. */
export const hasPlaces = ({ file }: RunRecord): boolean => file.sheets !== undefined;

/** The name of the row, where a column is for it. */
export const placeCells = (run: RunRecord, { row }: RowRecord): readonly OutCell[] =>
  hasPlaces(run) ? [rowAddress(run.file, row)] : [];

/** Codes, messages and suggestions of errors; of warnings only where there is no error. */
export function errorCells({ lang, file }: RunRecord, { issues }: RowRecord): readonly OutCell[] {
  const shown = issues.some(isBlocking) ? issues.filter(isBlocking) : issues;
  return [
    toLines(shown.map(({ code }) => code)),
    toLines(shown.map((issue) => prefix(locateIssue(file, issue).cell, issue.message[lang]))),
    toLines(shown.map(({ suggestion }) => suggestion?.[lang])),
  ];
}

const prefix = (cell: string, message: string): string =>
  cell === "" ? message : `${cell}: ${message}`;
