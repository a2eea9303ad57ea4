import type { RowKey } from "./row-record.ts";
import type { RowState } from "./row-state.ts";

/** One move of a row, or one lookup, which moves nothing. */
export interface RowEvent extends RowKey {
  /** Later events have higher numbers. */
  readonly seq: number;
  readonly from: RowState;
  readonly to: RowState;
  /** The rule that decided. */
  readonly cause: string;
  /** What the rule used: wire phase, status, start of the answer, ids found, server time. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}
