/** Width of the output and of its texts. */
interface BreakLineOptions {
  /** Number of columns; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Number of blanks before every line but the first. */
  readonly indent: number;
  /** Number of columns that a text takes. */
  readonly widthOf: (text: string) => number;
}

/**
 * A command at the end of a line, or on an indented line of its own, stays in one piece, as people
 * copy it; not one in brackets.
 */
const COMMAND =
  /(?<=: |^ {2,40})(?:catalog|npx catalog-toolkit|node .*catalog\.js['"]?) [a-z].*(?<!\))$/u;

const COMMAND_INDENT = 2;

/** Breaks a line at blanks; only longer words, and a command at its end, exceed the columns. */
export function breakLine(text: string, options: BreakLineOptions): string {
  const command = options.widthOf(text) > options.columns ? COMMAND.exec(text) : null;
  if (command === null) return breakWords(text, options);
  if (text.slice(0, command.index).trim() === "") return text;
  const sentence = breakWords(text.slice(0, command.index).trimEnd(), options);
  return `${sentence}\n${" ".repeat(options.indent + COMMAND_INDENT)}${command[0]}`;
}

function breakWords(text: string, { columns, indent, widthOf }: BreakLineOptions): string {
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
