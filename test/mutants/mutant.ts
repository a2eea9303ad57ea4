/** A rule of safety that is switched off while the engine is loaded. */

import { type Replacement } from "./replace-source.ts";

export interface Mutant {
  readonly name: string;
  /** What the engine does then. */
  readonly breaks: string;
  readonly replacements: readonly Replacement[];
}

/** How a mutant fared. */
export interface MutantResult {
  readonly name: string;
  readonly worlds: number;
  /** `null` when it was not noticed. */
  readonly seed: number | null;
  readonly broken: readonly string[];
}

interface Change {
  /** Below the sources of the runs package, or of the store where it begins with `store:`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const mutant = (name: string, breaks: string, ...changes: readonly Change[]): Mutant => ({
  name,
  breaks,
  replacements: changes.map(({ file, from, to }) => ({ file: toPath(file), from, to })),
});

function toPath(file: string): string {
  const [first = "", second] = file.split(":");
  return second === undefined ? `packages/runs/src/${first}` : `packages/${first}/src/${second}`;
}
