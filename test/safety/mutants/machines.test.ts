import { hasPostgres } from "@catalog/database/testing";
import { beforeAll, describe, expect, it } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import { MACHINE_MUTANTS } from "./machine-mutants.ts";

interface Played {
  readonly name: string;
  readonly broken: readonly string[];
}

describe.skipIf(!hasPostgres())("of two machines it is noticed that", () => {
  const results = new Map<string, readonly string[]>();

  beforeAll(async () => {
    const { out } = await runScript("safety/mutants/machines-main.ts", []);
    for (const line of out.split("\n").filter(Boolean)) {
      const { name, broken }: Played = JSON.parse(line);
      results.set(name, broken);
    }
  });

  it("nothing is broken without a mutant", () => {
    expect(results.get("")).toEqual([]);
  });

  for (const { name, breaks } of MACHINE_MUTANTS) {
    it(`${breaks} (${name})`, () => {
      expect(results.get(name)).toEqual(expect.arrayContaining([expect.any(String)]));
    });
  }
});
