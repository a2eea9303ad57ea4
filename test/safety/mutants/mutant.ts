/** A safety rule that is switched off while the engine is loaded. */

import type { Replacement } from "./replace-source.ts";

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
