/** Breaks a line between words, so that it fits; what follows the first line is set in by so much. */
export function wrapLine(line: string, columns: number, indent = 0): string {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S)(?= )/u)) {
    if (current !== "" && current.length + word.length > columns) {
      lines.push(current);
      current = " ".repeat(indent) + word.trimStart();
    } else current += word;
  }
  return [...lines, current].join("\n");
}
