import { expect, it } from "vitest";

import { countUncompared, isUncompared } from "../../../client/lib/uncompared.ts";

const issue = (code: string) => ({ code, message: "", suggestion: null, guard: null });

it("finds rows that wait for the unit of the prices", () => {
  expect(isUncompared({ issues: [issue("E_X"), issue("E_GUARD_PRICE_UNIT")] })).toBe(true);
  expect(isUncompared({ issues: [issue("E_GUARD_PRICE_SCALE")] })).toBe(false);
});

it("counts them by the reasons of a run", () => {
  const reasons = [{ code: "E_GUARD_PRICE_UNIT", label: "", rows: 3 }];

  expect(countUncompared({ reasons })).toBe(3);
  expect(countUncompared({ reasons: [] })).toBe(0);
});
