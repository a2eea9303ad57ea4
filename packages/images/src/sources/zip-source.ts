/** The images in a zip. Nothing is unpacked to disk; each image is read when it is requested. */

import { basename } from "node:path";
import { buffer } from "node:stream/consumers";

import { type Entry, openPromise, type ZipFile } from "yauzl";

import type { Decoded } from "../decode/decode-protocol.ts";
import { problem } from "../problem.ts";
import { tooLarge } from "./folder-source.ts";
import {
  createFileNameIndex,
  MAX_FILE_BYTES,
  type NamedFile,
  type ImageSource,
  toInnerPath,
} from "./image-source.ts";

const MAX_ENTRIES = 50_000;
/** Maximum compression ratio; images hardly compress further. */
const MAX_RATIO = 200;

/** The zip as a whole cannot be used. */
export class ImageSourceError extends Error {
  override readonly name = "ShelfError";
  readonly code = "E_IMAGES_ZIP";
  /** The zip's name, without its folder. */
  readonly file: string;

  constructor(file: string, options: ErrorOptions = {}) {
    super(`The archive of pictures "${file}" cannot be opened or is not safe.`, options);
    this.file = file;
  }
}

/** Opens a zip. Throws {@link ImageSourceError} when it is damaged or has names that lead outside it. */
export async function openZipSource(path: string): Promise<ImageSource> {
  const name = basename(path);
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const index = createFileNameIndex(name, await listFiles(zip));
    const opened = zip;
    return {
      name,
      read: async (wanted) => {
        const found = index.find(wanted);
        return found.ok ? await readEntry(opened, found.value) : found;
      },
      [Symbol.asyncDispose]: () => Promise.resolve(opened.close()),
    };
  } catch (error) {
    zip?.close();
    throw new ImageSourceError(name, { cause: error });
  }
}

async function listFiles(zip: ZipFile): Promise<readonly NamedFile<Entry>[]> {
  const files: NamedFile<Entry>[] = [];
  if (zip.entryCount > MAX_ENTRIES) throw new Error(`more than ${MAX_ENTRIES} entries`);
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

async function readEntry(zip: ZipFile, entry: Entry): Promise<Decoded<Uint8Array>> {
  const { uncompressedSize, compressedSize } = entry;
  const isBomb = uncompressedSize > MAX_RATIO * Math.max(1, compressedSize);
  if (uncompressedSize > MAX_FILE_BYTES || isBomb) {
    return { ok: false, problem: tooLarge(uncompressedSize) };
  }
  try {
    // The stream fails when it holds more than the directory states.
    return { ok: true, value: await buffer(await zip.openReadStreamPromise(entry)) };
  } catch {
    return { ok: false, problem: problem("E_IMG_CORRUPT") };
  }
}
