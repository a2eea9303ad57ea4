import { describe, expect, it } from "vitest";

import { createRowSupply } from "../../../src/xlsx/write/stream-xlsx.ts";

async function* stream(): AsyncGenerator<number> {
  yield* [1, 2];
}

describe("createRowSupply", () => {
  it("gives each row once, from a list and from a stream", async () => {
    for (const rows of [[1, 2], stream()]) {
      await using supply = createRowSupply(rows);
      const taken: number[] = [];
      while ((await supply.hasMore()) && (await supply.hasMore())) taken.push(supply.take());

      expect(taken).toEqual([1, 2]);
      expect(() => supply.take()).toThrow(RangeError);
    }
  });

  it("ends rows that were not all taken", async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield "x";
      } finally {
        isEnded = true;
      }
    }

    {
      await using supply = createRowSupply(endless());
      await supply.hasMore();
    }

    expect(isEnded).toBe(true);
  });
});
