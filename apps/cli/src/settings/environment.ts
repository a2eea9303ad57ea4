/**
 * Removes the program's own variables, the secret among them, from the environment of the process.
 */

import type { Environment } from "./settings.ts";

/** Prefix of this program's variables, in any case, since Windows ignores case. */
const OURS = /^CATALOG_/iu;

/**
 * Returns a copy of all variables. This program's variables are deleted from `variables`, so that a
 * process started later does not inherit them. On Linux, another process of the same user can still
 * read the initial environment in `/proc`.
 */
export function takeEnvironment(variables: Record<string, string | undefined>): Environment {
  const taken: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(variables)) {
    const isOurs = OURS.test(name);
    taken[isOurs ? name.toUpperCase() : name] = value;
    if (isOurs) delete variables[name];
  }
  return taken;
}
