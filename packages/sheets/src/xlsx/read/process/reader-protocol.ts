/** The protocol of the process that reads workbooks. */

import type { ReadLimits } from "../../../limits.ts";
import type { SheetErrorCode, SheetErrorDetails } from "../../../sheet-error.ts";
import type { MetaLines } from "../../meta-sheet.ts";
import type { SheetFacts } from "../sheet-facts.ts";

/** The process's only argument, as JSON. Its standard input is the file. */
export interface ReaderOrder {
  readonly file: string;
  readonly sheet?: string;
  /** Whether no rows are read, and every sheet is given as left out. */
  readonly isList?: boolean;
  /** Maximum number of filled rows in the sheet, those above the data included. */
  readonly maxRows: number;
  readonly limits: ReadLimits;
}

/** File descriptor for its `ReaderOutcome`, as JSON. */
export const OUTCOME_FD = 3;
/**
 * File descriptor for the rows, one frame after another; an ordinary file, so it need not be read
 * at the same time.
 */
export const ROWS_FD = 4;
/** File descriptor of an open file for what does not fit into memory. */
export const STRINGS_FD = 5;

export type ReaderOutcome =
  | {
      readonly ok: true;
      readonly sheet: string;
      readonly facts: SheetFacts;
      /** The number formats that rows name by number, from 1. */
      readonly formats: readonly string[];
      /** Left out where there is none. */
      readonly meta?: MetaLines;
    }
  | { readonly ok: false; readonly code: SheetErrorCode; readonly details: SheetErrorDetails };
