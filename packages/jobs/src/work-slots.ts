/** How many commands a worker runs at a time, over all its stores. */

import PQueue from "p-queue";

/** What is waited for comes first: stock and prices before products. */
const PRIORITIES = { sync: 1, apply: 0 } as const;

/** Kinds of work that workers do. */
export const WORK_KINDS = ["sync", "apply"] as const;

export type WorkKind = (typeof WORK_KINDS)[number];

/** Takes a free place for some work, as soon as there is one. */
export interface WorkSlots {
  /** Runs the work. Rejects with the reason of `stop` where that aborts while the work waits. */
  run<Result>(kind: WorkKind, stop: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

/** Creates `count` places, at least 1. */
export function createWorkSlots(count: number): WorkSlots {
  const queue = new PQueue({ concurrency: count });
  return {
    run: async (kind, stop, work) => {
      // Work under way decides by itself how it stops, so only the wait for a place is given up.
      const waiting = new AbortController();
      const onStop = (): void => waiting.abort(stop.reason);
      stop.addEventListener("abort", onStop, { once: true });
      if (stop.aborted) onStop();
      try {
        return await queue.add(
          async () => {
            stop.removeEventListener("abort", onStop);
            return await work();
          },
          { priority: PRIORITIES[kind], signal: waiting.signal },
        );
      } finally {
        stop.removeEventListener("abort", onStop);
      }
    },
  };
}
