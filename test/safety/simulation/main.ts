/**
 * Plays simulated worlds. `pnpm sim --seed 42` plays one and prints its events, `pnpm sim --count
 * 20000 --from 0` plays many and prints the broken ones, `--mutant NAME` breaks a safety rule
 * first. `--known` also plays the worlds that are known for something. `--machines` plays
 * worlds of two or three machines on PostgreSQL instead. `--json` prints one document.
 */

import { parseArgs } from "node:util";

import { importMachines, importWorlds } from "../mutants/import-mutated.ts";
import { MACHINE_MUTANTS } from "../mutants/machine-mutants.ts";
import { KNOWN_RANGES } from "../mutants/mutant.ts";
import { mutantOf, MUTANTS } from "../mutants/mutants.ts";
import { playSeeds, type PlayedSeeds } from "./play-seeds.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "1000" },
    mutant: { type: "string" },
    machines: { type: "boolean", default: false },
    "most-broken": { type: "string", default: "20" },
    known: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const mutants = values.machines ? [...MACHINE_MUTANTS, ...MUTANTS] : MUTANTS;
const mutant = values.mutant === undefined ? undefined : mutantOf(values.mutant, mutants);
const play = values.machines ? await importMachines(mutant) : await importWorlds(mutant);

if (values.seed === undefined) await playMany();
else await playOne(Number(values.seed));
// The server of the machines ends with this process.
if (values.machines) process.exit();

async function playOne(seed: number): Promise<void> {
  const result = await play(seed, { onEvent: (text) => console.log(text) });
  console.log(JSON.stringify(result, null, 2));
  if (result.broken.length > 0) process.exitCode = 1;
}

async function playMany(): Promise<void> {
  const range = { from: Number(values.from), count: Number(values.count) };
  const played = await playSeeds({
    ranges: values.known ? [range, ...KNOWN_RANGES] : [range],
    play,
    maxBroken: Number(values["most-broken"]),
    // Of two machines that ask the server at one moment either may come first, so such a world need
    // not repeat itself.
    ...(values.machines && { repeatEvery: 0 }),
  });
  if (played.broken.length > 0) process.exitCode = 1;
  console.log(values.json ? JSON.stringify(played) : describe(played));
}

function describe({ broken, ...played }: PlayedSeeds): string {
  const cpuSeconds = process.cpuUsage().user / 1_000_000;
  const again = values.machines ? "pnpm sim --machines" : "pnpm sim";
  const lines = broken.map(
    ({ seed, broken: rules }) => `${rules.join("; ")}\n  again: ${again} --seed ${seed}`,
  );
  const sums = Object.entries(played).map(([name, value]) => `${name} ${Math.round(value)}`);
  const speed = `${Math.round(played.worlds / cpuSeconds)} worlds a second of CPU`;
  return [...lines, `broken ${broken.length}, ${sums.join(", ")}, ${speed}`].join("\n");
}
