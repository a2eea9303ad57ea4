/** When two product codes are one, in this store. */

import { codeKey, looseCodeKey } from "@catalog/mapping";
import { type CodeWay } from "@catalog/runs";

import { type Toolkit } from "./open-toolkit.ts";

export interface StoreCodeKeys {
  readonly codeKey: (code: string) => string;
  readonly looseCodeKey: (code: string) => string;
  /** How the store writes codes, where it was seen to change them. */
  readonly way: CodeWay | undefined;
}

export async function readCodeKeys({ codes }: Pick<Toolkit, "codes">): Promise<StoreCodeKeys> {
  return { codeKey, looseCodeKey, way: await codes.readWay() };
}
