import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";

describe("twenty processes that start at once", { timeout: 120_000 }, () => {
  it("fetch one token together when none is stored", async () => {
    // Slow enough that all processes look for a token before the first one is stored.
    const shop = await openTestStore({ latencyMs: 400 });

    const ended = await Promise.all(
      Array.from({ length: 20 }, () => shop.start("lookup", "templates", "--json").finished),
    );

    expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(
      Array.from({ length: 20 }, () => ({ code: 0, err: "" })),
    );
    expect(new Set(ended.map(({ out }) => out)).size).toBe(1);
    expect(shop.sandbox.stats()).toMatchObject({
      tokens: 1,
      byEndpoint: { "token.create": 1, "shippingTemplate.list": 40 },
    });
  });
});
