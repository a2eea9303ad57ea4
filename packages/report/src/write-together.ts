/** Passes one reading of items to several writers, at the pace of the slowest. */

/** Consumes items as it writes them; the other writers wait for it. */
export type Writer<Item> = (items: AsyncGenerator<Item, void>) => Promise<unknown>;

/**
 * Runs all writers concurrently on one reading of `batches`. A batch is read once every writer has
 * taken the one before it or has ended. Rejects with the first error after all have ended: an error
 * of the reading, which every writer receives, or an error of a writer, which does not stop the
 * others.
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
  /** Ends this reader's part; the others no longer wait for it. */
  leave(): void;
}

type ItemBatch<Item> = IteratorResult<readonly Item[], unknown>;

/** A reading for a fixed number of readers, each of which joins once. */
function createReading<Item>(
  batches: AsyncIterable<readonly Item[]>,
  count: number,
): { join(): Reader<Item> } {
  const source = batches[Symbol.asyncIterator]();
  let readers = count;
  let asking = 0;
  let next = Promise.withResolvers<ItemBatch<Item>>();

  const readOn = (): void => {
    if (readers === 0 || asking < readers) return;
    const { resolve } = next;
    asking = 0;
    next = Promise.withResolvers();
    resolve(source.next());
  };

  return {
    join() {
      let asked: Promise<ItemBatch<Item>> | undefined;
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
