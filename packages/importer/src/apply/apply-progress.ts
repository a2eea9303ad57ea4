import type { SentRow } from "@catalog/runs";

/** How far a run was applied. */
export type ApplyProgress = CountedProgress | RecheckProgress;

/** What is known of the rows is read again, and open rows are reconciled, before rows are sent. */
interface RecheckProgress {
  readonly step: "recheck";
  readonly done: 0;
  readonly total?: undefined;
  readonly row?: undefined;
}

interface CountedProgress {
  /** Pages of the store or product codes are read; rows are sent, and read back. */
  readonly step: "store" | "codes" | "send" | "verify";
  readonly done: number;
  readonly total: number;
  /** The row that was sent last. */
  readonly row?: SentRow | undefined;
}
