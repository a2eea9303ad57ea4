/** Width of the output and of its texts. */
export interface BreakLineOptions {
  /** Number of columns; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Number of blanks before every line but the first. */
  readonly indent: number;
  /** Number of columns that a text takes. */
  readonly widthOf: (text: string) => number;
}

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
