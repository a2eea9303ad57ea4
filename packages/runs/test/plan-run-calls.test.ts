import { describe, expect, it } from "vitest";

import { openScene } from "./helpers/plan-scene.ts";

describe("the calls of a plan", () => {
  it("are counted with those that read back what goes first and what follows", async () => {
    const codes = Array.from({ length: 60 }, (_, n) => `A${n}`);
    const cases = [
      [{}, 60],
      [{ isVerified: true }, 62],
      [{ isVerified: true, canary: 20 }, 62],
      [{ isVerified: true, canary: 5 }, 63],
      [{ canary: 5 }, 61],
      [{ canary: 100 }, 62],
    ] as const;

    for (const [more, requests] of cases) {
      const { planAll } = await openScene(codes);
      expect((await planAll(more)).planned.requests).toBe(requests);
    }
  });
});
