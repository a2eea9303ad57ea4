/** Writes that are made one after the other while their caller goes on. */
export interface LaterWrites {
  /** Makes a write once those before it have ended, however they did. */
  add(write: () => Promise<void>): void;
  /** Resolves when all writes have ended. */
  ended(): Promise<void>;
  /** Throws the first error of a write since the last call. */
  throwError(): void;
}

export function createLaterWrites(): LaterWrites {
  let last = Promise.resolve();
  let failed: { readonly error: unknown } | undefined;
  const make = async (write: () => Promise<void>, before: Promise<void>): Promise<void> => {
    await before;
    try {
      await write();
    } catch (error) {
      failed ??= { error };
    }
  };
  return {
    add(write) {
      last = make(write, last);
    },
    ended: () => last,
    throwError() {
      const thrown = failed;
      failed = undefined;
      if (thrown !== undefined) throw thrown.error;
    },
  };
}
