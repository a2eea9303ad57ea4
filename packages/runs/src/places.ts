/**
 * Places on the way: so many rows may be between their first byte and their answer at a time.
 * Whoever waits for one comes in in the order of asking.
 */

/** One row's place, from the moment at which it enters. */
export interface Place {
  /** Waits until there is room; rejects with the reason of `signal` as soon as that aborts. */
  enter(signal: AbortSignal): Promise<void>;
  /** Gives the place to the next; once, however often it is called. */
  leave(): void;
}

/** Hands out places, of which so many can be entered at a time. */
export function createPlaces(count: number): () => Place {
  let free = count;
  let waiting: readonly (() => void)[] = [];
  const leave = (): void => {
    const [next, ...rest] = waiting;
    waiting = rest;
    if (next === undefined) free += 1;
    else next();
  };
  const wait = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      waiting = waiting.filter((other) => other !== resolve);
      reject(signal.reason);
    };
    waiting = [...waiting, resolve];
    signal.addEventListener("abort", onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", onAbort));
  };

  return () => {
    let isIn = false;
    return {
      async enter(signal) {
        signal.throwIfAborted();
        if (free > 0) free -= 1;
        else await wait(signal);
        isIn = true;
      },
      leave() {
        if (!isIn) return;
        isIn = false;
        leave();
      },
    };
  };
}
