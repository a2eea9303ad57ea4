/** Time as an argument, so that no other module reads a clock or sets a timer. */

/** A source of time. Times are milliseconds since 1970-01-01 UTC. */
export interface Clock {
  now(): number;
  /** Resolves `ms` later; rejects with the reason of `signal` as soon as that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) {
      reject(signal.reason);
      return promise;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise;
  },
};
