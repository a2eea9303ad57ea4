/**
 * Which rejections need not be looked up at once. Trust spares calls and nothing else: what was
 * refused keeps its product code until a look has proven that it left no product behind.
 */

import { type Clock } from "@catalog/clock";

import { type ShopBehavior } from "../ports/shop-behavior.ts";
import { isNeverTrusted, isTrusted, type Signature } from "./refusal-signature.ts";

/** Kept by one process, so that each start looks at the first rejection of each kind. */
export interface RefusalTrust {
  /** Whether a rejection of this kind may be believed without a look. */
  believes(signature: Signature): Promise<boolean>;
}

/** One rejection in so many is looked up however well its kind is known. */
const RECHECK_EVERY = 20;

/** Looks of a kind that find nothing and prove nothing; more of them would not either. */
const MAX_VAIN_LOOKS = 3;

export function createTrust({
  journal,
  clock,
}: {
  readonly journal: ShopBehavior;
  readonly clock: Pick<Clock, "now">;
}): RefusalTrust {
  const met = new Map<string, number>();
  return {
    async believes(signature) {
      const { key } = signature;
      const before = met.get(key) ?? 0;
      met.set(key, before + 1);
      const evidence = await journal.readSignature(key);
      if (isNeverTrusted(signature, evidence)) return false;
      if (before % RECHECK_EVERY === 0) return false;
      return before >= MAX_VAIN_LOOKS || isTrusted(signature, evidence, clock.now());
    },
  };
}
