/** A row as the journal keeps it. */

import type { ProductId } from "@catalog/contract";

import type { WriteAction } from "./counts.ts";
import type { RowIssue } from "./issue.ts";
import type { FieldChange, Payload } from "./row-decision.ts";
import type { RowState } from "./row-state.ts";
import type { ParsedRow } from "./source-row.ts";

/** A row of a run, or of another run of the same store. */
export interface RowKey {
  readonly runId: string;
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
}

/** A row with its values, decision and state. */
export interface RowRecord extends ParsedRow {
  readonly state: RowState;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  readonly payload: Payload | null;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /** Requests that were started for the row, including those that proved unsent. */
  readonly attempts: number;
  /** The marketplace's text, or the reason for the state, where there is one. */
  readonly note: string | null;
  readonly updatedAtMs: number;
}
