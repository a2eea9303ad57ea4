import { describe, expect, it } from "vitest";

import { createStatsCounter } from "../src/market-state.ts";

describe("createStatsCounter", () => {
  it("counts until it is reset", () => {
    const stats = createStatsCounter();
    stats.countRequest("product.add");
    stats.countRequest("product.add");
    stats.countRequest(undefined);
    stats.count("adds");

    const counted = stats.read();
    stats.reset();

    expect(counted).toEqual({
      adds: 1,
      updates: 0,
      tokens: 0,
      requests: 3,
      byEndpoint: { "product.add": 2 },
    });
    expect(stats.read()).toEqual({
      adds: 0,
      updates: 0,
      tokens: 0,
      requests: 0,
      byEndpoint: {},
    });
  });
});
