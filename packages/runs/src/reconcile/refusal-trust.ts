/**
 * Decides which rejections need no lookup at once. Trust only saves calls: a refused add keeps its
 * product code until a lookup has proven that it left no product.
 */

import type { Clock } from "@catalog/clock";

import type { ShopBehavior } from "../ports/shop-behavior.ts";
import { isNeverTrusted, isTrusted, type RefusalSignature } from "./refusal-signature.ts";

/** Kept for one process, so that each start looks up the first rejection of each kind. */
export interface RefusalTrust {
  /** Says whether a rejection of this kind may be trusted without a lookup. */
  trusts(signature: RefusalSignature): Promise<boolean>;
}

/** One of this many rejections is looked up, however well its kind is known. */
const RECHECK_EVERY = 20;

/** Lookups of a kind in one process that prove nothing, after which the process trusts the kind. */
const MAX_FAILED_LOOKUPS = 3;

export function createRefusalTrust({
  journal,
  clock,
}: {
  readonly journal: ShopBehavior;
  readonly clock: Pick<Clock, "now">;
}): RefusalTrust {
  const met = new Map<string, number>();
  return {
    async trusts(signature) {
      const { key } = signature;
      const before = met.get(key) ?? 0;
      met.set(key, before + 1);
      const evidence = await journal.readSignature(key);
      if (isNeverTrusted(signature, evidence)) return false;
      if (before % RECHECK_EVERY === 0) return false;
      return before >= MAX_FAILED_LOOKUPS || isTrusted(signature, evidence, clock.now());
    },
  };
}
