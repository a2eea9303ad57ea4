import { describe, expect, it } from "vitest";

import { allows, ROLES } from "../src/index.ts";

describe("allows", () => {
  it("lets each role do what those before it may, and nobody without a role anything", () => {
    const table = ROLES.map((role) => ROLES.filter((needed) => allows(role, needed)));

    expect(table).toEqual([ROLES.slice(0, 1), ROLES.slice(0, 2), ROLES.slice(0, 3), ROLES]);
    expect(ROLES.some((needed) => allows(undefined, needed))).toBe(false);
  });
});
