import { describe, expect, it } from "vitest";

import { createTimeline, type Timeline } from "./timeline.ts";
import { createRandom } from "./world/random.ts";
import { createSimProcess, type Death } from "./world/sim-process.ts";

const openTimeline = (): Timeline => createTimeline({ random: createRandom(1) });

function openProcess(timeline: Timeline, death?: Death): ReturnType<typeof createSimProcess> {
  return createSimProcess({
    name: "p1",
    timeline,
    random: createRandom(2),
    death,
    skewMs: () => 0,
    onDeath: () => undefined,
  });
}

describe("createTimeline", () => {
  it("runs events in the order of their times", async () => {
    const timeline = openTimeline();
    const seen: string[] = [];
    timeline.add(20, undefined, () => seen.push(`b at ${timeline.nowMs}`));
    timeline.add(10, undefined, () => seen.push(`a at ${timeline.nowMs}`));

    await timeline.play();

    expect(seen).toEqual(["a at 10", "b at 20"]);
  });

  it("lets all promises run before the next event, however long their chain is", async () => {
    const timeline = openTimeline();
    const seen: string[] = [];
    timeline.add(1, undefined, () => {
      void (async () => {
        for (let n = 0; n < 1_000; n += 1) await Promise.resolve();
        seen.push("chain");
      })();
    });
    timeline.add(2, undefined, () => seen.push("event"));

    await timeline.play();

    expect(seen).toEqual(["chain", "event"]);
  });

  it("ends a world that is in a loop", async () => {
    const timeline = openTimeline();
    const again = (): void => timeline.add(0, undefined, again);
    again();

    await expect(timeline.play()).rejects.toThrow("does not come to rest");
  });
});

describe("createSimProcess", () => {
  for (const [when, expected] of [
    ["before", ["first"]],
    ["after", ["first", "second"]],
  ] as const) {
    it(`dies ${when} the call takes effect, and none of its code runs again`, async () => {
      const timeline = openTimeline();
      const process = openProcess(timeline, { at: 2, when });
      const done: string[] = [];
      const program = async (): Promise<void> => {
        try {
          await process.yield(() => done.push("first"));
          await process.yield(() => done.push("second"));
          done.push("third");
        } finally {
          done.push("finally");
        }
      };
      void program();

      await timeline.play();

      expect(process.isDead).toBe(true);
      expect(done).toEqual(expected);
    });
  }
});

describe("createRandom", () => {
  it("draws the same sequence again, and forks that further draws do not shift", () => {
    const one = createRandom(7);
    const other = createRandom(7);
    other.next();

    expect(one.fork("a").next()).toBe(other.fork("a").next());
    expect(one.fork("a").next()).not.toBe(one.fork("b").next());
  });
});
