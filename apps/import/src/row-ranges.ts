/** Rows of a run that a person names, such as `3,7-9`. */

import { UsageError } from "@catalog/console";
import { parseRowAddress, type RunSheets } from "@catalog/runs";

/** Signs of one part of the list; a quoted name of a sheet may hold a comma. */
const PART = /(?:'[^']*'|[^,])+/gu;

/** A part of the list; a row that is given singly is its first and its last one. */
export interface RowRange {
  /** As it was typed. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the parts of a list. Throws `UsageError` for an invalid text. */
export function parseRowRanges(text: string, file: RunSheets = {}): readonly RowRange[] {
  const parts = text.split(",").every((part) => part.trim() !== "") ? text.match(PART) : null;
  return (parts ?? [""]).map((part) => {
    const { first, last } = toEnds(part);
    const from = parseRowAddress(file, first);
    const to = last === undefined ? from : toLast(first, last, file);
    if (from !== undefined && to !== undefined && to >= from)
      return { text: part.trim(), from, to };
    throw new UsageError({
      tr: `--rows "${text}" anlaşılamadı. Satır numaralarını şöyle verin: 3,7-9`,
      en: `--rows "${text}" is not understood. Give row numbers like this: 3,7-9`,
    });
  });
}

/** Creates a test for the named rows; without any every row is named. */
export const namesRow =
  (ranges: readonly RowRange[] | undefined) =>
  (row: number): boolean =>
    ranges === undefined || ranges.some(({ from, to }) => row >= from && row <= to);

/** The first row of a part of the list and its last one, which only a range has. */
function toEnds(part: string): { readonly first: string; readonly last: string | undefined } {
  const dash = part.lastIndexOf("-");
  const [first, last] = [part.slice(0, dash).trim(), part.slice(dash + 1).trim()];
  const isRange = dash > 0 && /\d$/u.test(first) && /^\d+$/u.test(last);
  return isRange ? { first, last } : { first: part.trim(), last: undefined };
}

/** The last row of a range is in the sheet of its first one. */
const toLast = (first: string, last: string, file: RunSheets): number =>
  parseRowAddress(file, first.replace(/(?<!\d)\d+$/u, last)) ?? 0;
