/** Keeps all uploads together below a limit. */

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { RequestError } from "../site.ts";

export interface UploadRoomOptions {
  /** Folder of uploads. */
  readonly folder: string;
  /** Bytes that all files of the folder may take. */
  readonly maxTotalBytes: number;
  /**
   * Files whose drafts were sent, those to remove first at the beginning. Their cells are in the
   * database, so that only another way of reading them is lost.
   */
  readonly readSentFiles: () => Promise<readonly string[]>;
}

/**
 * Makes room for so many bytes more, and removes no file of a draft that was not sent. Throws
 * {@link RequestError} 507 where that is not enough.
 */
export async function makeRoom(bytes: number, options: UploadRoomOptions): Promise<void> {
  const { folder, maxTotalBytes, readSentFiles } = options;
  const sizes = await readSizes(folder);
  let total = bytes;
  for (const size of sizes.values()) total += size;
  if (total <= maxTotalBytes) return;
  const removable = (await readSentFiles()).filter((path) => sizes.has(path));
  const freed = removable.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  // Where it does not help, nothing is lost for it.
  if (total - freed > maxTotalBytes) throw full(maxTotalBytes);
  for (const path of removable) {
    if (total <= maxTotalBytes) return;
    await rm(path, { force: true });
    total -= sizes.get(path) ?? 0;
  }
}

/** Sizes of the files of a folder by their paths; a missing folder has none. */
async function readSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true) sizes.set(path, found.size);
  }
  return sizes;
}

const MEGABYTE = 1024 * 1024;

const full = (maxTotalBytes: number): RequestError => {
  const limit = Math.floor(maxTotalBytes / MEGABYTE);
  return new RequestError(507, "E_UPLOADS_FULL", {
    tr: `Yüklenen dosyalara ayrılan ${limit} MB doldu. Yükle sayfasında artık gerekmeyen dosyaları silip yeniden yükleyin.`,
    en: `The ${limit} MB for uploaded files are used up. Delete files that you no longer need on the page Upload, then upload again.`,
  });
};
