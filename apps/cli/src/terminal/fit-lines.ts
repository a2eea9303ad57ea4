/** Breaks lines that are longer than the screen between words, so that none is cut in two. */

import { stripVTControlCharacters } from "node:util";

import { breakLine } from "@catalog/console";

/** A command that ends a line is copied from there, so it stays in one piece. */
const COMMAND = /(?<=: )catalog \S.*$/u;

/** Blanks, and the mark of a remark or a warning; what follows is set in behind them. */
const START = /^ *(?:[!·✗→] +)?/u;

const COMMAND_INDENT = 2;

/** The text in lines of at most `columns`, but for words and commands that are longer. */
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
