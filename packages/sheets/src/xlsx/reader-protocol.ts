/** What the process that reads workbooks is told, and what it says. */

import { type CellTrait, type CellValue, type SheetRow } from "../cell.ts";
import { type ReadLimits } from "../limits.ts";
import { type SheetErrorCode, type SheetErrorDetails } from "../sheet-error.ts";
import { type MetaLines } from "./meta-sheet.ts";
import { type SheetFacts } from "./sheet-facts.ts";

/** Its one argument, as JSON. The file itself is its standard input. */
export interface ReaderOrder {
  readonly file: string;
  readonly sheet?: string;
  /** How many filled rows may be in the sheet, those above the data included. */
  readonly maxRows: number;
  readonly limits: ReadLimits;
}

/** Where it writes its `ReaderOutcome`, as JSON. */
export const OUTCOME_FD = 3;
/** An open file for the rows, one a line: nobody has to read along. */
export const ROWS_FD = 4;
/** An open file for what it cannot keep in memory. */
export const STRINGS_FD = 5;

export type ReaderOutcome =
  | {
      readonly ok: true;
      readonly sheet: string;
      readonly facts: SheetFacts;
      /** Left out where there is none. */
      readonly meta?: MetaLines;
    }
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
