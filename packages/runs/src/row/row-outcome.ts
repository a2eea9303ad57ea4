/** The start of a row's request, and its outcome. */

import type { ProductId } from "@catalog/contract";

import type { Cause } from "./cause.ts";
import type { RowIssue } from "./issue.ts";
import type { FieldChange } from "./row-decision.ts";
import type { RowKey } from "./row-record.ts";
import type { RowState } from "./row-state.ts";

/** A row that is about to be sent. */
export interface StartOfSend extends RowKey {
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

/** A row that this process has moved to `sending`, and the number of that attempt. */
export interface Claim extends RowKey {
  /** Counted from 1. */
  readonly attempt: number;
}

/** A row, and its attempt where that matters. */
export interface AttemptedRow extends RowKey {
  /** Counted from 1. @default the latest */
  readonly attempt?: number | undefined;
}

/** The outcome of a row's request, or a move that no request caused. */
export interface RowOutcome {
  readonly to: RowState;
  /** The rule that decided, for the evidence: `answer`, `unsent`, `lookup`, `recovery`, … */
  readonly cause: Cause;
  /** @default unchanged */
  readonly productId?: ProductId | undefined;
  /** @default unchanged */
  readonly note?: string | undefined;
  /** @default unchanged */
  readonly issues?: readonly RowIssue[] | undefined;
  /** Changes of the row against what the store shows now. @default unchanged */
  readonly changes?: readonly FieldChange[] | undefined;
  /** The request may have left a product, so its code stays taken. @default false */
  readonly keepsCode?: boolean | undefined;
  /** Wire phase, status of the answer and whatever else explains the decision. */
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}
