import { expect, it } from "vitest";

import { isTypedCount } from "../../../client/lib/format.ts";

it.each(["1299", " 1299 ", "1.299", "1,299", "1 299"])("takes %s for 1299 rows", (typed) => {
  expect(isTypedCount(typed, 1_299)).toBe(true);
});

it.each(["", "129", "12990", "x1299", "-1299"])("does not take '%s' for 1299 rows", (typed) => {
  expect(isTypedCount(typed, 1_299)).toBe(false);
});

it("does not take an empty text for no rows", () => {
  expect(isTypedCount("", 0)).toBe(false);
});
