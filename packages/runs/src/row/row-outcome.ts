/** How a row begins to be sent, and how that ends. */

import { type ProductId } from "@catalog/contract";

import { type Cause } from "./cause.ts";
import { type RowIssue } from "./issue.ts";
import { type FieldChange } from "./row-decision.ts";
import { type RowKey } from "./row-record.ts";
import { type RowState } from "./row-state.ts";

/** A row that is about to be sent. */
export interface Beginning extends RowKey {
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

/** A row that is written down as being sent by this process, and which of its attempts that is. */
export interface Claim extends RowKey {
  /** Counted from 1. */
  readonly attempt: number;
}

/** A row, and where it matters which of its attempts is meant. */
export interface Attempted extends RowKey {
  /** Counted from 1. @default the latest */
  readonly attempt?: number | undefined;
}

/** How a row's request ended, or why it moved without one. */
export interface Settlement {
  readonly to: RowState;
  /** Which rule decided, for the evidence: `answer`, `unsent`, `lookup`, `recovery`, … */
  readonly cause: Cause;
  /** @default as it was */
  readonly productId?: ProductId | undefined;
  /** @default as it was */
  readonly note?: string | undefined;
  /** @default as they were */
  readonly issues?: readonly RowIssue[] | undefined;
  /** What the row changes, from what the store shows by now. @default as they were */
  readonly changes?: readonly FieldChange[] | undefined;
  /** The request may have left a product all the same, so that its code stays taken. @default false */
  readonly keepsCode?: boolean | undefined;
  /** How far the request got, the answer's status, and whatever else explains the decision. */
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}
