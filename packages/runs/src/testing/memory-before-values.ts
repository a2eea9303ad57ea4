/** The before-value log of a memory journal. */

import type { BeforeValueLog } from "../verify/verification.ts";
import { type MemoryContext, toKey } from "./memory.ts";

export function createMemoryBeforeValues({
  memory: { before },
  step,
}: MemoryContext): BeforeValueLog {
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
