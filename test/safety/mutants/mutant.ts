/** A safety rule that is switched off while the engine is loaded. */

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { type SourcePath, toAbsolutePath } from "../../helpers/source-paths.ts";
import type { SeedRange } from "../simulation/play-seeds.ts";

export interface Mutant {
  readonly name: string;
  /** What the engine does without the rule. */
  readonly breaks: string;
  readonly replacements: readonly Replacement[];
}

/** Result of playing a mutant. */
export interface MutantResult {
  readonly name: string;
  readonly worlds: number;
  /** Seed of the broken world; `null` when the mutant was not noticed. */
  readonly seed: number | null;
  readonly broken: readonly string[];
}

export const mutant = (
  name: string,
  breaks: string,
  ...replacements: readonly Replacement[]
): Mutant => ({ name, breaks, replacements });

/*
 * Changes modules while they are loaded: one exact fragment of a file is replaced by another. The
 * files stay unchanged and do not contain the replacement.
 */

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

/*
 * The first world in which each mutant is noticed: it is played before all others. After a change of
 * how worlds are drawn, `node test/safety/mutants/main.ts --write` takes minutes and renews them.
 */

const FILE = new URL("first-seeds.json", import.meta.url);

/** Seeds by the name of the mutant. */
export const FIRST_SEEDS: Readonly<Record<string, number>> = JSON.parse(readFileSync(FILE, "utf8"));

/** Worlds in which the engine was once wrong. */
const ONCE_BROKEN = [
  // A released row finds the value of its plan again, written by another writer: what the plan has
  // seen is no stranger's value, though another one was shown to the person.
  103_742,
  // A released row is no longer held for what its person has seen, though it may have been sent and
  // its plan did not show its product.
  8_013_980,
];

/** Those worlds, and the ones in which mutants are noticed, each alone. */
export const KNOWN_RANGES: readonly SeedRange[] = [
  ...new Set([...Object.values(FIRST_SEEDS), ...ONCE_BROKEN]),
].map((from) => ({ from, count: 1 }));

/** Replaces the seeds of these mutants. */
export function writeFirstSeeds(seeds: Readonly<Record<string, number>>): void {
  writeFileSync(FILE, `${JSON.stringify({ ...FIRST_SEEDS, ...seeds }, undefined, 2)}\n`);
}
