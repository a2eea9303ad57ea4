/** Compares product codes as this store does. */

import { codeKey, CODE_KEYS } from "@catalog/mapping";
import type { CodeRegistry, CodeNormalization, LookAlikeOptions } from "@catalog/runs";

/** How a code of a new product is compared with the codes in use. */
export const ALIKE_CODES: Pick<LookAlikeOptions, "suspectKey" | "areApart" | "rewrittenKey"> = {
  suspectKey: CODE_KEYS.lookAlike,
  areApart: CODE_KEYS.areApart,
  // A store rewrites case, width and marks; a code with other zeros was replaced by a person.
  rewrittenKey: CODE_KEYS.suspect,
};

export interface CodeKeys {
  readonly codeKey: (code: string) => string;
  readonly looseCodeKey: (code: string) => string;
  /** How the store normalizes codes, where it was seen to change them. */
  readonly normalization: CodeNormalization | undefined;
}

/** Reads how a store normalizes codes. */
export interface CodeNormalizations {
  readonly codes: CodeRegistry;
}

export async function readCodeKeys({ codes }: CodeNormalizations): Promise<CodeKeys> {
  return { codeKey, looseCodeKey: CODE_KEYS.loose, normalization: await codes.readNormalization() };
}
