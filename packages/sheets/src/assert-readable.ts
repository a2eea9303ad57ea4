/** Checks that a file can be read, before anything else is done for it. */

import { open } from "node:fs/promises";

import { fromFileError, SheetError } from "./sheet-error.ts";

/** Throws {@link SheetError} `E_FILE_…` for a file that is missing, a folder, or not readable. */
export async function assertReadable(path: string): Promise<void> {
  try {
    await using file = await open(path, "r");
    if (!(await file.stat()).isDirectory()) return;
  } catch (error) {
    throw fromFileError(error, path);
  }
  throw new SheetError("E_FILE_DIRECTORY", { file: path });
}
