import type { RunCounts } from "../../src/api/index.ts";
import type { Texts } from "../texts/texts.ts";
import type { Format } from "./format.ts";

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

/** How a sending has ended; one whose rest was given up is not complete. */
export const describeEnd = (
  counts: RunCounts,
  words: Pick<Texts["send"], "finished" | "givenUp">,
  format: Pick<Format, "number">,
): string => {
  const { done, total } = countSent(counts);
  const all = total + counts.restCancelled;
  return counts.restCancelled === 0
    ? words.finished
    : words.givenUp(format.number(done), format.number(all));
};
