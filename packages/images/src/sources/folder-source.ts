import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";

import type { Decoded } from "../decode/decode-protocol.ts";
import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB } from "../image-limits.ts";
import { sizeText } from "../image-rules.ts";
import { problem } from "../problem.ts";
import { createFileNameIndex, type ImageSource } from "./image-source.ts";

/** Opens the images in a folder and its subfolders. Throws where the folder cannot be listed. */
export async function openFolderSource(
  folder: string,
  given: Partial<ImageLimits> = {},
): Promise<ImageSource> {
  const limits = { ...DEFAULT_IMAGE_LIMITS, ...given };
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
export function tooLarge(
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
