/** Wraps lines that are longer than the screen between words. */

import { stripVTControlCharacters } from "node:util";

import { breakLine } from "@catalog/console";

/**
 * Indentation with the mark of a remark or a warning; wrapped lines are indented to the same
 * column.
 */
const START = /^ *(?:[!·✗→] +)?/u;

/** Wraps a text to `columns`; only longer words and commands exceed them. */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (widthOf(line) > columns ? fitLine(line, columns) : line))
    .join("\n");
}

const fitLine = (line: string, columns: number): string =>
  breakLine(line, { columns, indent: START.exec(line)?.[0].length ?? 0, widthOf });

const widthOf = (line: string): number => Array.from(stripVTControlCharacters(line)).length;
