/** Breaks a line at blanks so that it fits the terminal; what follows is indented. */

import stringWidth from "string-width";

export interface WrapOptions {
  /** Columns that there are; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Blanks before every line but the first. */
  readonly indent: number;
}

export function wrap(text: string, { columns, indent }: WrapOptions): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S)\s(?=\S)/u)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && stringWidth(longer) > columns) {
      lines.push(line);
      line = " ".repeat(indent) + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join("\n");
}
