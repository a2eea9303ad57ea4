/** The before-value log of a memory journal. */

import { type BeforeBook } from "../ports/before-value-log.ts";
import { type MemoryRoom, toKey } from "./memory.ts";

export function createMemoryBefore({ memory: { before }, step }: MemoryRoom): BeforeBook {
  return {
    async saveBefore(runId, values) {
      step(() => {
        for (const { row, product } of values) before.set(toKey({ runId, row }), product);
      });
    },
    async readBefore(runId, rows) {
      return step(
        () =>
          new Map(
            rows.flatMap((row) => {
              const product = before.get(toKey({ runId, row }));
              return product === undefined ? [] : [[row, product] as const];
            }),
          ),
      );
    },
  };
}
