/** Runs a limited number of tasks at a time; a task that is aborted while it waits never runs. */

import pLimit, { type LimitFunction } from "p-limit";

/**
 * Runs a task as soon as fewer tasks than the limit are running; rejects with the reason of
 * `signal` if that aborts before.
 */
export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A gate whose limit can be changed. */
export interface AdjustableGate {
  readonly run: Gate;
  limit(): number;
  /** Sets the maximum number of tasks at a time; tasks that are running go on. */
  setLimit(limit: number): void;
  /** Whether as many tasks are running as may. */
  isFull(): boolean;
}

/** Creates a gate that runs at most `concurrency` tasks at a time. */
export function createGate(concurrency: number): AdjustableGate {
  const limit = pLimit(concurrency);
  return {
    run: createRun(limit),
    limit: () => limit.concurrency,
    setLimit(next) {
      limit.concurrency = next;
    },
    isFull: () => limit.activeCount >= limit.concurrency,
  };
}

function createRun(limit: LimitFunction): Gate {
  return async (task, signal) => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const running = limit(async () => {
      start();
      signal?.throwIfAborted();
      return task();
    });
    // After an abort the caller no longer awaits this promise, so its rejection needs a handler.
    running.catch(() => undefined);
    await untilAborted(started, signal);
    return running;
  };
}

/**
 * Settles as `promise` does, or rejects with the reason of `signal` as soon as that aborts. The
 * work behind the promise goes on after an abort, and its outcome is ignored.
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
