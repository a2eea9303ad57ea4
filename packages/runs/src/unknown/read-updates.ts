/** Settles lost updates: they carry absolute values, so the store itself says which took effect. */

import { type ProductId, type StoreProduct } from "@catalog/contract";

import { compareFields } from "../compare.ts";
import { type RowRecord, type Settlement } from "../journal.ts";
import { type Marketplace } from "../marketplace.ts";
import { SWEEP } from "../plan-run.ts";

/** Reads the products back by their ids, many in one call. */
export async function readProducts(
  marketplace: Marketplace,
  records: readonly RowRecord[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<ProductId, StoreProduct>> {
  const wanted = records.map(({ productId }) => productId).filter((id) => id !== null);
  const missing = new Set(wanted);
  const found = new Map<ProductId, StoreProduct>();
  for (const status of SWEEP) {
    if (missing.size === 0) break;
    for await (const seen of marketplace.listProducts({ status, ids: [...missing], signal })) {
      // A filter that the marketplace ignores must not make another product speak for this one.
      if (missing.delete(seen.id)) found.set(seen.id, seen);
    }
  }
  return found;
}

/** An update is done when the store shows every field of it; otherwise it is sent again. */
export function judgeUpdate(record: RowRecord, seen: StoreProduct | undefined): Settlement {
  if (seen === undefined) return { to: "ready", cause: "read-back-missing" };
  const wanted = record.payload ?? {};
  const { changes, notComparable } = compareFields({ wanted, seen, priceUnit: "unknown" });
  const isApplied = changes.length === 0 && notComparable.length === 0;
  const evidence = { rule: "read back by id", changes, notComparable };
  return isApplied
    ? { to: "done", cause: "read-back", evidence }
    : { to: "ready", cause: "read-back-differs", evidence };
}
