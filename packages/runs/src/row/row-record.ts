/** A row as the journal knows it. */

import { type ProductId } from "@catalog/contract";

import { type WriteAction } from "./counts.ts";
import { type RowIssue } from "./issue.ts";
import { type FieldChange, type Payload } from "./row-decision.ts";
import { type RowState } from "./row-state.ts";
import { type ParsedRow } from "./source-row.ts";

/** A row of a run, or of another run of the same store. */
export interface RowKey {
  readonly runId: string;
  /** As the spreadsheet program shows it. */
  readonly row: number;
}

/** A row with all that is known of it. */
export interface RowRecord extends ParsedRow {
  readonly state: RowState;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  readonly payload: Payload | null;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /** Requests that were begun for the row; one that was taken back counts, though it never left. */
  readonly attempts: number;
  /** The marketplace's words or the reason for the state, when there is one. */
  readonly note: string | null;
  readonly updatedAtMs: number;
}
