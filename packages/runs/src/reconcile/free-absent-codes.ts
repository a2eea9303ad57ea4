/**
 * Frees the codes of refused adds for which the reading of the store that a plan uses proves that
 * they left no product.
 */

import { type Journal } from "../ports/journal.ts";
import { type KnownCode } from "../ports/ledger.ts";
import { type Marketplace } from "../ports/marketplace.ts";
import { isProvenAbsent, toDoubt } from "./decide-absent.ts";
import { judgeVisibility, lookForSamples } from "./visibility.ts";

export interface FreeCodesOptions {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** When the reading that did not show them started, by the marketplace's clock. */
  readonly lookedMs: number | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the codes that stay taken. `isSeen` says for a code whether the store shows its product.
 */
export async function freeAbsentCodes(
  options: FreeCodesOptions,
  known: readonly KnownCode[],
  isSeen: (codeKey: string) => boolean,
): Promise<readonly KnownCode[]> {
  const { journal, lookedMs } = options;
  const refused = known.filter(({ codeKey, isRefused }) => isRefused === true && !isSeen(codeKey));
  if (refused.length === 0) return known;
  await lookForSamples(options);
  const visibility = judgeVisibility(await journal.readLagSamples());
  const freed = new Set<KnownCode>();
  for (const code of refused) {
    const doubt = toDoubt(await journal.readEvents(code));
    if (!isProvenAbsent(doubt, visibility, lookedMs)) continue;
    await journal.freeCode(code);
    freed.add(code);
  }
  return known.filter((code) => !freed.has(code));
}
