/**
 * Frees the codes of refused adds for which the reading of the store that a plan uses proves that
 * they left no product.
 */

import type { Journal } from "../ports/journal.ts";
import type { KnownCode } from "../ports/ledger.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { isProvenAbsent, toAddHistory } from "./decide-absent.ts";
import { judgeVisibility, sampleVisibility } from "./visibility/visibility.ts";

export interface FreeAbsentCodesOptions {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** When the reading that did not show them started, by the marketplace's clock. */
  readonly lookedUpMs: number | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the codes that stay taken. `isVisibilityProven` says for a code whether the store shows
 * its product.
 */
export async function freeAbsentCodes(
  options: FreeAbsentCodesOptions,
  known: readonly KnownCode[],
  isSeen: (codeKey: string) => boolean,
): Promise<readonly KnownCode[]> {
  const { journal, lookedUpMs } = options;
  const refused = known.filter(({ codeKey, isRefused }) => isRefused === true && !isSeen(codeKey));
  if (refused.length === 0) return known;
  await sampleVisibility(options);
  const visibility = judgeVisibility(await journal.readLagSamples());
  const freed = new Set<KnownCode>();
  for (const code of refused) {
    const history = toAddHistory(await journal.readEvents(code));
    if (!isProvenAbsent(history, visibility, lookedUpMs)) continue;
    await journal.freeCode(code);
    freed.add(code);
  }
  return known.filter((code) => !freed.has(code));
}
