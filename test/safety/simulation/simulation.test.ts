import { describe, expect, it } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import { FIRST_SEEDS, KNOWN_RANGES } from "../mutants/mutant.ts";
import type { PlayedSeeds } from "./play-seeds.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createRandom } from "./world/random.ts";
import { createSimProcess, type Death } from "./world/sim-process.ts";

/** The first seeds, and those that are known for something; the soak plays hundreds of thousands. */
const WORLDS = 800;
const ALL_WORLDS = WORLDS + KNOWN_RANGES.length;

/** The command that repeats a broken world. */
const again = ({ broken }: PlayedSeeds): string =>
  broken
    .map(({ seed, broken: rules }) => `${rules.join("; ")}: pnpm sim --seed ${seed}`)
    .join("\n");

describe("the planner and the runner, simulated", () => {
  it(`break no rule in ${ALL_WORLDS} worlds of faults, deaths and double starts`, async () => {
    const { out, err } = await runScript("safety/simulation/main.ts", [
      "--count",
      `${WORLDS}`,
      "--known",
      "--json",
    ]);

    expect(err).toBe("");
    const played: PlayedSeeds = JSON.parse(out);
    expect(again(played)).toBe("");
    expect(played).toMatchObject({ worlds: ALL_WORLDS });
    expect(played.repeated).toBeGreaterThanOrEqual(WORLDS / 100);
    // Worlds without deaths would prove nothing.
    expect(played.deaths).toBeGreaterThan(WORLDS / 4);
    expect(played.pruned).toBeGreaterThan(WORLDS / 40);
    expect(played.held).toBeGreaterThan(WORLDS / 100);
    // Prices of an unknown unit, codes that look alike and copies that know nothing are held.
    expect(played.held).toBeLessThan(played.rows / 6);
    expect(played.excused).toBeGreaterThan(0);
    expect(played.excused).toBeLessThan(played.rows / 100);
  });
});

describe("a broken world", () => {
  it("is reported with the seed that repeats it", async () => {
    const from = `${FIRST_SEEDS["reset-is-unsent"]}`;
    const flags = ["--mutant", "reset-is-unsent", "--from", from, "--most-broken", "1"];
    const many = await runScript("safety/simulation/main.ts", flags);
    const seed = /again: pnpm sim --seed (?<seed>\d+)/u.exec(many.out)?.groups?.["seed"] ?? "";

    const one = await runScript("safety/simulation/main.ts", [
      "--mutant",
      "reset-is-unsent",
      "--seed",
      seed,
    ]);

    expect(many.code).toBe(1);
    expect(one.code).toBe(1);
    const [broken = "nothing is broken"] = /\bI\d+: [^;"\n]+/u.exec(many.out) ?? [];
    expect(one.out).toContain(broken);
    expect(one.out).toContain("beginSending");
  });
});

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
    const repeat = (): void => timeline.add(0, undefined, repeat);
    repeat();

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
