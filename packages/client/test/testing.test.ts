import { describe, expect, it } from "vitest";

import { createMemoryTokenCache } from "../src/testing.ts";

describe("createMemoryTokenCache", () => {
  it("returns the token that was written until it is forgotten", async () => {
    const cache = createMemoryTokenCache();
    const token = { token: "t", expiresAtMs: 5 };

    await cache.write("a", token);

    await expect(cache.read("a")).resolves.toEqual(token);
    await expect(cache.read("b")).resolves.toBeUndefined();
    await cache.forget("a");
    await expect(cache.read("a")).resolves.toBeUndefined();
  });

  it("shares nothing with another cache", async () => {
    await createMemoryTokenCache().write("a", { token: "t", expiresAtMs: 5 });

    await expect(createMemoryTokenCache().read("a")).resolves.toBeUndefined();
  });
});
