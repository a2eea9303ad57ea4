/** Writes that go on beside their caller, where a database answers later. One is under way at a time. */

export interface WriteBehind extends AsyncDisposable {
  /** Starts a write once the one before has ended; rejects where that one failed. */
  start(write: () => Promise<void>): Promise<void>;
  /** Waits for the last write; rejects where it failed. */
  end(): Promise<void>;
}

/** Disposing of it waits for the last write, too, but ignores its error. */
export function createWriteBehind(): WriteBehind {
  let last = Promise.resolve();
  return {
    async start(write) {
      await last;
      last = write();
      // The next call gets the rejection; meanwhile it must not count as unhandled.
      last.catch(() => undefined);
    },
    end: () => last,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([last]);
    },
  };
}
