import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import type { Site } from "./site.ts";
import { UNFINISHED } from "./uploads/receive-file.ts";

/** Files of a folder that are older are removed. */
export interface RemoveOldOptions {
  readonly folder: string;
  readonly maxAgeMs: number;
  readonly nowMs: number;
  /** End of the names. @default any name */
  readonly ending?: string | undefined;
}

/** Removes what processes that were killed have left; a missing folder has nothing. */
export async function removeOldFiles(options: RemoveOldOptions): Promise<void> {
  const { folder, maxAgeMs, nowMs, ending = "" } = options;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(ending))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isOld = found?.isFile() === true && nowMs - found.mtimeMs > maxAgeMs;
    if (isOld) await rm(path, { force: true });
  }
}

const DAY_MS = 24 * 60 * 60_000;

/** Removes what earlier processes have left: uploads that were cut off, outputs of commands. */
export async function removeLeftovers({
  clock,
  folder,
}: Pick<Site, "clock" | "folder">): Promise<void> {
  const nowMs = clock.now();
  const uploads = { folder: join(folder, "uploads"), ending: UNFINISHED };
  await removeOldFiles({ ...uploads, nowMs, maxAgeMs: DAY_MS });
  // A command may go on for days after the page that has started it.
  await removeOldFiles({ folder: join(folder, "commands"), nowMs, maxAgeMs: 30 * DAY_MS });
}
