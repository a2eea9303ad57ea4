/** Compares product codes as this store does. */

import { codeKey, looseCodeKey } from "@catalog/mapping";
import type { CodeRegistry, CodeNormalization } from "@catalog/runs";

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
  return { codeKey, looseCodeKey, normalization: await codes.readNormalization() };
}
