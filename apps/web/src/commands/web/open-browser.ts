/** Opens an address in the person's browser. */

import { spawn } from "node:child_process";

/** The program that opens addresses on a system, and its words before the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // `start` is a word of the shell; this program opens addresses without one.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens the address; returns whether a program was found for it. No shell sees the address. */
export function openBrowser(
  url: string,
  { platform, env }: { readonly platform: NodeJS.Platform; readonly env: NodeJS.ProcessEnv },
): Promise<boolean> {
  const [program = "", ...words] = OPENERS[platform] ?? ["xdg-open"];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true, env });
  child.once("error", () => resolve(false));
  child.once("spawn", () => resolve(true));
  child.unref();
  return promise;
}
