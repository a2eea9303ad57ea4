import type { SentRow } from "@catalog/runs";

/** How far a run was applied. */
export interface ApplyProgress {
  /** Pages of the store or product codes are read; rows are sent, and read back. */
  readonly step: "store" | "codes" | "send" | "verify";
  readonly done: number;
  readonly total: number;
  /** The row that was sent last. */
  readonly row?: SentRow | undefined;
}
