/** What the process that reads XLSX is told, and what it says. */

import { type CellTrait, type CellValue, type SheetRow } from "../cell.ts";
import { type ReadLimits } from "../limits.ts";
import { type SheetErrorCode, type SheetErrorDetails } from "../sheet-error.ts";

/** Its one argument, as JSON. The file itself is its standard input. */
export interface ReaderOrder {
  readonly file: string;
  readonly sheet?: string;
  /** How many filled rows may be in the sheet, those above the data included. */
  readonly maxRows: number;
  readonly limits: ReadLimits;
}

/** Where it writes its `ReaderOutcome`, as JSON. The rows go to standard output, one a line. */
export const OUTCOME_FD = 3;

export type ReaderOutcome =
  | { readonly ok: true; readonly sheet: string }
  | { readonly ok: false; readonly code: SheetErrorCode; readonly details: SheetErrorDetails };

type RowLine = readonly [
  row: number,
  cells: readonly CellValue[],
  traits?: Readonly<Record<number, CellTrait>>,
];

/** One row as a line of text, with its line end. */
export function formatRowLine({ row, cells, traits }: SheetRow): string {
  const line: RowLine = traits === undefined ? [row, cells] : [row, cells, traits];
  return `${JSON.stringify(line)}\n`;
}

/** A line that `formatRowLine` made, without its line end. */
export function parseRowLine(line: string): SheetRow {
  const [row, cells, traits]: RowLine = JSON.parse(line);
  return traits === undefined ? { row, cells } : { row, cells, traits };
}
