/** Wraps lines that are longer than the screen between words. */

import { stripVTControlCharacters } from "node:util";

import { breakLine } from "@catalog/console";

/**
 * Indentation with the mark of a remark or a warning; wrapped lines are indented to the same
 * column.
 */
const START = /^ *(?:[!·✗→] +)?/u;

/** An entry of a list: an id, and what it stands for in a second column. */
const ENTRY = /^ +[^\s:]+ {2,}(?=\S)/u;

/** Where the second column has less than half of the screen, the first one is no indentation. */
const NARROW_INDENT = 4;

/** Wraps a text to `columns`; only longer words and commands exceed them. */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (widthOf(line) > columns ? fitLine(line, columns) : line))
    .join("\n");
}

const fitLine = (line: string, columns: number): string =>
  breakLine(line, { columns, indent: indentOf(line, columns), widthOf });

function indentOf(line: string, columns: number): number {
  const entry = ENTRY.exec(line)?.[0].length;
  if (entry === undefined) return START.exec(line)?.[0].length ?? 0;
  return entry <= columns / 2 ? entry : NARROW_INDENT;
}

const widthOf = (line: string): number => Array.from(stripVTControlCharacters(line)).length;
