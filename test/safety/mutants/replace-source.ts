/**
 * Breaks modules on purpose while they are loaded: one exact fragment of a file becomes another.
 * The files stay as they are, and nothing in them knows of this.
 */

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

import { type SourcePath, toAbsolutePath } from "../../helpers/source-paths.ts";

/** One change of one file. */
export interface Replacement {
  readonly file: SourcePath;
  /** Occurs in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

/** Puts the replacements into a source. Throws where a fragment is not there exactly once. */
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

/** The replacements that concern the module of this address. */
export function replacementsFor(
  url: string,
  replacements: readonly Replacement[],
): readonly Replacement[] {
  const [path = ""] = url.split("?");
  return replacements.filter(({ file }) => path === pathToFileURL(toAbsolutePath(file)).href);
}

/** A source as a loader hands it over. */
export function toText(source: unknown): string {
  if (typeof source === "string") return source;
  if (source instanceof Uint8Array) return Buffer.from(source).toString("utf8");
  throw new TypeError("the module has no source");
}

/** Every module that is loaded from now on is loaded with the replacements. */
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
