/** The byte order mark of UTF-8, with which pasted cells are stored. */

import { open } from "node:fs/promises";

const MARK = Buffer.from("\uFEFF");

/** Whether a file begins with the mark, so that no other encoding can be chosen for it. */
export async function readUtf8Mark(path: string): Promise<boolean> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MARK.length), 0, MARK.length);
  return buffer.subarray(0, bytesRead).equals(MARK);
}
