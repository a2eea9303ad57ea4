/** Values outside of React that components subscribe to, and what a person has not saved yet. */

import { useSyncExternalStore } from "react";

export interface ExternalValue<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls the listener after each change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Creates a value; setting the same value again notifies nobody. */
export const createExternalValue = <Value>(initial: Value): ExternalValue<Value> => {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useExternal = <Value>(value: ExternalValue<Value>): Value =>
  useSyncExternalStore(value.subscribe, value.get);

interface Unsaved {
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

export const unsaved: Unsaved = createUnsaved();
