import { describe, expect, it } from "vitest";

import { openScene } from "./helpers/plan-scene.ts";

describe("the calls of a plan", () => {
  it("are counted with those that look for adds before they leave, and read back what goes first and what follows", async () => {
    const codes = Array.from({ length: 60 }, (_, n) => `A${n}`);
    // 60 adds take two minutes here, so they are looked for twice: three calls, one for each status.
    const cases = [
      [{}, 66],
      [{ isVerified: true }, 68],
      [{ isVerified: true, canary: 20 }, 68],
      [{ isVerified: true, canary: 5 }, 69],
      [{ canary: 5 }, 67],
      [{ canary: 100 }, 68],
    ] as const;

    for (const [more, requests] of cases) {
      const { planAll } = await openScene(codes);
      expect((await planAll(more)).planned.requests).toBe(requests);
    }
  });
});
