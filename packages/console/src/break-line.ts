export interface BreakLineOptions {
  /** Columns that there are; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Blanks before every line but the first. */
  readonly indent: number;
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number;
}

/**
 * Breaks a line at single blanks, not at no-break spaces, so that it fits; a word that is longer stays whole. A line feed of
 * a text counts as a blank, so that no foreign text begins a line of its own.
 */
export function breakLine(text: string, { columns, indent, widthOf }: BreakLineOptions): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S)[ \t\n\v\f\r\u2028\u2029](?=\S)/u)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > columns) {
      lines.push(line);
      line = " ".repeat(indent) + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join("\n");
}
