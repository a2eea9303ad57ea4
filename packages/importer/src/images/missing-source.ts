import { basename } from "node:path";

import { type ImageSource, problem } from "@catalog/images";

/** An image source that no longer exists: it holds no file and keeps its name for messages. */
export function createMissingSource(source: string): ImageSource {
  const name = basename(source);
  return {
    name,
    read: (value) =>
      Promise.resolve({ ok: false, problem: problem("E_IMG_MISSING", { value, source: name }) }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
