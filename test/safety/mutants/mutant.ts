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

export const mutant = (
  name: string,
  breaks: string,
  ...replacements: readonly Replacement[]
): Mutant => ({ name, breaks, replacements });
