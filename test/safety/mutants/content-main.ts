/**
 * Plays the plans of `content-world.ts` without a mutant and with each, and prints a line of JSON
 * for each: its name and what was held wrongly or let pass.
 */

import { CONTENT_MUTANTS } from "./content-mutants.ts";
import { importContentPlans } from "./import-mutated.ts";

for (const mutant of [undefined, ...CONTENT_MUTANTS]) {
  const play = await importContentPlans(mutant);
  console.log(JSON.stringify({ name: mutant?.name ?? null, broken: await play() }));
}
