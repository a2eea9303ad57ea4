/** Tells workbooks of `writeXlsx` from those that a spreadsheet program has saved since. */

import { closeSync, fstatSync, openSync } from "node:fs";

import { fileBytes, readZipDirectory, ZipError } from "./zip/zip-directory.ts";

/** Parts that spreadsheet programs write, and `writeXlsx` does not: each writes one at least. */
const FOREIGN_PART = /^(?:docProps\/|xl\/theme\/|xl\/sharedStrings\.xml$)/u;

const MAX_ENTRIES = 0xffff;

/**
 * Whether the file, which `writeXlsx` once wrote, was saved by another program since, or replaced by
 * another file; `false` where there is no file. Throws the file system's error where it cannot be
 * read.
 */
export function wasSavedSince(path: string): boolean {
  const file = openIfThere(path);
  if (file === undefined) return false;
  try {
    const source = fileBytes(file, fstatSync(file).size);
    return readZipDirectory(source, MAX_ENTRIES).some(({ name }) => FOREIGN_PART.test(name));
  } catch (error) {
    if (error instanceof ZipError) return true;
    throw error;
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
