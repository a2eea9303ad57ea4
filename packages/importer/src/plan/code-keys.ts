/** When two product codes are one, in this store. */

import { codeKey, looseCodeKey } from "@catalog/mapping";
import { type CodeBook, type CodeWay } from "@catalog/runs";

export interface StoreCodeKeys {
  readonly codeKey: (code: string) => string;
  readonly looseCodeKey: (code: string) => string;
  /** How the store writes codes, where it was seen to change them. */
  readonly way: CodeWay | undefined;
}

/** Knows how a store writes codes. */
export interface CodeWays {
  readonly codes: CodeBook;
}

export async function readCodeKeys({ codes }: CodeWays): Promise<StoreCodeKeys> {
  return { codeKey, looseCodeKey, way: await codes.readWay() };
}
