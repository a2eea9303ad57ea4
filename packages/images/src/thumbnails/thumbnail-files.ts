/**
 * Finished thumbnails on disk, one file each, bounded in age and in bytes. A file is written beside
 * its place and renamed, so that a process that is killed leaves either the whole of it or none.
 */

import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { isFileError, makeFolder } from "@catalog/i18n";

import { hashBytes } from "../check/image-checker.ts";

/** Limits of the folder. */
export interface ThumbnailBounds {
  readonly maxBytes: number;
  /** A file that was made longer ago is deleted. */
  readonly maxAgeMs: number;
}

interface StoredThumbnail {
  readonly bytes: Uint8Array;
  readonly madeAtMs: number;
}

interface ThumbnailFiles {
  /** `undefined` where there is none, or one that is damaged, which is deleted. */
  read(key: string): Promise<StoredThumbnail | undefined>;
  /** A disk that is full or read-only keeps nothing; that is no error. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Waits for a clean-up that is under way. */
  settle(): Promise<void>;
}

interface ThumbnailFilesOptions extends ThumbnailBounds {
  readonly folder: string;
  readonly clock: Clock;
}

const UNFINISHED = ".part";
const HOUR_MS = 3_600_000;
/** After a clean-up, this share of the bytes is left, so that the next one is not due at once. */
const KEPT_SHARE = 0.8;

export function createThumbnailFiles(options: ThumbnailFilesOptions): ThumbnailFiles {
  const { folder, clock, maxBytes } = options;
  // What earlier processes have left is counted when the first file is written.
  let totalBytes = Infinity;
  let cleaning: Promise<void> | undefined;

  async function cleanUp(): Promise<void> {
    try {
      do {
        // What is written meanwhile is counted, too; some of it may be counted twice.
        totalBytes = 0;
        const leftBytes = await removeSurplus(options);
        totalBytes += leftBytes;
      } while (totalBytes > maxBytes);
    } catch (error) {
      totalBytes = Infinity;
      ignoreDisk(error);
    } finally {
      cleaning = undefined;
    }
  }

  return {
    async read(key) {
      const path = pathOf(folder, key);
      try {
        const { atimeMs, mtimeMs } = await stat(path);
        const bytes = await readFile(path);
        if (!isWhole(bytes)) {
          await rm(path, { force: true });
          return undefined;
        }
        // The time of the last use decides what is deleted first.
        const nowMs = clock.now();
        if (nowMs - atimeMs > HOUR_MS) await utimes(path, nowMs / 1000, mtimeMs / 1000);
        return { bytes, madeAtMs: mtimeMs };
      } catch (error) {
        ignoreDisk(error);
        return undefined;
      }
    },
    async write(key, bytes) {
      const path = pathOf(folder, key);
      const part = `${path}-${randomUUID()}${UNFINISHED}`;
      try {
        makeFolder(join(folder, key.slice(0, 2)));
        await writeFile(part, bytes, { flag: "wx", mode: 0o600 });
        const seconds = clock.now() / 1000;
        await utimes(part, seconds, seconds);
        await rename(part, path);
        totalBytes += bytes.byteLength;
        if (totalBytes > maxBytes) cleaning ??= cleanUp();
      } catch (error) {
        ignoreDisk(error);
        await rm(part, { force: true }).catch(ignoreDisk);
      }
    },
    settle: async () => await cleaning,
  };
}

/** Files are spread over 256 folders by the first letters of their keys. */
const pathOf = (folder: string, key: string): string =>
  join(folder, key.slice(0, 2), `${key.slice(2)}.jpg`);

/** Whether the bytes begin and end as a JPEG does; a lost power supply may leave zeros. */
const isWhole = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;

function ignoreDisk(error: unknown): void {
  if (!isFileError(error)) throw error;
}

interface FoundFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly usedAtMs: number;
}

/** Deletes what is too old, and then what was not used for longest. Returns the bytes that are left. */
async function removeSurplus(options: ThumbnailFilesOptions): Promise<number> {
  const { maxBytes, folder } = options;
  const files: FoundFile[] = [];
  for (const name of await readdir(folder)) {
    for (const file of await readdir(join(folder, name))) {
      const found = await keepOrRemove(join(folder, name, file), options);
      if (found !== undefined) files.push(found);
    }
  }
  let leftBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (leftBytes <= maxBytes) return leftBytes;
  for (const { path, sizeBytes } of files.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (leftBytes <= maxBytes * KEPT_SHARE) break;
    await rm(path, { force: true });
    leftBytes -= sizeBytes;
  }
  return leftBytes;
}

async function keepOrRemove(
  path: string,
  { clock, maxAgeMs }: ThumbnailFilesOptions,
): Promise<FoundFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const { size, mtimeMs, atimeMs } = found;
  const ageMs = clock.now() - mtimeMs;
  if (ageMs > (path.endsWith(UNFINISHED) ? HOUR_MS : maxAgeMs)) {
    await rm(path, { force: true });
    return undefined;
  }
  return { path, sizeBytes: size, usedAtMs: atimeMs };
}

/** The name of a file, by what it was made of. */
export const thumbnailKey = (...parts: readonly string[]): string =>
  hashBytes(Buffer.from(JSON.stringify(parts)));
