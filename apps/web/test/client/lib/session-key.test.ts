import { describe, expect, it } from "vitest";

import { readLinkKey } from "../../../client/lib/session.ts";

describe("readLinkKey", () => {
  const cases = [
    ["#k=abc", "abc"],
    ["#k=a-b_c&x=1", "a-b_c"],
    ["#k=", null],
    ["", null],
    ["#content", null],
  ] as const;
  for (const [hash, key] of cases) {
    it(`finds ${key} in "${hash}"`, () => {
      expect(readLinkKey(hash)).toBe(key);
    });
  }
});
