/** The images in a zip. Nothing is unpacked to disk; each image is read when it is requested. */

import { basename } from "node:path";
import { buffer } from "node:stream/consumers";

import { type Entry, openPromise, type ZipFile } from "yauzl";

import type { Decoded } from "../decode/decode-protocol.ts";
import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB } from "../image-limits.ts";
import { sizeText } from "../image-rules.ts";
import { problem } from "../problem.ts";
import { tooLarge } from "./folder-source.ts";
import {
  createFileNameIndex,
  type NamedFile,
  type ImageSource,
  toInnerPath,
} from "./image-source.ts";

/** The zip as a whole cannot be used. */
export class ImageSourceError extends Error {
  override readonly name = "ShelfError";
  readonly code = "E_IMAGES_ZIP";
  /** The zip's name, without its folder. */
  readonly file: string;
  /** The maximum number of entries, where the zip has more. */
  readonly maxEntries: number | undefined;

  constructor(file: string, options: ErrorOptions & { readonly maxEntries?: number } = {}) {
    super(`The archive of pictures "${file}" cannot be opened or is not safe.`, options);
    this.file = file;
    this.maxEntries = options.maxEntries;
  }
}

/** Opens a zip. Throws {@link ImageSourceError} when it is damaged or has names that lead outside it. */
export async function openZipSource(
  path: string,
  given: Partial<ImageLimits> = {},
): Promise<ImageSource> {
  const limits = { ...DEFAULT_IMAGE_LIMITS, ...given };
  const name = basename(path);
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const { imageZipEntries: maxEntries } = limits;
    if (zip.entryCount > maxEntries) throw new ImageSourceError(name, { maxEntries });
    const index = createFileNameIndex(name, await listFiles(zip));
    const opened = zip;
    return {
      name,
      read: async (wanted) => {
        const found = index.find(wanted);
        return found.ok ? await readEntry(opened, found.value, limits) : found;
      },
      [Symbol.asyncDispose]: () => Promise.resolve(opened.close()),
    };
  } catch (error) {
    zip?.close();
    if (error instanceof ImageSourceError) throw error;
    throw new ImageSourceError(name, { cause: error });
  }
}

async function listFiles(zip: ZipFile): Promise<readonly NamedFile<Entry>[]> {
  const files: NamedFile<Entry>[] = [];
  for await (const entry of zip.eachEntry()) {
    if (toInnerPath(entry.fileName) === undefined) throw new Error("a name leads out of the zip");
    if (!entry.fileName.endsWith("/") && !isLink(entry)) files.push([entry.fileName, entry]);
  }
  return files;
}

const FILE_KIND = 0o170000;
const LINK = 0o120000;

const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & FILE_KIND) === LINK;

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  limits: ImageLimits,
): Promise<Decoded<Uint8Array>> {
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > limits.imageMb * MB) {
    return { ok: false, problem: tooLarge(uncompressedSize, limits) };
  }
  const { imageZipRatio } = limits;
  if (uncompressedSize > imageZipRatio * Math.max(1, compressedSize)) {
    const size = sizeText(uncompressedSize);
    const params = { size, limit: `${imageZipRatio} : 1`, setting: "limits.imageZipRatio" };
    return { ok: false, problem: problem("E_IMG_SIZE", params) };
  }
  try {
    // The stream fails when it holds more than the directory states.
    return { ok: true, value: await buffer(await zip.openReadStreamPromise(entry)) };
  } catch {
    return { ok: false, problem: problem("E_IMG_CORRUPT") };
  }
}
