import type { RunCounts } from "../../src/api/index.ts";

export interface SentCount {
  /** Rows that have come to their result. */
  readonly done: number;
  /** Rows that were sent or wait to be; a plan does not know what a person has decided since. */
  readonly total: number;
}

/** How many of the rows that sending is about have come to their result. */
export const countSent = ({ added, updated, rejected, waiting }: RunCounts): SentCount => {
  const done = added + updated + rejected;
  return { done, total: done + waiting };
};
