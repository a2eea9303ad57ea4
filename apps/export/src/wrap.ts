/** Lines that fit a terminal. */

import { type Terminal } from "@catalog/toolkit";

/** Breaks a line between its words; where nobody looks, it stays one line. */
export function wrapFor(
  { isTerminal, columns }: Pick<Terminal, "isTerminal" | "columns">,
  line: string,
): string {
  if (!isTerminal) return line;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length >= columns) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current].join("\n");
}
