/**
 * Sources of images that are named by file name: a folder, or a zip, of which nothing is unpacked
 * to disk.
 */

import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";

import { type Entry, openPromise, type ZipFile } from "yauzl";

import type { Decoded } from "../decode/decode-protocol.ts";
import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB, sizeText } from "../image-rules.ts";
import { problem } from "../problem.ts";

/** Finds and reads images by the names that a sheet contains. */
export interface ImageSource extends AsyncDisposable {
  /** Name of the source in messages to people. */
  readonly name: string;
  read(name: string): Promise<Decoded<Uint8Array>>;
}

/** Files by name. */
interface FileNameIndex<File> {
  find(name: string): Decoded<File>;
}

/** A file by its path, with `/` between the folders. */
type NamedFile<File> = readonly [path: string, file: File];

/**
 * Makes the index of a source. A name means the file at exactly that path; else the one that
 * differs only in case; else the only file with that name in any folder. Several such files are
 * ambiguous.
 */
function createFileNameIndex<File>(
  source: string,
  files: readonly NamedFile<File>[],
): FileNameIndex<File> {
  const exact = new Map(files);
  const byPath = Map.groupBy(files, ([path]) => foldName(path));
  const byName = Map.groupBy(files, ([path]) => foldName(path.slice(path.lastIndexOf("/") + 1)));
  return {
    find(name) {
      const path = toInnerPath(name);
      if (path === undefined) return { ok: false, problem: problem("E_PATH", { value: name }) };
      const direct = exact.get(path);
      if (direct !== undefined) return { ok: true, value: direct };
      const folded = foldName(path);
      const found = byPath.get(folded) ?? byName.get(folded) ?? [];
      const [first, second] = found;
      if (first !== undefined && second === undefined) return { ok: true, value: first[1] };
      if (first === undefined) {
        const params = { value: name, source };
        return { ok: false, problem: problem("E_IMG_MISSING", params) };
      }
      const names = found.map(([each]) => each).join(", ");
      return { ok: false, problem: problem("E_IMG_AMBIGUOUS", { value: name, names }) };
    },
  };
}

/** A path inside the source, with `/` between the folders; `undefined` when it leads outside. */
function toInnerPath(name: string): string | undefined {
  const path = name.replaceAll("\\", "/");
  if (path.includes("\0") || path.includes(":") || path.startsWith("/")) return undefined;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? undefined : parts.join("/");
}

/** Folds the Turkish letters i to one, because programs write file names with either of them. */
const foldName = (path: string): string =>
  path.normalize("NFC").replaceAll(/[İIı]/gu, "i").toLowerCase();

/**
 * Opens a folder with its subfolders, or a zip. Throws {@link ImageSourceError} for a zip that is
 * damaged or has names that lead outside it, and the system's error for a folder.
 */
export async function openImageSource(
  path: string,
  given: Partial<ImageLimits> = {},
): Promise<ImageSource> {
  const limits = { ...DEFAULT_IMAGE_LIMITS, ...given };
  const stats = await stat(path);
  return stats.isDirectory() ? await openFolder(path, limits) : await openZip(path, limits);
}

async function openFolder(folder: string, limits: ImageLimits): Promise<ImageSource> {
  const root = await realpath(folder);
  const name = basename(root);
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .map((path) => [path.replaceAll(sep, "/"), path] as const);
  const index = createFileNameIndex(name, files);
  return {
    name,
    read: async (wanted) => {
      const found = index.find(wanted);
      return found.ok ? await readInside(root, { wanted, path: found.value, name, limits }) : found;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface WantedFile {
  readonly wanted: string;
  readonly path: string;
  readonly name: string;
  readonly limits: Pick<ImageLimits, "imageMb">;
}

/**
 * Reads a file by its real path, which must be inside the folder; the opened path is then no link.
 */
async function readInside(root: string, file: WantedFile): Promise<Decoded<Uint8Array>> {
  const missing = problem("E_IMG_MISSING", { value: file.wanted, source: file.name });
  const real = await realpath(join(root, file.path)).catch(() => undefined);
  if (real === undefined) return { ok: false, problem: missing };
  if (!real.startsWith(root + sep)) {
    return { ok: false, problem: problem("E_PATH", { value: file.wanted }) };
  }
  await using handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
  const stats = await handle.stat();
  if (!stats.isFile()) return { ok: false, problem: missing };
  if (stats.size > file.limits.imageMb * MB) {
    return { ok: false, problem: tooLarge(stats.size, file.limits) };
  }
  return { ok: true, value: await handle.readFile() };
}

/** The problem of an original that is too large to be read. */
function tooLarge(
  sizeBytes: number,
  { imageMb }: Pick<ImageLimits, "imageMb">,
): ReturnType<typeof problem> {
  const limit = sizeText(imageMb * MB);
  return problem("E_IMG_SIZE", {
    size: sizeText(sizeBytes),
    limit,
    setting: "limits.imageMb",
  });
}

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

async function openZip(path: string, limits: ImageLimits): Promise<ImageSource> {
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
