import { describe, expect, it } from "vitest";

import { readPriceChanges } from "../../src/report-page/price-changes.ts";
import { storeRun } from "../helpers/stored-run.ts";
import { createWorkplace } from "../helpers/workplace.ts";

async function read(prices: readonly (readonly [unknown, number] | undefined)[]) {
  const { toolkit } = await createWorkplace();
  const rows = prices.map((pair, index) => ({
    cells: [`KOD-${index}`],
    state: "held" as const,
    changes:
      pair === undefined
        ? [{ field: "title", old: "a", new: "b" }]
        : [{ field: "price", old: pair[0], new: pair[1] }],
  }));
  return readPriceChanges(toolkit, await storeRun(toolkit, { header: ["Kod"], rows }));
}

describe("readPriceChanges", () => {
  it("has the biggest first, whether dearer or cheaper", async () => {
    const { changes, total, unseen } = await read([
      [1000, 1100],
      [1000, 100_000],
      undefined,
      [1000, 5],
    ]);

    expect(changes.map(({ code, percent }) => [code, Math.round(percent)])).toEqual([
      ["KOD-3", -99],
      ["KOD-1", 9900],
      ["KOD-0", 10],
    ]);
    expect([total, unseen]).toEqual([3, 0]);
  });

  it("counts a price that nobody has seen, and compares it with nothing", async () => {
    expect(await read([[undefined, 500]])).toEqual({ changes: [], total: 0, unseen: 1 });
  });

  it("keeps so many that a browser can draw them, and counts all", async () => {
    const { changes, total } = await read(
      Array.from({ length: 4500 }, (_, index) => [1000, 1001 + index] as const),
    );

    expect(total).toBe(4500);
    expect(changes).toHaveLength(2000);
    expect(changes[0]?.newMinor).toBe(5500);
    expect(changes.at(-1)?.newMinor).toBe(3501);
  });
});
