import { describe, expect, it } from "vitest";

import { formatPercent } from "../src/field-values.ts";

describe("formatPercent", () => {
  it.each([
    [9900, "+%9.900", "+9,900%"],
    [-2.54, "−%2,5", "−2.5%"],
    [-0.04, "−%0,04", "−0.04%"],
    [25, "+%25", "+25%"],
  ])("writes %d", (percent, turkish, english) => {
    expect(formatPercent(percent, "tr")).toBe(turkish);
    expect(formatPercent(percent, "en")).toBe(english);
  });
});
