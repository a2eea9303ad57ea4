/** Where the machine stores marks that must not be copied together with the home. */

import { isAbsolute, join, relative, resolve } from "node:path";

import type { Environment } from "./settings.ts";

const NAME = "catalog-toolkit";

/**
 * The folder of the marks that reveal a restored older copy of the home, by the platform's
 * convention; `undefined` where there is no such folder, or where it would be inside the home.
 */
export function resolveMarkFolder(
  env: Environment,
  home: string,
  platform: NodeJS.Platform,
): string | undefined {
  const state = findState(env, platform);
  if (state === undefined || !isAbsolute(state)) return undefined;
  const folder = join(state, NAME, "marks");
  return isInside(folder, home) ? undefined : folder;
}

function findState(env: Environment, platform: NodeJS.Platform): string | undefined {
  if (env["XDG_STATE_HOME"]) return env["XDG_STATE_HOME"];
  if (platform === "win32") {
    return env["LOCALAPPDATA"] && join(env["LOCALAPPDATA"], "State");
  }
  if (!env["HOME"]) return undefined;
  // Outside the default home, and outside folders that are cleared as caches.
  return platform === "darwin"
    ? join(env["HOME"], "Library", "Preferences")
    : join(env["HOME"], ".local", "state");
}

function isInside(folder: string, home: string): boolean {
  const route = relative(resolve(home), folder);
  return route === "" || (!route.startsWith("..") && !isAbsolute(route));
}
