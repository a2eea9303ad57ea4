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

export interface Places {
  /** How many wait for a place. While anybody does, all places are taken. */
  readonly waiting: number;
  create(): Place;
}

export interface PlacesOptions {
  readonly count: number;
  /** Called when fewer wait than before, or none. */
  readonly onFewer: () => void;
}

/** Hands out places, of which so many can be entered at a time. */
export function createPlaces({ count, onFewer }: PlacesOptions): Places {
  let free = count;
  let waiting: readonly (() => void)[] = [];
  const leave = (): void => {
    const [next, ...rest] = waiting;
    waiting = rest;
    if (next === undefined) free += 1;
    else next();
    onFewer();
  };
  const wait = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      waiting = waiting.filter((other) => other !== resolve);
      reject(signal.reason);
      onFewer();
    };
    waiting = [...waiting, resolve];
    signal.addEventListener("abort", onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", onAbort));
  };

  return {
    get waiting() {
      return waiting.length;
    },
    create() {
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
    },
  };
}
