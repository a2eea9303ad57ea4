/** Imports a module and everything below it a second time, with a rule of safety broken. */

import { registerHooks } from "node:module";

import { type Mutant } from "./mutants.ts";
import { replaceIn, replacementsFor } from "./replace-source.ts";

/** Modules of the workspace get copies of their own; what is installed stays shared. */
const isOurs = (url: string): boolean =>
  url.startsWith("file:") && url.includes(".ts") && !url.includes("/node_modules/");

/** Without a mutant the module comes as it is. */
export async function importMutated(url: URL, mutant: Mutant | undefined): Promise<never> {
  if (mutant === undefined) return await import(url.href);
  const mark = `?mutant=${mutant.name}`;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isBelow = context.parentURL?.endsWith(mark) === true && isOurs(resolved.url);
      return isBelow ? { ...resolved, url: resolved.url + mark } : resolved;
    },
    load(address, context, nextLoad) {
      const loaded = nextLoad(address, context);
      if (!address.endsWith(mark)) return loaded;
      const mine = replacementsFor(address, mutant.replacements);
      return mine.length === 0
        ? loaded
        : { ...loaded, source: replaceIn(String(loaded.source), mine) };
    },
  });
  return await import(url.href + mark);
}
