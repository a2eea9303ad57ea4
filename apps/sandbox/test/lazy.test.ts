import { describe, expect, it } from "vitest";

import { once } from "../src/lazy.ts";

describe("once", () => {
  it("makes nothing before it is asked, and one thing ever after", () => {
    let count = 0;
    const thing = once(() => {
      count += 1;
      return undefined;
    });

    expect(count).toBe(0);
    thing();
    thing();
    expect(count).toBe(1);
  });
});
