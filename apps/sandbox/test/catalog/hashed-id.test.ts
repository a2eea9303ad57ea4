import { describe, expect, it } from "vitest";

import { createHashedId, pickNumber } from "../../src/catalog/names.ts";

describe("createHashedId", () => {
  it("gives different ids for different kinds and name levels", () => {
    const ids = [
      createHashedId("brand", "a"),
      createHashedId("model", "a"),
      createHashedId("brand", "a", "b"),
      createHashedId("brand", "ab"),
    ];

    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[0-9a-f]{24}$/u.test(id))).toBe(true);
  });

  it("gives the same id for the same names", () => {
    expect(createHashedId("brand", "Işık")).toBe("a4d6a9ab77e91f98a4963423");
  });
});

describe("pickNumber", () => {
  it("returns every number below the limit", () => {
    const picked = Array.from({ length: 200 }, (_, index) => pickNumber(6, String(index)));

    expect(new Set(picked)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });
});
