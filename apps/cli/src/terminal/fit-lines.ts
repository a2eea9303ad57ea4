/** Wraps lines that are longer than the screen between words. */

import { stripVTControlCharacters } from "node:util";

import { breakLine } from "@catalog/console";

/** A command at the end of a line stays in one piece, as people copy it. */
const COMMAND = /(?<=: )catalog \S.*$/u;

/**
 * Indentation with the mark of a remark or a warning; wrapped lines are indented to the same
 * column.
 */
const START = /^ *(?:[!·✗→] +)?/u;

const COMMAND_INDENT = 2;

/** Wraps a text to `columns`; only longer words and commands exceed them. */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (widthOf(line) > columns ? fitLine(line, columns) : line))
    .join("\n");
}

const widthOf = (line: string): number => Array.from(stripVTControlCharacters(line)).length;

function fitLine(line: string, columns: number): string {
  const indent = START.exec(line)?.[0].length ?? 0;
  const command = COMMAND.exec(line);
  if (command === null) return breakWords(line, indent, columns);
  const sentence = breakWords(line.slice(0, command.index).trimEnd(), indent, columns);
  return `${sentence}\n${" ".repeat(indent + COMMAND_INDENT)}${command[0]}`;
}

const breakWords = (line: string, indent: number, columns: number): string =>
  breakLine(line, { columns, indent, widthOf });
