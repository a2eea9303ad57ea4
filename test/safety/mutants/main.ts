/**
 * Plays worlds with each mutant until one of them is broken: first the known one, then all from the
 * first seed. Prints a line of JSON for each mutant; names on the command line select some. `--write`
 * writes down the seeds that were found, for the next time.
 */

import { parseArgs } from "node:util";

import { type PlayedSeeds, playSeeds, type SeedRange } from "../simulation/play-seeds.ts";
import { importWorlds } from "./import-mutated.ts";
import { FIRST_SEEDS, type Mutant, type MutantResult, writeFirstSeeds } from "./mutant.ts";
import { mutantOf, MUTANTS } from "./mutants.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: "string", default: "20000" },
    write: { type: "boolean", default: false },
  },
});

async function playMutant(mutant: Mutant): Promise<PlayedSeeds> {
  const play = await importWorlds(mutant);
  const playRange = async (range: SeedRange): Promise<PlayedSeeds> =>
    await playSeeds({ ranges: [range], maxBroken: 1, repeatEvery: 0, play });
  const from = FIRST_SEEDS[mutant.name];
  if (from !== undefined) {
    const known = await playRange({ from, count: 1 });
    if (known.broken.length > 0) return known;
  }
  return await playRange({ from: 0, count: Number(values.most) });
}

const found: Record<string, number> = {};
const mutants = positionals.length === 0 ? MUTANTS : positionals.map((name) => mutantOf(name));
for (const mutant of mutants) {
  const { worlds, broken } = await playMutant(mutant);
  const [first] = broken;
  const result: MutantResult = {
    name: mutant.name,
    worlds,
    seed: first?.seed ?? null,
    broken: first?.broken ?? [],
  };
  if (result.seed !== null) found[result.name] = result.seed;
  console.log(JSON.stringify(result));
}
if (values.write) writeFirstSeeds(found);
