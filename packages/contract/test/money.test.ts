import { describe, expect, it } from "vitest";

import { priceMinor } from "../src/money.ts";

describe("priceMinor", () => {
  it.each([[1], [129_990], [Number.MAX_SAFE_INTEGER]])("takes %d", (price) => {
    expect(priceMinor.parse(price)).toBe(price);
  });

  it.each([[0], [-1], [19.99], [2 ** 53], [Number.NaN], [Infinity], ["100"], [null], [undefined]])(
    "refuses %j",
    (price) => {
      expect(priceMinor.safeParse(price).success).toBe(false);
    },
  );
});
