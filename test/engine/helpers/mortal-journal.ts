/** A journal whose process dies at one of its operations. */

import type { MemoryJournal } from "@catalog/database/testing";

/** The operation at which a process dies, and whether that operation takes effect. */
export interface Death {
  /** Counted from 1. */
  readonly at: number;
  readonly when: "before" | "after";
}

/** Thrown by every call of a journal whose process is dead. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

export interface MortalJournal {
  readonly journal: MemoryJournal;
  /** Number of calls so far. */
  readonly operations: number;
  /** Ends the process, so that the rest of it can write nothing more. */
  kill(): void;
}

/** Lets every call after the death throw. @default the process lives */
export function createMortalJournal(living: MemoryJournal, death?: Death): MortalJournal {
  let operations = 0;
  let isOver = false;
  const die = (): never => {
    isOver = true;
    throw new ProcessDied("the process died");
  };
  const call = (work: () => unknown): unknown => {
    operations += 1;
    const isLast = operations === death?.at;
    if (isOver || (isLast && death?.when === "before")) return die();
    const result = work();
    if (!isLast) return result;
    if (!(result instanceof Promise)) return die();
    isOver = true;
    return result.then(die, die);
  };
  const journal = new Proxy(living, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const work = (): unknown => Reflect.apply(member, undefined, args);
        // An asynchronous method rejects, and a synchronous one throws.
        if (name === "beginSending") return call(work);
        return (async () => await call(work))();
      };
    },
  });
  return {
    journal,
    get operations() {
      return operations;
    },
    kill: () => void (isOver = true),
  };
}
