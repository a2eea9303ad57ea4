/** Writes rows as JSON lines, for programs. */

import { open } from "node:fs/promises";

import type { OutCell, Rows } from "../out-cell.ts";
import { replaceFile } from "../replace-file.ts";

/** A table to be written as JSON lines. */
export interface JsonlTable {
  readonly path: string;
  /** Name of each value. */
  readonly keys: readonly string[];
  readonly rows: Rows<readonly OutCell[]>;
  /** Permissions of the file. @default those of the file that is replaced, else the owner's only */
  readonly mode?: number | undefined;
}

const BATCH_CHARS = 64 * 1024;

/**
 * Writes one JSON object per line, in UTF-8 without a byte order mark. Texts are unchanged, because
 * no spreadsheet reads this file. The file at `path` is replaced at the end, completely or not at
 * all.
 */
export async function writeJsonl({ path, keys, rows, mode }: JsonlTable): Promise<void> {
  const write = async (temporaryPath: string): Promise<void> => {
    await using handle = await open(temporaryPath, "wx");
    let batch = "";
    for await (const cells of rows) {
      const entries = keys.map((key, index) => [key, cells[index] ?? null] as const);
      batch += `${JSON.stringify(Object.fromEntries(entries))}\n`;
      if (batch.length < BATCH_CHARS) continue;
      await handle.writeFile(batch);
      batch = "";
    }
    await handle.writeFile(batch);
  };
  await replaceFile(path, write, mode);
}
