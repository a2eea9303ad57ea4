/** Gives what is read once to several writers, as fast as the slowest of them takes it. */

/** Takes items as it writes them; the others wait for it. */
export type Writer<Item> = (items: AsyncGenerator<Item, void>) => Promise<unknown>;

/**
 * Runs all writers at the same time on one reading of `batches`. A batch is read once every writer
 * has taken the one before it, or has ended. Rejects with the first error once all have ended: the
 * reading's own, which every writer gets, or that of a writer, which stops no other one.
 */
export async function writeTogether<Item>(
  batches: AsyncIterable<readonly Item[]>,
  writers: readonly Writer<Item>[],
): Promise<void> {
  const reading = createReading(batches, writers.length);
  const ends = await Promise.allSettled(
    writers.map(async (write) => {
      const reader = reading.join();
      try {
        await write(reader.items());
      } finally {
        reader.leave();
      }
    }),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

interface Reader<Item> {
  items(): AsyncGenerator<Item, void>;
  /** It takes no more, and the others wait for it no longer. */
  leave(): void;
}

type Batch<Item> = IteratorResult<readonly Item[], unknown>;

/** A reading of so many readers, each of which joins once. */
function createReading<Item>(
  batches: AsyncIterable<readonly Item[]>,
  count: number,
): { join(): Reader<Item> } {
  const source = batches[Symbol.asyncIterator]();
  let readers = count;
  let asking = 0;
  let next = Promise.withResolvers<Batch<Item>>();

  const readOn = (): void => {
    if (readers === 0 || asking < readers) return;
    const { resolve } = next;
    asking = 0;
    next = Promise.withResolvers();
    resolve(source.next());
  };

  return {
    join() {
      let asked: Promise<Batch<Item>> | undefined;
      return {
        async *items() {
          for (;;) {
            asked = next.promise;
            asking += 1;
            readOn();
            const batch = await asked;
            if (batch.done === true) return;
            yield* batch.value;
          }
        },
        leave() {
          readers -= 1;
          if (asked === next.promise) asking -= 1;
          readOn();
        },
      };
    },
  };
}
