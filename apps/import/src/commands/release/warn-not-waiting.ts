/** Warns of rows that `--rows` names and of which none waits for a decision. */

import type { CommandContext } from "../../context.ts";
import { tellWarning } from "../../shared/tell.ts";
import { namesRow, type RowRange } from "./row-list.ts";
import { releaseTexts } from "./texts.ts";

/** Parts of the list that a message names. */
const MAX_NAMED = 20;

export interface NamedRows {
  /** The parts of `--rows`. @default every row is named */
  readonly ranges: readonly RowRange[] | undefined;
  /** Held rows that were read, in the order of the file. */
  readonly held: readonly { readonly row: number }[];
  /** Whether there may be more of them behind the last one. */
  readonly isCut: boolean;
}

/** Names the parts of the list that are passed over, so that a slip is noticed. */
export function warnNotWaiting(
  { terminal, lang }: CommandContext,
  { ranges = [], held, isCut }: NamedRows,
): void {
  const lastRead = isCut ? (held.at(-1)?.row ?? 0) : Number.POSITIVE_INFINITY;
  const passedOver = ranges.filter(
    (range) => range.to <= lastRead && !held.some(({ row }) => namesRow([range])(row)),
  );
  const names = [...new Set(passedOver.map(({ text }) => text))];
  if (names.length === 0) return;
  const shown = [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ["…"] : [])];
  tellWarning({ terminal }, releaseTexts(lang).notWaiting(shown.join(", ")));
}
