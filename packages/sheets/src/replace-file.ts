/** Writing a file so that it is either the old one or the whole new one, whatever happens. */

import { mkdtemp, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Gives `write` a fresh path in the same folder, and puts what it wrote in the place of `path` once
 * it is on the disk. If `write` fails, `path` is as it was and nothing is left behind.
 */
export async function replaceFile(
  path: string,
  write: (temporaryPath: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  const scratch = await mkdtemp(join(folder, ".writing-"));
  try {
    const temporaryPath = join(scratch, basename(path));
    await write(temporaryPath);
    await sync(temporaryPath, "r+");
    await rename(temporaryPath, path);
    // Windows cannot open a folder; there the rename itself has to do.
    if (process.platform !== "win32") await sync(folder, "r");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function sync(path: string, flags: string): Promise<void> {
  await using handle = await open(path, flags);
  await handle.sync();
}
