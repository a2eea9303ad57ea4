/** Writing a file so that it is either the old one or the whole new one, whatever happens. */

import { type FileHandle, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Tables hold catalogs, and perhaps customers: they are not for everybody on the machine. */
const OWNER_ONLY = 0o600;

/** Lets whoever was given a file go on reading it. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    // There is none yet, or it cannot be replaced either.
    return undefined;
  }
}

/**
 * Gives `write` a fresh path in the same folder, and puts what it wrote in the place of `path` once
 * it is on the disk. If `write` fails, `path` is as it was and nothing is left behind. Permissions
 * are `mode`, else those of the file that is replaced, else the owner's only.
 */
export async function replaceFile(
  path: string,
  write: (temporaryPath: string) => Promise<void>,
  mode?: number,
): Promise<void> {
  const folder = dirname(path);
  const permissions = mode ?? (await modeOf(path)) ?? OWNER_ONLY;
  const scratch = await mkdtemp(join(folder, ".writing-"));
  try {
    const temporaryPath = join(scratch, basename(path));
    await write(temporaryPath);
    await sync(temporaryPath, "r+", permissions);
    await rename(temporaryPath, path);
    // Windows cannot open a folder; there the rename itself has to do.
    if (process.platform !== "win32") await sync(folder, "r");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A file system without permissions, as on a memory stick, refuses them; the file is written. */
async function allow(handle: FileHandle, mode: number): Promise<void> {
  try {
    await handle.chmod(mode);
  } catch {
    // There is nothing else that could be done about it.
  }
}

async function sync(path: string, flags: string, mode?: number): Promise<void> {
  await using handle = await open(path, flags);
  if (mode !== undefined) await allow(handle, mode);
  await handle.sync();
}
