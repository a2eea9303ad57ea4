/** Writes a long text to a file piece by piece. */

import type { FileHandle } from "node:fs/promises";

/** Collects texts and writes many of them at a time, as UTF-8. */
export interface TextOutput {
  /** Takes the next text; at once, unless what was collected has to be written. */
  write(text: string): Promise<void> | undefined;
  /** Writes what is left. */
  flush(): Promise<void>;
}

const BUFFER_BYTES = 128 * 1024;
/** A character takes at most three bytes, one half of a surrogate pair included. */
const MAX_CHAR_BYTES = 3;

/**
 * Creates the output to an open file. The texts are collected as bytes, because one long text of
 * them would go to V8's old space at once. A text must not end within a surrogate pair.
 */
export function createTextOutput(handle: FileHandle): TextOutput {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let size = 0;
  const flush = async (): Promise<void> => {
    const filled = buffer.subarray(0, size);
    size = 0;
    await handle.writeFile(filled);
  };
  const writeFull = async (text: string): Promise<void> => {
    await flush();
    if (text.length * MAX_CHAR_BYTES > BUFFER_BYTES) await handle.writeFile(text);
    else size = buffer.write(text);
  };
  return {
    write(text) {
      if (size + text.length * MAX_CHAR_BYTES > BUFFER_BYTES) return writeFull(text);
      size += buffer.write(text, size);
      return undefined;
    },
    flush,
  };
}
