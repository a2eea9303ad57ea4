/**
 * Plays simulated worlds: `pnpm sim --seed 42` plays one and tells what happened in it, `pnpm sim
 * --count 20000 [--from N]` plays many and prints the first broken ones.
 */

import { parseArgs } from "node:util";

import { playWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "1000" },
  },
});

if (values.seed === undefined) await playMany(Number(values.from), Number(values.count));
else await playOne(Number(values.seed));

async function playOne(seed: number): Promise<void> {
  const result = await playWorld(seed, { onEvent: (text) => console.log(text) });
  console.log(JSON.stringify(result, null, 2));
  if (result.broken.length > 0) process.exitCode = 1;
}

async function playMany(from: number, count: number): Promise<void> {
  const startedMs = performance.now();
  let broken = 0;
  let steps = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await playWorld(seed);
    steps += result.steps;
    if (result.broken.length === 0) continue;
    broken += 1;
    if (broken <= 20) console.log(seed, result.broken.join("; "));
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log({ count, broken, steps: steps / count, perSecond: count / seconds });
}
