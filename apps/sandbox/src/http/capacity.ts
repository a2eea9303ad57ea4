/**
 * Lets a number of calls in at a time, as a server with so many workers does; the others wait in the
 * order of their arrival.
 */

export interface Capacity {
  /**
   * Waits for a free place and returns a function that gives it back; a second call of it does
   * nothing. Rejects with the reason of the signal when it aborts before the place is free.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Creates places for this number of calls; `Infinity` lets every call in at once. */
export function createCapacity(places: number): Capacity {
  /** Waiting calls, oldest first; each is called with the place that became free. */
  const waiting = new Set<() => void>();
  let free = places;

  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  const takePlace = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return takePlace();
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const leave = (): void => {
        waiting.delete(come);
        reject(signal.reason);
      };
      const come = (): void => {
        waiting.delete(come);
        signal.removeEventListener("abort", leave);
        resolve(takePlace());
      };
      waiting.add(come);
      signal.addEventListener("abort", leave, { once: true });
      return promise;
    },
  };
}
