import { beforeAll, describe, expect, it } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { FIRST_SEEDS, type MutantResult, readSource, replaceIn } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

const MAX_WORLDS = 20_000;

describe(`within ${MAX_WORLDS} worlds it is noticed that`, () => {
  const results = new Map<string, MutantResult>();

  beforeAll(async () => {
    const { out } = await runScript("safety/mutants/main.ts", ["--most", `${MAX_WORLDS}`]);
    for (const line of out.split("\n").filter(Boolean)) {
      const result: MutantResult = JSON.parse(line);
      results.set(result.name, result);
    }
  });

  for (const { name, breaks } of MUTANTS) {
    it(`${breaks} (${name})`, () => {
      expect(results.get(name)?.seed).toEqual(expect.any(Number));
      expect(results.get(name)?.broken).not.toEqual([]);
    });
  }

  it("each is in the first world that is played, or its seed has to be written down anew", () => {
    const found = MUTANTS.map(({ name }) => [name, results.get(name)?.seed]);

    const again = "node test/safety/mutants/main.ts --write";
    expect(Object.fromEntries(found), again).toEqual(FIRST_SEEDS);
  });
});

describe("a fragment that is replaced by a mutant", () => {
  for (const { name, replacements } of MUTANTS) {
    it(`occurs exactly once in the source (${name})`, () => {
      for (const replacement of replacements) {
        const source = readSource(replacement.file);

        expect(replaceIn(source, [replacement])).not.toBe(source);
      }
    });
  }

  it("causes an error when it is missing or occurs twice", () => {
    const replacement = { file: SOURCE_PATHS.ledger, from: "x", to: "y" };

    expect(() => replaceIn("a", [replacement])).toThrow("has 0 times: x");
    expect(() => replaceIn("x x", [replacement])).toThrow("has 2 times: x");
  });
});
