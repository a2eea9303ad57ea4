import { describe, expect, it } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import { KNOWN_RANGES } from "../mutants/first-seeds.ts";
import type { PlayedSeeds } from "./play-seeds.ts";

/** The first seeds, and those in which mutants are noticed; the soak plays hundreds of thousands. */
const WORLDS = 1_500;
const ALL_WORLDS = WORLDS + KNOWN_RANGES.length;

/** The command that repeats a broken world. */
const again = ({ broken }: PlayedSeeds): string =>
  broken
    .map(({ seed, broken: rules }) => `${rules.join("; ")}: pnpm sim --seed ${seed}`)
    .join("\n");

describe("the planner and the runner, simulated", { timeout: 600_000 }, () => {
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

describe("worlds that were once broken", () => {
  it.each([
    // What the plan has seen is no stranger's value, though another one was shown to the person.
    [103_742, "a released row finds the value of its plan again, written by another writer"],
    // A row that may have been sent, and whose product its plan did not show.
    [8_013_980, "a released row is no longer held for what its person has seen"],
  ])("break no rule: %i, where %s", async (seed) => {
    const { out, err } = await runScript("safety/simulation/main.ts", ["--seed", `${seed}`]);

    expect(err).toBe("");
    expect(out).toContain('"broken": []');
  });
});

describe("a broken world", () => {
  it("is reported with the seed that repeats it", async () => {
    const flags = ["--mutant", "reset-is-unsent", "--count", "500", "--most-broken", "1"];
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
