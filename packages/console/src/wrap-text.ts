/** Apart from the other modules, because the table of widths takes long to load. */

import stringWidth from "string-width";

import { breakLine } from "./break-line.ts";

export interface WrapTextOptions {
  /** Columns that there are; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Blanks before every line but the first. @default 0 */
  readonly indent?: number;
}

/** Breaks a line at blanks so that it fits the terminal, where a wide letter takes two columns. */
export function wrapText(text: string, { columns, indent = 0 }: WrapTextOptions): string {
  return breakLine(text, { columns, indent, widthOf: stringWidth });
}
