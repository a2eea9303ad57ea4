import { describe, expect, it } from "vitest";

import { CELLS, expectedOf, OPERATIONS, tryCells } from "./try-cell.ts";

/** All writes, and every third of the other calls; the soak tests play all. */
const SAMPLE = CELLS.filter(
  ({ operation }, at) => operation === "add" || operation === "update" || at % 3 === 0,
);

describe("a call through a network fault", () => {
  it("is reported as done, unsent or unknown, and never wrongly", async () => {
    expect(await tryCells(SAMPLE)).toEqual([]);
  });
});

describe("the matrix of faults", () => {
  it("has every operation under every fault", () => {
    const perOperation = Object.groupBy(CELLS, ({ operation }) => operation);

    expect(CELLS).toHaveLength(OPERATIONS.length * 41);
    for (const operation of OPERATIONS) expect(perOperation[operation]).toHaveLength(41);
  });

  it("never expects an add that succeeded to be sent again", () => {
    for (const cell of CELLS) expect(expectedOf(cell)).not.toContain("unsent, applied");
  });
});
