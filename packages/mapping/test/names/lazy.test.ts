import { describe, expect, it } from "vitest";

import { lazy } from "../../src/names/name-index.ts";

describe("lazy", () => {
  it("creates its value once, at the first call", () => {
    let created = 0;
    const value = lazy(() => {
      created += 1;
      return created;
    });

    expect(created).toBe(0);
    expect([value(), value(), created]).toEqual([1, 1, 1]);
  });

  it("keeps a value that is undefined", () => {
    let created = 0;
    const value = lazy(() => {
      created += 1;
    });

    value();
    value();

    expect(created).toBe(1);
  });
});
