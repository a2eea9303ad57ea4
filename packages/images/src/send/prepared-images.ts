/** Prepared images in a folder, named by their content; the originals are not changed. */

import { randomUUID } from "node:crypto";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeFolder } from "@catalog/i18n";

import type { ImageCheckCache } from "../check/image-check-cache.ts";
import { hashBytes } from "../check/read-content.ts";
import { createSingleFlight } from "../check/single-flight.ts";
import type { Decoded, PrepareSettings } from "../decode/decode-protocol.ts";
import type { Decoder } from "../decode/decoder.ts";

/** The settings that apply unless the user changes them. */
export const DEFAULT_PREPARE: PrepareSettings = {
  maxEdge: 1600,
  targetBytes: 500 * 1024,
  quality: 82,
};

/** A prepared image on disk: always a JPEG. */
export interface PreparedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** What images are prepared with, and where they are kept. */
export interface PreparedImagesOptions {
  /** Absolute path; created when it is missing. */
  readonly folder: string;
  readonly settings: PrepareSettings;
  readonly decoder: Pick<Decoder, "prepare">;
  readonly cache: ImageCheckCache;
}

/** Prepares the images of one run. */
export interface PreparedImages {
  /** Prepares an image once for the same bytes and settings; `readBytes` is only called then. */
  prepare(
    sha256: string,
    readBytes: () => Promise<Decoded<Uint8Array>>,
  ): Promise<Decoded<PreparedFile>>;
}

interface PreparedMemo {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Creates the preparation of images; it writes only below `folder`. */
export function createPreparedImages(options: PreparedImagesOptions): PreparedImages {
  const { folder, settings, decoder, cache } = options;
  const once = createSingleFlight<Decoded<PreparedFile>>();
  const { maxEdge, targetBytes, quality } = settings;

  const pathOf = (sha256: string): string =>
    join(folder, sha256.slice(0, 2), `${sha256.slice(2)}.jpg`);

  async function prepareOnce(
    sha256: string,
    readBytes: () => Promise<Decoded<Uint8Array>>,
  ): Promise<Decoded<PreparedFile>> {
    const key = `prepared:${sha256}:${maxEdge}:${targetBytes}:${quality}`;
    const memo = await cache.read<PreparedMemo>(key);
    if (memo !== undefined && (await isWhole(pathOf(memo.sha256), memo.sizeBytes))) {
      return { ok: true, value: { ...memo, path: pathOf(memo.sha256) } };
    }
    const original = await readBytes();
    if (!original.ok) return original;
    const prepared = await decoder.prepare(original.value, settings);
    if (!prepared.ok) return prepared;
    const { bytes } = prepared.value;
    const made = { sha256: hashBytes(bytes), sizeBytes: bytes.byteLength };
    await writeWhole(pathOf(made.sha256), bytes);
    await cache.write(key, made satisfies PreparedMemo);
    return { ok: true, value: { ...made, path: pathOf(made.sha256) } };
  }

  return {
    prepare: (sha256, readBytes) => once(sha256, () => prepareOnce(sha256, readBytes)),
  };
}

async function isWhole(path: string, sizeBytes: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.size === sizeBytes;
}

/** Writes a file so that a name in the folder always has its whole content, even after a crash. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  makeFolder(dirname(path));
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, bytes, { flag: "wx", mode: 0o600 });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}
