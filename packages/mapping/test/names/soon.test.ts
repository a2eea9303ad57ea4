import { describe, expect, it } from "vitest";

import { finishSteps, type Soon, type Steps, waitFor } from "../../src/names/soon.ts";

function* sum(...numbers: readonly Soon<number>[]): Steps<number> {
  let total = 0;
  for (const number of numbers) total += yield* waitFor(number);
  return total;
}

describe("finishSteps", () => {
  it("is done at once where everything is at hand", () => {
    expect(finishSteps(sum(1, 2, 3))).toBe(6);
  });

  it("waits for each value that is on its way", async () => {
    const total = finishSteps(sum(1, Promise.resolve(2), 3, Promise.resolve(4)));

    expect(total).toBeInstanceOf(Promise);
    expect(await total).toBe(10);
  });

  it("rejects with what it waited for", async () => {
    const lost = new Error("no list");

    await expect(finishSteps(sum(1, Promise.reject(lost)))).rejects.toBe(lost);
  });
});
