import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { calibratePriceUnit, type PriceUnit } from "../../src/plan/price-unit.ts";
import type { PriceEvidence } from "../../src/ports/journal.ts";

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
