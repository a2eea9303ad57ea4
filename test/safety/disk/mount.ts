/** A small file system of its own for a test, where the machine lets us have one. */

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

export interface Mounted extends Disposable {
  readonly folder: string;
  /** `ro` or `rw`. */
  remount(access: "ro" | "rw"): void;
}

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;

/** In memory, of so many megabytes; `undefined` where nobody may mount anything. */
export function mountSmall(folder: string, megabytes: number): Mounted | undefined {
  mkdirSync(folder, { recursive: true });
  if (!run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder])) return undefined;
  return {
    folder,
    remount(access) {
      if (!run("mount", ["-o", `remount,${access}`, folder])) throw new Error(`no ${access} mount`);
    },
    // Whatever still has a file open there keeps it until it is done.
    [Symbol.dispose]: () => void run("umount", ["-l", folder]),
  };
}
