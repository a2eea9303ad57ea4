import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  askForUnit,
  type AskPriceUnit,
  calibratePriceUnit,
  createUnitQuestion,
  type KnownPriceUnit,
  type PriceUnit,
  type PriceUnitFacts,
  readKnownUnit,
} from "../../src/plan/price-unit.ts";
import type { PriceEvidence } from "../../src/ports/journal.ts";
import { codeKey, listed, toAdd } from "../../src/testing/rows.ts";
import { createRowStub } from "../helpers/row-stub.ts";

const CASES: readonly (readonly [
  name: string,
  evidence: readonly PriceEvidence[],
  expected: PriceUnit,
])[] = [
  ["no evidence", [], "unknown"],
  ["a price shown as it was sent", [{ sent: 1990, seen: 1990 }], "minor"],
  ["a price shown in whole currency", [{ sent: 1990, seen: 19.9 }], "major"],
  ["a price that no unit explains", [{ sent: 1990, seen: 25 }], "unknown"],
  [
    "one price that was changed since and one that was not",
    [
      { sent: 1990, seen: 2500 },
      { sent: 500, seen: 500 },
    ],
    "minor",
  ],
  [
    "pairs for both units",
    [
      { sent: 1990, seen: 1990 },
      { sent: 500, seen: 5 },
    ],
    "unknown",
  ],
  [
    "more pairs for whole currency than for minor units",
    [
      { sent: 1990, seen: 1990 },
      { sent: 700, seen: 7 },
      { sent: 500, seen: 5 },
    ],
    "unknown",
  ],
  [
    "more pairs for minor units than for whole currency",
    [
      { sent: 1990, seen: 1990 },
      { sent: 700, seen: 700 },
      { sent: 500, seen: 5 },
    ],
    "unknown",
  ],
  ["a fraction that is not exact in binary", [{ sent: 113, seen: 1.13 }], "major"],
  ["a price of 0, which fits both units", [{ sent: 0, seen: 0 }], "unknown"],
];

describe("calibratePriceUnit", () => {
  for (const [name, evidence, expected] of CASES) {
    it(`returns ${expected} for ${name}`, () => {
      expect(calibratePriceUnit(evidence)).toBe(expected);
    });
  }

  it("finds the unit of every list of prices in one unit", () => {
    const prices = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1 });
    fc.assert(
      fc.property(prices, (all) => {
        expect(calibratePriceUnit(all.map((sent) => ({ sent, seen: sent })))).toBe("minor");
        expect(calibratePriceUnit(all.map((sent) => ({ sent, seen: sent / 100 })))).toBe("major");
      }),
    );
  });
});

/** A price of the sheet in minor units, and the listed price. */
type Pair = readonly [wanted: number, shown: number];

async function learn(
  pairs: readonly Pair[],
  known: KnownPriceUnit = {},
  ask?: AskPriceUnit,
): Promise<PriceUnitFacts> {
  const found = await readKnownUnit({ readPriceEvidence: async () => [] }, known);
  if (found !== undefined) return found;
  const seen = pairs.map(([, shown], n) => {
    const { product } = listed(`p${n}`, `A${n}`, { price: shown });
    return { codeKey: codeKey(`A${n}`), status: "approved", product };
  });
  const rows = createRowStub(pairs.map((_, n) => toAdd(n + 2, `A${n}`)));
  const question = createUnitQuestion();
  for (const { row, product } of question.pair(
    pairs.map((_, n) => rows.row(n + 2)),
    seen,
  )) {
    question.note(pairs[row.row - 2]?.[0], product);
  }
  return await askForUnit(question.question(), ask);
}

const repeat = (count: number, toPair: (n: number) => Pair): readonly Pair[] =>
  Array.from({ length: count }, (_, n) => toPair(n));

const minor = (n: number): Pair => [1_990 + n, 1_990 + n];
const major = (n: number): Pair => [1_990 + n, (1_990 + n) / 100];
const other = (n: number): Pair => [1_990 + n, 777];

const refuseToAsk: AskPriceUnit = () => Promise.reject(new Error("nobody is to be asked"));

describe("the unit of prices in a plan", () => {
  it.each([
    ["20 equal prices", repeat(20, minor), { unit: "minor", pairs: 20 }],
    ["20 prices that are equal after × 100", repeat(20, major), { unit: "major", pairs: 20 }],
    ["19 equal prices", repeat(19, minor), undefined],
    [
      "20 equal prices among 300 changed ones",
      [...repeat(300, other), ...repeat(20, minor)],
      { unit: "minor", pairs: 20 },
    ],
    ["equal prices in both units", [...repeat(1, major), ...repeat(30, minor)], undefined],
  ] as const)("suggests the unit from %s, and leaves it unknown", async (...[, pairs, told]) => {
    const { priceUnit, priceUnitBy, priceUnitQuestion } = await learn(pairs);

    expect([priceUnit, priceUnitBy]).toEqual(["unknown", "nothing"]);
    expect(priceUnitQuestion?.suggestion).toEqual(told);
  });

  it("asks no question where no product of the file shows a price", async () => {
    expect(await learn([])).toEqual({ priceUnit: "unknown", priceUnitBy: "nothing" });
    expect(await learn([[100, 0]])).toEqual({ priceUnit: "unknown", priceUnitBy: "nothing" });
  });

  it("uses a person's setting first, then an earlier run, and asks in neither case", async () => {
    const pairs = repeat(20, minor);

    expect(await learn(pairs, { set: "major", remembered: "minor" }, refuseToAsk)).toEqual({
      priceUnit: "major",
      priceUnitBy: "set",
    });
    expect(await learn(pairs, { remembered: "major" }, refuseToAsk)).toEqual({
      priceUnit: "major",
      priceUnitBy: "remembered",
    });
  });

  it("asks a person with three products, and uses the answer", async () => {
    const asked: unknown[] = [];

    const facts = await learn(repeat(5, major), {}, async (question) => {
      asked.push(question);
      return "minor";
    });

    expect(facts).toEqual({ priceUnit: "minor", priceUnitBy: "asked" });
    expect(asked).toEqual([
      {
        examples: [
          { code: "A0", title: "Cup A0", shown: 19.9 },
          { code: "A1", title: "Cup A1", shown: 19.91 },
          { code: "A2", title: "Cup A2", shown: 19.92 },
        ],
      },
    ]);
  });

  it("keeps the question where the person gives no answer", async () => {
    const facts = await learn(repeat(1, major), {}, async () => undefined);

    expect(facts).toMatchObject({
      priceUnit: "unknown",
      priceUnitQuestion: { examples: [{ code: "A0" }] },
    });
  });
});
