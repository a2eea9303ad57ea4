import { hasPostgres } from "@catalog/database/testing";
import { describe, expect, it } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import type { PlayedSeeds } from "./play-seeds.ts";

/** The soak plays many more. */
const WORLDS = 8;

describe.skipIf(!hasPostgres())("machines that share a database, simulated", () => {
  it(`break no rule in ${WORLDS} worlds of cuts, sleeps, deaths and lost jobs`, async () => {
    const flags = ["--machines", "--count", `${WORLDS}`, "--json"];
    const { out, err } = await runScript("safety/simulation/main.ts", flags);

    expect(err).toBe("");
    const { broken, ...played }: PlayedSeeds = JSON.parse(out);
    expect(broken).toEqual([]);
    expect(played).toMatchObject({ worlds: WORLDS });
    expect(played.deaths).toBeGreaterThan(WORLDS);
    expect(played.held).toBeLessThan(played.rows / 2);
  });

  it("add a product twice where a take-over believes that nothing was sent", async () => {
    const flags = "--machines --mutant take-over-to-ready --count 40 --most-broken 1".split(" ");
    const { out } = await runScript("safety/simulation/main.ts", flags);

    expect(out).toMatch(/I\d+: .*\n {2}again: pnpm sim --machines --seed \d+/u);
  });
});
