/** A small file system for a test, on machines that allow mounting one. */

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { isDiskFull } from "@catalog/i18n";

export interface Mounted extends Disposable {
  readonly folder: string;
  /** Mounts it again as `ro` or `rw`. */
  remount(access: "ro" | "rw"): void;
}

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;

/**
 * Mounts a file system in memory with a size in megabytes; `undefined` where mounting is not
 * allowed.
 */
export function mountSmall(folder: string, megabytes: number): Mounted | undefined {
  mkdirSync(folder, { recursive: true });
  if (!run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder])) return undefined;
  return {
    folder,
    remount(access) {
      if (!run("mount", ["-o", `remount,${access}`, folder])) throw new Error(`no ${access} mount`);
    },
    // A lazy unmount waits for files that are still open.
    [Symbol.dispose]: () => void run("umount", ["-l", folder]),
  };
}

/** Fills the file system, whatever others write to it, and returns the file that takes its room. */
export function fill({ folder }: Mounted): string {
  const path = join(folder, "filler");
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }
  return path;
}
