import { expect, it } from "vitest";

import { describeFailure } from "../../src/server/failures.ts";

const ID = "r-260101-0900-aabbccddeeff";

it.each(["E_DRAFT_UNKNOWN", "E_RUN_UNKNOWN", "E_PLAN_OLD", "E_PLAN_FILE"])(
  "says %s in words of the page, without a command",
  (code) => {
    for (const lang of ["tr", "en"] as const) {
      const text = `"${ID}" yok. catalog runs`;
      const { problem, isBug } = describeFailure(new Error("x"), lang, () => ({
        code,
        text,
        isLogin: false,
      }));

      expect(isBug).toBe(false);
      expect(problem.code).toBe(code);
      expect(problem.message).not.toMatch(/catalog|--|r-26/u);
      expect(problem.message.split(". ").length).toBeGreaterThan(1);
    }
  },
);

it("keeps the sentence of the program for any other error", () => {
  const known = { code: "E_STORE_BUSY", text: "Mağaza meşgul.", isLogin: false };

  expect(describeFailure(new Error("x"), "tr", () => known)).toEqual({
    status: 423,
    problem: { code: "E_STORE_BUSY", message: "Mağaza meşgul." },
    isBug: false,
  });
});
