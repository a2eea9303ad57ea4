/** Files that only their owner can read or change. */

import { chmod, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { makeFolder } from "@catalog/i18n";

const OTHERS = 0o077;

/**
 * Whether only the owner can access the file; always `true` where the system has no owners
 * (`undefined`).
 */
export async function isPrivate(path: string, ownerId: number | undefined): Promise<boolean> {
  if (ownerId === undefined) return true;
  const { mode, uid } = await lstat(path);
  return (mode & OTHERS) === 0 && uid === ownerId;
}

interface PrivateFileOptions {
  /** Whether a folder that exists keeps its permissions. @default it is made private */
  readonly isFolderKept?: boolean | undefined;
}

/**
 * Writes a text into a private folder. The file is complete at every moment, and never readable for
 * others, not even while it is written.
 */
export async function replacePrivateFile(
  path: string,
  text: string,
  { isFolderKept = false }: PrivateFileOptions = {},
): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  if (!isFolderKept) await chmod(folder, 0o700);
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
