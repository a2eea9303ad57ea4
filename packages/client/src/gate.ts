/** Lets a limited number of tasks run at a time; a task that is aborted while it waits never runs. */

import pLimit from "p-limit";

export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createGate(concurrency: number): Gate {
  const limit = pLimit(concurrency);
  return async (task, signal) => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const running = limit(async () => {
      start();
      signal?.throwIfAborted();
      return task();
    });
    // Whoever stops waiting below no longer hears how it ends.
    running.catch(() => undefined);
    await untilAborted(started, signal);
    return running;
  };
}

/**
 * Settles as `promise` does, or rejects with the reason of `signal` as soon as that aborts. What the
 * promise stands for goes on; how it ends is then nobody's business any more.
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
