import { describe, expect, it } from "vitest";

import { isLookupKind, LOOKUP_KINDS } from "../src/lookup-kinds.ts";

describe("isLookupKind", () => {
  it("knows every kind, and nothing else", () => {
    expect(LOOKUP_KINDS.every((kind) => isLookupKind(kind))).toBe(true);
    expect(["", "brand", "toString"].some((text) => isLookupKind(text))).toBe(false);
  });
});
