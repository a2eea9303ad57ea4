/** The cells of a stored row as every result file shows them. */

import { isBlocking, type RowRecord, type RunRecord } from "@catalog/runs";
import { type OutCell, type XlsxRow } from "@catalog/sheets";

/** The cells of the sheet, one for each column that is shown. */
export const inputCells = (columns: readonly number[], { cells }: RowRecord): readonly OutCell[] =>
  columns.map((index) => withoutNoise(cells[index] ?? null));

/** Spreadsheet programs show 15 digits; what stands behind them is binary noise. */
const withoutNoise = (cell: OutCell): OutCell =>
  typeof cell === "number" ? Number(cell.toPrecision(15)) : cell;

type Marked = Exclude<XlsxRow, readonly OutCell[]>;

/** Notes and colours on the cells that are wrong, by where their columns are shown. */
export function cellMarks(
  columns: readonly number[],
  { lang }: RunRecord,
  { issues }: RowRecord,
): Pick<Marked, "notes" | "fills"> {
  const notes: Record<number, string> = {};
  const fills: Record<number, "error" | "warning"> = {};
  for (const issue of issues) {
    const index = columns.indexOf(columnIndexOf(issue.cell) ?? -1);
    if (index < 0) continue;
    const lines = [notes[index], issue.message[lang], issue.suggestion?.[lang]];
    notes[index] = lines.filter((line) => line !== undefined).join("\n");
    fills[index] = isBlocking(issue) || fills[index] === "error" ? "error" : "warning";
  }
  return { notes, fills };
}

/** Column of an address such as `F12`, from 0. */
function columnIndexOf(cell: string): number | undefined {
  const letters = /^[A-Z]+/u.exec(cell)?.[0];
  if (letters === undefined) return undefined;
  const index = Array.from(letters).reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
  return index - 1;
}

/** One line each; what is said twice is written once. */
export const toLines = (texts: readonly (string | undefined)[]): string | null =>
  [...new Set(texts.filter((text) => text !== undefined && text !== ""))].join("\n") || null;
