/** How much room texts take in the cells of a sheet. */

import type { OutCell } from "../../out-cell.ts";

/** Number of first rows that a width is measured by. */
export const MEASURED_ROWS = 100;

/** Widths, in characters of the usual font. */
export const MIN_WIDTH = 8;
const MAX_WIDTH = 40;
/** Room for the button of the filter beside a header, and for the edges of a cell. */
const [HEADER_ROOM, CELL_ROOM] = [4, 2];

/** Width of a column that has this header and begins with these cells. */
export function widthOf(header: string, cells: readonly OutCell[]): number {
  const texts = cells.map((cell) => longestLine(String(cell ?? "")) + CELL_ROOM);
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, header.length + HEADER_ROOM, ...texts));
}

const longestLine = (text: string): number =>
  text.includes("\n") ? Math.max(...text.split("\n").map(({ length }) => length)) : text.length;

/** Share of a line that is filled, as lines break between words. */
const FILLED = 0.9;

/** Number of lines of a text in a column of this width. */
export function countLines(text: string, width: number): number {
  const perLine = Math.max(1, Math.floor(width * FILLED));
  if (text.length <= perLine && !text.includes("\n")) return 1;
  return text
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
}

/** Height of a line, and the largest height that Excel gives a row, in points. */
const [LINE_HEIGHT, MAX_HEIGHT] = [15, 409];

/** Height of a row with so many lines, in points; `undefined` for the usual height. */
export const toHeight = (lines: number): number | undefined =>
  lines <= 1 ? undefined : Math.min(MAX_HEIGHT, lines * LINE_HEIGHT);
