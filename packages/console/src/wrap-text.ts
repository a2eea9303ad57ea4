/** A module of its own, because the table of widths takes long to load. */

import stringWidth from "string-width";

import { breakLine } from "./break-line.ts";

/** Width of the output. */
interface WrapTextOptions {
  /** Number of columns; `Infinity` keeps the line whole. */
  readonly columns: number;
  /** Number of blanks before every line but the first. @default 0 */
  readonly indent?: number;
}

/** Breaks a line at blanks so that it fits the terminal; a wide letter takes two columns. */
export function wrapText(text: string, { columns, indent = 0 }: WrapTextOptions): string {
  return breakLine(text, { columns, indent, widthOf: stringWidth });
}
