import { hasPostgres } from "@catalog/database/testing";
import { expect, it } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import type { PlayedSeeds } from "./play-seeds.ts";

/** The soak plays many more. */
const WORLDS = 8;

it.skipIf(!hasPostgres())(
  `machines that share a database break no rule in ${WORLDS} worlds of cuts, sleeps, deaths and lost jobs`,
  async () => {
    const flags = ["--machines", "--count", `${WORLDS}`, "--json"];
    const { out, err } = await runScript("safety/simulation/main.ts", flags);

    expect(err).toBe("");
    const { broken, ...played }: PlayedSeeds = JSON.parse(out);
    expect(broken).toEqual([]);
    expect(played).toMatchObject({ worlds: WORLDS });
    expect(played.deaths).toBeGreaterThan(WORLDS);
    expect(played.held).toBeLessThan(played.rows / 2);
  },
);
