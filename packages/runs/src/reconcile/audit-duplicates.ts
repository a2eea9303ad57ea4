/**
 * Checks after a run whether the store has a product of one of its adds twice. Only an add whose
 * outcome was once unknown can be doubled: a proxy may have repeated its request, or another
 * program may have added the same code meanwhile. It only reports, because a product cannot be
 * deleted.
 */

import type { ProductId } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import { normalizeCode } from "../plan/codes/code-normalization.ts";
import type { Journal } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { RowRecord } from "../row/row-record.ts";
import { toAddHistory } from "./decide-absent.ts";
import { findLostAdds, type WantedAdd } from "./find-lost-adds.ts";
import { type CodeKeys, matchProduct } from "./match-product.ts";

/** Ports and run for {@link auditDuplicates}. */
export interface AuditDuplicatesOptions extends CodeKeys {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Names a row for people. @default by its number */
  readonly nameRow?: ((row: number) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A product code of the run that more than one product has. */
export interface FoundDuplicate {
  readonly row: number;
  readonly code: string;
  readonly ids: readonly ProductId[];
  /** Message for people, in both languages. */
  readonly message: Localized;
}

/** Maximum number of adds to check; the circuit breaker keeps a run well below it. */
const MAX_ROWS = 1_000;

/**
 * Returns the duplicates that the store shows for the run's adds. Makes no call where no outcome
 * was unknown.
 */
export async function auditDuplicates(
  options: AuditDuplicatesOptions,
): Promise<readonly FoundDuplicate[]> {
  const { journal, marketplace, runId, signal } = options;
  const rows = await journal.readSuspectAdds(runId, MAX_ROWS);
  if (rows.length === 0) return [];
  const wanted: WantedAdd[] = [];
  for (const { row, code } of rows) {
    const { startedMs } = toAddHistory(await journal.readEvents({ runId, row }));
    const stored = normalizeCode(options.normalization ?? [], code ?? "");
    wanted.push({ code: code ?? "", variants: stored === code ? [] : [stored], startedMs });
  }
  const shownFor = await findLostAdds(marketplace, wanted, signal);
  if (shownFor === undefined) return [];
  return rows.flatMap((record) => {
    const { strength, ids } = matchProduct(record, shownFor(record.code ?? ""), options);
    return strength === "several" ? [toDuplicate(record, ids, options.nameRow)] : [];
  });
}

function toDuplicate(
  { row, code: known }: RowRecord,
  ids: readonly ProductId[],
  nameRow: (row: number) => string = String,
): FoundDuplicate {
  const code = known ?? "";
  const named = nameRow(row);
  const list = ids.join(", ");
  const message = {
    tr: `DUPLICATE_FOUND: ${named}. satırdaki "${code}" kodunu mağazada birden çok ürün taşıyor (${list}). Ürünleri panelde karşılaştırın ve fazlasını oradan kaldırın.`,
    en: `DUPLICATE_FOUND: several products have the code "${code}" of row ${named} (${list}). Compare them in the store's panel, and remove the surplus one there.`,
  };
  return { row, code, ids, message };
}
