import { describe, expect, it } from "vitest";

import { lazy } from "../src/lazy.ts";

describe("once", () => {
  it("creates the value at the first call only", () => {
    let count = 0;
    const thing = lazy(() => {
      count += 1;
      return undefined;
    });

    expect(count).toBe(0);
    thing();
    thing();
    expect(count).toBe(1);
  });
});
