import { describe, expect, it } from "vitest";

import { noSteps, runSteps, type Steps } from "../../src/sql/database.ts";
import { MAX_VALUES, readInBatches } from "../../src/sql/queries.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Runs steps that yield no statement. */
const run = <Result>(steps: Steps<Result>): Result =>
  runSteps(steps, () => {
    throw new Error("no statement was expected");
  });

describe("readInBatches", () => {
  it("queries each value once, however often it is given", () => {
    for (const count of [1, 2, 3, 5, 511, 512, 513, 1_500]) {
      const asked = run(
        readInBatches([...upTo(count), ...upTo(count)], (batch) => noSteps([...new Set(batch)])),
      );

      expect(asked).toEqual(upTo(count));
    }
  });

  it("uses few lengths of list, so that few statements are cached", () => {
    const lengths = new Set<number>();

    for (const count of upTo(2_000)) {
      run(
        readInBatches(upTo(count), (batch) => {
          lengths.add(batch.length);
          return noSteps([]);
        }),
      );
    }

    expect([...lengths].toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(Math.max(...lengths)).toBe(MAX_VALUES);
  });

  it("runs no query for an empty list", () => {
    const batches: unknown[] = [];

    run(
      readInBatches([], (batch) => {
        batches.push(batch);
        return noSteps([]);
      }),
    );

    expect(batches).toEqual([]);
  });
});
