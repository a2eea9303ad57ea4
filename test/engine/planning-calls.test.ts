import { describe, expect, it } from "vitest";

import { openPlanFixture } from "./helpers/plan-fixture.ts";

describe("the calls of a plan", () => {
  it("counts the calls that look for adds before they are sent, and those that read back the canary and the rest", async () => {
    const codes = Array.from({ length: 60 }, (_, n) => `A${n}`);
    // 60 adds take two minutes here: one recheck of five calls for every twenty-five of them.
    const cases = [
      [{}, 70],
      [{ isVerified: true }, 72],
      [{ isVerified: true, canary: 20 }, 72],
      [{ isVerified: true, canary: 5 }, 73],
      [{ canary: 5 }, 71],
      [{ canary: 100 }, 72],
    ] as const;

    for (const [more, requests] of cases) {
      const { planAll } = await openPlanFixture(codes);
      expect((await planAll(more)).planned.requests).toBe(requests);
    }
  });
});
