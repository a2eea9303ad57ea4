import { describe, expect, it } from "vitest";

import { capabilityOf } from "../src/capabilities.ts";

describe("capabilityOf", () => {
  it.each([
    ["update", "price", "documented"],
    ["update", "title", "documented"],
    ["update", "stock_count", "assumed"],
    ["update", "discount_value", "assumed"],
    ["add", "stock_count", "documented"],
    ["add", "properties", "assumed"],
  ] as const)("of an %s of %s is %s", (action, field, expected) => {
    expect(capabilityOf(action, field)).toBe(expected);
  });

  it("is what a marketplace was seen to do with updates, where that is known", () => {
    const learnt = new Map([["stock_count", "refused"]] as const);

    expect(capabilityOf("update", "stock_count", learnt)).toBe("refused");
    expect(capabilityOf("add", "stock_count", learnt)).toBe("documented");
  });
});
