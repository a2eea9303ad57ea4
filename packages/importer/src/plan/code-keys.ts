/** Compares product codes as this store does. */

import { codeKey, looseCodeKey } from "@catalog/mapping";
import { type CodeBook, type CodeWay } from "@catalog/runs";

export interface StoreCodeKeys {
  readonly codeKey: (code: string) => string;
  readonly looseCodeKey: (code: string) => string;
  /** How the store normalizes codes, where it was seen to change them. */
  readonly way: CodeWay | undefined;
}

/** Reads how a store normalizes codes. */
export interface CodeWays {
  readonly codes: CodeBook;
}

export async function readCodeKeys({ codes }: CodeWays): Promise<StoreCodeKeys> {
  return { codeKey, looseCodeKey, way: await codes.readWay() };
}
