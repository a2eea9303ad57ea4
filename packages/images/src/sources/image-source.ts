/** Sources of images that are named by file name: a folder or a zip. */

import type { Decoded } from "../decode/decode-protocol.ts";
import { problem } from "../problem.ts";

/** Finds and reads images by the names that stand in a sheet. */
export interface ImageSource extends AsyncDisposable {
  /** Name of the source in messages to people. */
  readonly name: string;
  read(name: string): Promise<Decoded<Uint8Array>>;
}

/** Files by name. */
export interface FileNameIndex<File> {
  find(name: string): Decoded<File>;
}

/** A file by its path, with `/` between the folders. */
export type NamedFile<File> = readonly [path: string, file: File];

/**
 * Makes the index of a source. A name means the file at exactly that path; else the one that
 * differs only in case; else the only file with that name in any folder. Several such files are
 * ambiguous.
 */
export function createFileNameIndex<File>(
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
export function toInnerPath(name: string): string | undefined {
  const path = name.replaceAll("\\", "/");
  if (path.includes("\0") || path.includes(":") || path.startsWith("/")) return undefined;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? undefined : parts.join("/");
}

/** Folds the Turkish letters i to one, because programs write file names with either of them. */
const foldName = (path: string): string =>
  path.normalize("NFC").replaceAll(/[İIı]/gu, "i").toLowerCase();
