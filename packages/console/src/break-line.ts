export interface BreakLineOptions {
  /** Columns that there are; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Blanks before every line but the first. */
  readonly indent: number;
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number;
}

/** Breaks a line at single blanks so that it fits; a word that is longer stays whole. */
export function breakLine(text: string, { columns, indent, widthOf }: BreakLineOptions): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S) (?=\S)/u)) {
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
