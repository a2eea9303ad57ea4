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

/** A text as long as the cell is in this format, whose separators and words take room. */
export function toShown(cell: OutCell, format = ""): OutCell {
  if (typeof cell !== "number" || !/[0#]/u.test(format)) return cell;
  const positive = format.split(";", 1).join("");
  const decimals = /\.(0+)/u.exec(positive)?.at(1) ?? "";
  const number = cell.toFixed(Math.min(decimals.length, MAX_DECIMALS));
  const separators = positive.includes(",")
    ? Math.floor(Math.trunc(cell).toString().length / 3)
    : 0;
  const words = positive.replaceAll(/[0#?.,"\\]|\[[^\]]{0,40}\]/gu, "");
  return "0".repeat(number.length + separators + words.length);
}

/** Excel's maximum. */
const MAX_DECIMALS = 30;

/** Height of a line, and the largest height that Excel gives a row, in points. */
const [LINE_HEIGHT, MAX_HEIGHT] = [15, 409];

/** Height of a row with so many lines, in points; `undefined` for the usual height. */
export const toHeight = (lines: number): number | undefined =>
  lines <= 1 ? undefined : Math.min(MAX_HEIGHT, lines * LINE_HEIGHT);
