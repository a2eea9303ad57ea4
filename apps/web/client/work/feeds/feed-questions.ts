/** What a feed leaves open, and whether it may be saved like this. */

import type { FeedColumnView, FeedSampleView } from "../../../src/api/index.ts";

/** Whether a person has to decide on the column, or has done so. */
export const isAsked = ({ question, answer, isUnclear }: FeedColumnView): boolean =>
  question !== null || answer !== null || isUnclear;

/**
 * Number of questions without which a sync would be refused. A field that is missed counts once no
 * column is asked about, as the answer may be that field.
 */
export const countOpen = (
  { columns, encodings, lost, problems }: FeedSampleView,
  dropped: readonly string[],
): number => {
  const questions = columns.filter(({ question }) => question !== null).length;
  const missed = questions > 0 ? [] : lost.filter(({ field }) => !dropped.includes(field));
  const others = [columns.some(({ isUnclear }) => isUnclear), encodings.length > 0];
  return questions + missed.length + problems.length + others.filter(Boolean).length;
};
