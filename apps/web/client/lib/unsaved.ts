/** What a person has changed and the server has not confirmed yet. */

import { createExternalValue, type ExternalValue } from "./external-value.ts";

export interface Unsaved {
  /** Number of things that are changed; one that was changed several times counts once. */
  readonly count: ExternalValue<number>;
  /** Counts the things as unsaved until the returned function is called. */
  readonly hold: (things: readonly unknown[]) => () => void;
}

export const createUnsaved = (): Unsaved => {
  const count = createExternalValue(0);
  /** How many open changes each thing has. */
  const open = new Map<unknown, number>();
  const add = (thing: unknown, by: number): void => {
    const changes = (open.get(thing) ?? 0) + by;
    if (changes > 0) open.set(thing, changes);
    else open.delete(thing);
  };
  return {
    count,
    hold: (things) => {
      for (const thing of things) add(thing, 1);
      count.set(open.size);
      return () => {
        for (const thing of things) add(thing, -1);
        count.set(open.size);
      };
    },
  };
};

/** The changes of this tab. */
export const unsaved: Unsaved = createUnsaved();
