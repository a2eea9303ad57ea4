/** Imports a module and all modules below it once more, with a safety rule broken. */

import { registerHooks, stripTypeScriptTypes } from "node:module";

import type { playMachinesWorld } from "../simulation/machines/machines-world.ts";
import type { isStoreDurable, playWorld } from "../simulation/world/world.ts";
import type { playContentPlans } from "./content-world.ts";
import type { Mutant } from "./mutant.ts";
import { replaceIn, replacementsFor, toText } from "./replace-source.ts";

interface World {
  readonly playWorld: typeof playWorld;
  readonly isStoreDurable: typeof isStoreDurable;
}

/** Whether a module belongs to the workspace and gets a copy; installed modules stay shared. */
const isOurs = (url: string): boolean =>
  url.startsWith("file:") && url.includes(".ts") && !url.includes("/node_modules/");

/** Sources without types by address: every mutant has its own copy of the same modules. */
const stripped = new Map<string, string>();

function stripOnce(address: string, source: string): string {
  const known = stripped.get(address) ?? stripTypeScriptTypes(source);
  stripped.set(address, known);
  return known;
}

const WORLD = new URL("../simulation/world/world.ts", import.meta.url).href;

/** Without a mutant the modules are unchanged. */
export async function importWorlds(mutant: Mutant | undefined): Promise<typeof playWorld> {
  const world = await importWorld(mutant);
  const isDurable = await world.isStoreDurable();
  return (seed, options) => world.playWorld(seed, { ...options, isDurable });
}

async function importWorld(mutant: Mutant | undefined): Promise<World> {
  return mutant === undefined ? await import(WORLD) : await import(breakBelow(WORLD, mutant));
}

const MACHINES = new URL("../simulation/machines/machines-world.ts", import.meta.url).href;

interface MachinesModule {
  readonly playMachinesWorld: typeof playMachinesWorld;
}

/** Worlds of several machines on PostgreSQL. Without a mutant the modules are unchanged. */
export async function importMachines(mutant: Mutant | undefined): Promise<typeof playWorld> {
  const address = mutant === undefined ? MACHINES : breakBelow(MACHINES, mutant);
  const world: MachinesModule = await import(address);
  return world.playMachinesWorld;
}

const CONTENT = new URL("content-world.ts", import.meta.url).href;

interface ContentModule {
  readonly playContentPlans: typeof playContentPlans;
}

/** Plans that change texts, brands and images. Without a mutant the modules are unchanged. */
export async function importContentPlans(
  mutant: Mutant | undefined,
): Promise<typeof playContentPlans> {
  const address = mutant === undefined ? CONTENT : breakBelow(CONTENT, mutant);
  const plans: ContentModule = await import(address);
  return plans.playContentPlans;
}

/** Breaks the rule in modules that are imported below the address; returns the address to import. */
export function breakBelow(address: string, mutant: Mutant): string {
  const mark = `?mutant=${mutant.name}`;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isBelow = context.parentURL?.endsWith(mark) === true && isOurs(resolved.url);
      return isBelow ? { ...resolved, url: resolved.url + mark } : resolved;
    },
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(mark)) return loaded;
      const source = toText(loaded.source);
      const mine = replacementsFor(url, mutant.replacements);
      return mine.length === 0
        ? { ...loaded, format: "module", source: stripOnce(url.slice(0, -mark.length), source) }
        : { ...loaded, source: replaceIn(source, mine) };
    },
  });
  return address + mark;
}
