import { basename } from "node:path";

import { type PictureShelf, problem } from "@catalog/images";

/** A folder or zip that was there once: nothing is in it, and people are told its name. */
export function createGoneShelf(source: string): PictureShelf {
  const name = basename(source);
  return {
    name,
    read: (value) =>
      Promise.resolve({ ok: false, problem: problem("E_IMG_MISSING", { value, source: name }) }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
