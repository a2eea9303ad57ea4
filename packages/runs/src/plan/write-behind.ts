/** Writes that go on beside their caller, where a database answers later. One is under way at a time. */

export interface WriteBehind extends AsyncDisposable {
  /**
   * Starts a write once those before have ended, also where several callers start theirs at once;
   * rejects where one of those failed.
   */
  start(write: () => Promise<void>): Promise<void>;
  /** Waits for the last write; rejects where it failed. */
  end(): Promise<void>;
}

/** Disposing of it waits for the last write, too, but ignores its error. */
export function createWriteBehind(): WriteBehind {
  let last = Promise.resolve();
  return {
    async start(write) {
      const before = last;
      last = before.then(write);
      // The next call gets the rejection; meanwhile it must not count as unhandled.
      last.catch(() => undefined);
      await before;
    },
    end: () => last,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([last]);
    },
  };
}
