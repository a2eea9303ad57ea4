/**
 * Imports a module once more, with a safety rule broken: the modules that change, and all between
 * them and it. Those below that import none of them are the same for all mutants.
 */

import { registerHooks, stripTypeScriptTypes } from "node:module";
import { pathToFileURL } from "node:url";

import { toAbsolutePath } from "../../helpers/source-paths.ts";
import type { playMachinesWorld } from "../simulation/machines/machines-world.ts";
import type { isStoreDurable, playWorld } from "../simulation/world/world.ts";
import { type Mutant, replaceIn, replacementsFor, toText } from "./mutant.ts";

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
  return await import(mutant === undefined ? WORLD : await breakBelow(WORLD, mutant));
}

const MACHINES = new URL("../simulation/machines/machines-world.ts", import.meta.url).href;

interface MachinesModule {
  readonly playMachinesWorld: typeof playMachinesWorld;
}

/** Worlds of several machines on PostgreSQL. Without a mutant the modules are unchanged. */
export async function importMachines(mutant: Mutant | undefined): Promise<typeof playWorld> {
  const address = mutant === undefined ? MACHINES : await breakBelow(MACHINES, mutant);
  const world: MachinesModule = await import(address);
  return world.playMachinesWorld;
}

/** Who imports each module of ours below an address. */
const importersBelow = new Map<string, ReadonlyMap<string, readonly string[]>>();

/** Finds out by loading all of them once more. */
async function findImporters(address: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = importersBelow.get(address);
  if (known !== undefined) return known;
  const importers = new Map<string, string[]>();
  const mark = "?importers";
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const { parentURL = "" } = context;
      if (!parentURL.endsWith(mark) || !isOurs(resolved.url)) return resolved;
      const parents = importers.get(resolved.url) ?? [];
      importers.set(resolved.url, [...parents, parentURL.slice(0, -mark.length)]);
      return { ...resolved, url: resolved.url + mark };
    },
  });
  await import(address + mark);
  hooks.deregister();
  importersBelow.set(address, importers);
  return importers;
}

/** The modules that change, and all that import them or one that does. */
async function findCopied(address: string, { replacements }: Mutant): Promise<ReadonlySet<string>> {
  const importers = await findImporters(address);
  const found = new Set(replacements.map(({ file }) => pathToFileURL(toAbsolutePath(file)).href));
  // A set goes on with what is added to it on the way.
  for (const url of found) for (const importer of importers.get(url) ?? []) found.add(importer);
  return found;
}

/**
 * Breaks the rule in modules that are imported below the address; returns the address to import.
 * Throws where none of them is changed.
 */
export async function breakBelow(address: string, mutant: Mutant): Promise<string> {
  const copied = await findCopied(address, mutant);
  if (!copied.has(address)) throw new Error(`${mutant.name} changes nothing below ${address}`);
  const mark = `?mutant=${mutant.name}`;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isBelow = context.parentURL?.endsWith(mark) === true && copied.has(resolved.url);
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
