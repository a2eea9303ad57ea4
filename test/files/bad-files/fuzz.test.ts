import { expect, it } from "vitest";

import { fuzzOnce, problemOf } from "./fuzz.ts";

const SEEDS = 60;

it("every one of 60 randomly changed files ends in rows or in an error code", async () => {
  const problems: string[] = [];
  const outcomes = new Set<string>();

  for (let seed = 0; seed < SEEDS; seed += 1) {
    const result = await fuzzOnce(seed);
    outcomes.add(result.outcome);
    const problem = problemOf(result);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }

  expect(problems).toEqual([]);
  expect(outcomes.size).toBeGreaterThan(4);
});

it("the same seed makes the same file", async () => {
  const [once, again] = [await fuzzOnce(7), await fuzzOnce(7)];

  expect(again.outcome).toBe(once.outcome);
});
