/** Keeps words whole where what went wrong is longer than the terminal is wide. */

import { wrap } from "@catalog/import/report";
import { type Terminal } from "@catalog/toolkit";

/** Breaks the lines that are too long; those that are set in are laid out already. */
export function fitLines(
  text: string,
  { isTerminal, columns }: Pick<Terminal, "isTerminal" | "columns">,
): string {
  if (!isTerminal) return text;
  const fit = (line: string): string =>
    /^\s/u.test(line) ? line : wrap(line, { columns, indent: 0 });
  return text.split("\n").map(fit).join("\n");
}
