/** What the process that reads workbooks is told, and what it says. */

import { type ReadLimits } from "../../../limits.ts";
import { type SheetErrorCode, type SheetErrorDetails } from "../../../sheet-error.ts";
import { type MetaLines } from "../../meta-sheet.ts";
import { type SheetFacts } from "../sheet-facts.ts";

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
/** An open file for the rows, one frame after another: nobody has to read along. */
export const ROWS_FD = 4;
/** An open file for what it cannot keep in memory. */
export const STRINGS_FD = 5;

export type ReaderOutcome =
  | {
      readonly ok: true;
      readonly sheet: string;
      readonly facts: SheetFacts;
      /** The number formats that the rows name by number, from 1. */
      readonly formats: readonly string[];
      /** Left out where there is none. */
      readonly meta?: MetaLines;
    }
  | { readonly ok: false; readonly code: SheetErrorCode; readonly details: SheetErrorDetails };
