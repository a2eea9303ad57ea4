/** How many commands a worker runs at a time, over all its stores. */

import PQueue from "p-queue";

/** What is waited for comes first: stock and prices before products. */
const PRIORITIES = { sync: 1, apply: 0 } as const;

/** Kinds of work that workers do. */
export type WorkKind = keyof typeof PRIORITIES;

/** Takes a free place for some work, as soon as there is one. */
export interface WorkSlots {
  /** Number of places for which nothing waits. */
  free(): number;
  /** Runs the work; `undefined` where `stop` aborts while the work waits. */
  run<Result>(
    kind: WorkKind,
    stop: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | undefined>;
}

/** Creates `count` places, at least 1. */
export function createWorkSlots(count: number): WorkSlots {
  const queue = new PQueue({ concurrency: count });
  return {
    free: () => Math.max(0, count - queue.pending - queue.size),
    // Work under way decides by itself how it stops.
    run: async (kind, stop, work) =>
      await queue.add(async () => (stop.aborted ? undefined : await work()), {
        priority: PRIORITIES[kind],
      }),
  };
}
