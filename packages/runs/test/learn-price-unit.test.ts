import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type KnownPriceUnit,
  learnPriceUnit,
  type LearntPriceUnit,
} from "../src/learn-price-unit.ts";
import { createMemoryJournal } from "../src/testing.ts";
import { codeKey, onShelf, price, RUN } from "./helpers/products.ts";
import { candidate, parsedRow } from "./helpers/rows.ts";

/** A price of the sheet in minor units, and what the listing shows for it. */
type Pair = readonly [wanted: number, shown: number];

async function learn(pairs: readonly Pair[], known: KnownPriceUnit = {}): Promise<LearntPriceUnit> {
  const journal = createMemoryJournal();
  await journal.appendRows(
    RUN,
    pairs.map((_, n) => parsedRow(n + 2, `A${n}`)),
  );
  await journal.saveSeen(
    pairs.map(([, shown], n) => {
      const { product } = onShelf(`p${n}`, `A${n}`, { price: shown });
      return { codeKey: codeKey(`A${n}`), status: "approved", product };
    }),
  );
  return await learnPriceUnit({
    runId: RUN,
    journal,
    known,
    toDraft: async ({ row }) =>
      candidate(row, `A${row - 2}`, { changes: { price: price(pairs[row - 2]?.[0] ?? 1) } }),
  });
}

const repeat = (count: number, toPair: (n: number) => Pair): readonly Pair[] =>
  Array.from({ length: count }, (_, n) => toPair(n));

const minor = (n: number): Pair => [1_990 + n, 1_990 + n];
const major = (n: number): Pair => [1_990 + n, (1_990 + n) / 100];
const other = (n: number): Pair => [1_990 + n, 777];

describe("learnPriceUnit", () => {
  it.each([
    ["20 prices that are equal", repeat(20, minor), "minor", "sheet"],
    ["20 prices that are equal once multiplied", repeat(20, major), "major", "sheet"],
    ["19 prices that are equal", repeat(19, minor), "unknown", "nothing"],
    [
      "20 equal ones among changed ones",
      [...repeat(300, other), ...repeat(20, minor)],
      "minor",
      "sheet",
    ],
    ["equal ones in both units", [...repeat(1, major), ...repeat(30, minor)], "unknown", "nothing"],
    ["nothing", [], "unknown", "nothing"],
  ] as const)("makes of %s what they prove", async (...[, pairs, unit, by]) => {
    expect(await learn(pairs)).toEqual({ unit, by });
  });

  it("believes a person first, then an earlier run, then the sheet", async () => {
    const pairs = repeat(20, minor);

    expect(await learn(pairs, { set: "major", remembered: "minor" })).toEqual({
      unit: "major",
      by: "set",
    });
    expect(await learn(pairs, { remembered: "major" })).toEqual({
      unit: "major",
      by: "remembered",
    });
  });

  it("never names a unit that some pair contradicts while another fits", async () => {
    const amounts = fc.array(fc.tuple(fc.integer({ min: 1, max: 1e7 }), fc.boolean()), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(amounts, async (rows) => {
        const pairs = rows.map(([wanted, isMinor]): Pair => [
          wanted,
          isMinor ? wanted : wanted / 100,
        ]);
        const minors = rows.filter(([, isMinor]) => isMinor).length;
        const { unit } = await learn(pairs);
        const expected =
          minors === rows.length && minors >= 20
            ? "minor"
            : minors === 0 && rows.length >= 20
              ? "major"
              : "unknown";
        expect(unit).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });
});
