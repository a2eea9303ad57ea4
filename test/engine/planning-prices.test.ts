import { addBefore, listed, price, readStates } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { openPlanFixture } from "./helpers/plan-fixture.ts";

describe("planning new prices", () => {
  const rows = { 2: { changes: { price: price(500) } } };

  for (const [name, factor] of [
    ["100 times", 100],
    ["10 times", 10],
    ["a hundredth of", 1 / 100],
    ["half", 1 / 2],
    ["exactly", 1],
  ] as const) {
    it(`holds 40 prices that are ${name} the listed prices while the unit is unknown`, async () => {
      const codes = Array.from({ length: 40 }, (_, n) => `B${n}`);
      const shelf = codes.map((code, n) => listed(`p${n}`, code, { price: 10_000 + 100 * n }));
      const overrides = Object.fromEntries(
        codes.map((_, n) => [n + 2, { changes: { price: price((10_000 + 100 * n) * factor) } }]),
      );
      const { journal, planAll } = await openPlanFixture(codes, shelf, overrides);

      const { priceUnit, planned } = await planAll();

      expect(priceUnit).toBe("unknown");
      expect(planned).toMatchObject({ update: 0, unchanged: 0, held: 40 });
      expect(new Set(await readStates(journal))).toEqual(
        new Set(codes.map((_, n) => `${n + 2}: held`)),
      );
    });
  }

  for (const [unit, shown] of [
    ["minor", 1],
    ["major", 0.01],
  ] as const) {
    it(`compares prices in ${unit} units once a price that we sent has shown the unit`, async () => {
      const { journal, planAll } = await openPlanFixture(
        ["B0"],
        [listed("p0", "B0", { price: 500 * shown }), listed("p7", "A7", { price: 1990 * shown })],
        rows,
      );
      await addBefore(journal, "A7", "p7");

      const { priceUnit } = await planAll();

      expect(priceUnit).toBe(unit);
      expect(await readStates(journal)).toEqual(["2: unchanged"]);
    });
  }
});
