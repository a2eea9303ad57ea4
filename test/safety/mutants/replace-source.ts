/**
 * Changes modules while they are loaded: one exact fragment of a file is replaced by another. The
 * files stay unchanged and do not contain the replacement.
 */

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

import { type SourcePath, toAbsolutePath } from "../../helpers/source-paths.ts";

/** A replacement in one file. */
export interface Replacement {
  readonly file: SourcePath;
  /** Fragment that occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
}

/** Applies the replacements to a source. Throws where a fragment does not occur exactly once. */
export function replaceIn(source: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, { file, from, to }) => {
    const found = text.split(from).length - 1;
    if (found !== 1) throw new Error(`${file} has ${found} times: ${from}`);
    return text.replace(from, () => to);
  }, source);
}

export function readSource(file: SourcePath): string {
  return readFileSync(toAbsolutePath(file), "utf8");
}

/** The replacements for the module at this address. */
export function replacementsFor(
  url: string,
  replacements: readonly Replacement[],
): readonly Replacement[] {
  const [path = ""] = url.split("?");
  return replacements.filter(({ file }) => path === pathToFileURL(toAbsolutePath(file)).href);
}

/** Text of a source as a loader returns it. */
export function toText(source: unknown): string {
  if (typeof source === "string") return source;
  if (source instanceof Uint8Array) return Buffer.from(source).toString("utf8");
  throw new TypeError("the module has no source");
}

/** Applies the replacements to every module that is loaded from now on. */
export function replaceWhileLoading(replacements: readonly Replacement[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const mine = replacementsFor(url, replacements);
      if (mine.length === 0) return loaded;
      return { ...loaded, source: replaceIn(toText(loaded.source), mine) };
    },
  });
}
