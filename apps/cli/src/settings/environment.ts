/** Takes the program's own variables, the secret among them, out of the environment of the process. */

import { type Environment } from "./settings.ts";

/** What every variable of this program begins with, in any case: Windows tells none apart. */
const OURS = /^CATALOG_/iu;

/**
 * A copy of all variables. Those of this program are deleted from `variables`, so that a process
 * started from here on cannot be given them by mistake. On Linux, another process of the same user
 * can still read what this one was started with in `/proc`.
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
