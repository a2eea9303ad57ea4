import { describe, expect, it } from "vitest";

import { isLookupKind } from "../../src/lookup/lookup-kinds.ts";

describe("isLookupKind", () => {
  it.each(["", "brand", "toString"])("refuses %j", (text) => {
    expect(isLookupKind(text)).toBe(false);
  });
});
