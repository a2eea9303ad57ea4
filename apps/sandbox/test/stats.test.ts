import { describe, expect, it } from "vitest";

import { createTally } from "../src/stats.ts";

describe("createTally", () => {
  it("counts until it is reset", () => {
    const tally = createTally();
    tally.countRequest("product.add");
    tally.countRequest("product.add");
    tally.countRequest(undefined);
    tally.count("adds");

    const counted = tally.read();
    tally.reset();

    expect(counted).toEqual({
      adds: 1,
      updates: 0,
      tokens: 0,
      requests: 3,
      byEndpoint: { "product.add": 2 },
    });
    expect(tally.read()).toEqual({
      adds: 0,
      updates: 0,
      tokens: 0,
      requests: 0,
      byEndpoint: {},
    });
  });
});
