/** Writes a file so that it is either the old one or the whole new one, even after a crash. */

import { createReadStream, createWriteStream, type Stats } from "node:fs";
import { type FileHandle, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { isFileError } from "@catalog/i18n";

/**
 * Files hold catalogs and perhaps customers' data, so other users of the machine must not read
 * them.
 */
const OWNER_ONLY = 0o600;

/** What is at the path; `undefined` where there is nothing yet, or it cannot be replaced either. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}

/** No file may be put in the place of a device or a pipe, such as `/dev/null`. */
async function writeThrough(path: string, write: (path: string) => Promise<void>): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "catalog-writing-"));
  try {
    const temporaryPath = join(scratch, basename(path));
    await write(temporaryPath);
    await pipeline(createReadStream(temporaryPath), createWriteStream(path));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Gives `write` a new path in the same folder, and renames the result to `path` once it is on the
 * disk. If `write` fails, `path` is unchanged and nothing is left behind. Permissions are `mode`,
 * else those of the replaced file, else the owner's only. A device or a pipe takes what
 * was written, and stays.
 */
export async function replaceFile(
  path: string,
  write: (temporaryPath: string) => Promise<void>,
  mode?: number,
): Promise<void> {
  const before = await statOf(path);
  if (before !== undefined && !before.isFile() && !before.isDirectory()) {
    await writeThrough(path, write);
    return;
  }
  const folder = dirname(path);
  // Those of the replaced file, so that its readers can still read it.
  const permissions = mode ?? (before && before.mode & 0o777) ?? OWNER_ONLY;
  const start = join(folder, ".writing-");
  const scratch = await mkdtemp(start).catch((error: unknown) => {
    throw renameIn(error, start, folder);
  });
  try {
    const temporaryPath = join(scratch, basename(path));
    await write(temporaryPath);
    await sync(temporaryPath, "r+", permissions);
    await rename(temporaryPath, path);
    // Windows cannot open a folder; there the rename itself must be durable enough.
    if (process.platform !== "win32") await sync(folder, "r");
  } catch (error) {
    throw renameIn(error, scratch, path);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Names the path that the caller knows in a failure of the file system at a temporary one, which
 * begins with `start`. Any other error stays as it is.
 */
function renameIn(error: unknown, start: string, path: string): unknown {
  if (!isFileError(error) || error.path?.startsWith(start) !== true) return error;
  return Object.assign(new Error(`${error.code}: ${path}`, { cause: error }), error, { path });
}

/**
 * Sets the permissions; a file system without them, as on a memory stick, refuses, and the file is
 * written all the same.
 */
async function allow(handle: FileHandle, mode: number): Promise<void> {
  try {
    await handle.chmod(mode);
  } catch {
    // Nothing else can be done about it.
  }
}

async function sync(path: string, flags: string, mode?: number): Promise<void> {
  await using handle = await open(path, flags);
  if (mode !== undefined) await allow(handle, mode);
  await handle.sync();
}
