/** Plays two machines with each mutant of their rules, and without any; prints lines of JSON. */

import { createTestDatabase } from "@catalog/database/testing";

import { breakBelow } from "./import-mutated.ts";
import { MACHINE_MUTANTS } from "./machine-mutants.ts";
import type { playMachines } from "./play-machines.ts";

const SCENARIO = new URL("play-machines.ts", import.meta.url).href;

interface Scenario {
  readonly playMachines: typeof playMachines;
}

async function play(name: string, address: string): Promise<void> {
  const scenario: Scenario = await import(address);
  await using server = await createTestDatabase();
  console.log(JSON.stringify({ name, broken: await scenario.playMachines(server) }));
}

await play("", SCENARIO);
for (const mutant of MACHINE_MUTANTS) await play(mutant.name, await breakBelow(SCENARIO, mutant));
// The server of the tests, where this process has started one, ends with it.
process.exit(0);
