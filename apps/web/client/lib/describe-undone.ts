import type { UndoneView } from "../../src/api/index.ts";

/** Words for a run that another one has undone, as a whole or in part. */
interface UndoneWords {
  readonly undone: string;
  readonly undonePartly: (restored: number, sent: number) => string;
}

/** Says how much of a run was undone. */
export const describeUndone = (
  { restored, sent, isPartial }: UndoneView,
  words: UndoneWords,
): string => (isPartial ? words.undonePartly(restored, sent) : words.undone);
