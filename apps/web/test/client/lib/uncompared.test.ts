import { expect, it } from "vitest";

import { countUncompared, isUncompared } from "../../../client/lib/runs.ts";

const issue = (code: string) => ({ code, message: "", suggestion: null, guard: null });

it("finds rows that wait for the unit of the prices", () => {
  expect(isUncompared({ issues: [issue("E_X"), issue("E_GUARD_PRICE_UNIT")] })).toBe(true);
  expect(isUncompared({ issues: [issue("E_GUARD_PRICE_SCALE")] })).toBe(false);
});

it("counts them by the reasons of a run", () => {
  const reasons = [
    { code: "E_GUARD_PRICE_UNIT", label: "and its stock is sent: 4", rows: 3 },
    { code: "E_GUARD_PRICE_UNIT", label: "and its stock is sent: 5", rows: 2 },
    { code: "E_X", label: "", rows: 9 },
  ];

  expect(countUncompared({ reasons })).toBe(5);
  expect(countUncompared({ reasons: [] })).toBe(0);
});
