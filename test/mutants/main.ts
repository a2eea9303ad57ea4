/**
 * Plays worlds with each mutant until one of them is broken, from where the first of them is known to
 * be, or from `--from`. Prints a line of JSON for each mutant; names on the command line choose.
 */

import { parseArgs } from "node:util";

import { playSeeds } from "../simulation/play-seeds.ts";
import { FIRST_WORLDS } from "./first-worlds.ts";
import { importWorlds } from "./import-mutated.ts";
import { type MutantResult } from "./mutant.ts";
import { MUTANTS, mutantOf } from "./mutants.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: "string", default: "20000" }, from: { type: "string" } },
});

const mutants = positionals.length === 0 ? MUTANTS : positionals.map((name) => mutantOf(name));
for (const mutant of mutants) {
  const play = await importWorlds(mutant);
  const { worlds, broken } = await playSeeds({
    from: Number(values.from ?? FIRST_WORLDS[mutant.name] ?? 0),
    count: Number(values.most),
    mostBroken: 1,
    repeatEvery: 0,
    play,
  });
  const [first] = broken;
  const result: MutantResult = {
    name: mutant.name,
    worlds,
    seed: first?.seed ?? null,
    broken: first?.broken ?? [],
  };
  console.log(JSON.stringify(result));
}
