/** Looks again at the products that a plan updates, before it is applied late. */

import { isDeepStrictEqual } from "node:util";

import { LISTING_STATUSES, MAX_PAGE_SIZE, type StoreProduct } from "@catalog/contract";

import { compareFields, type PriceUnit } from "./compare.ts";
import { toIssue } from "./findings.ts";
import { type FieldChange, type Journal, type RowRecord } from "./journal.ts";
import { type Marketplace } from "./marketplace.ts";

export interface HoldChangedOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Unit of the listing's prices when the plan was made. */
  readonly priceUnit: PriceUnit;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Holds the updates of a run whose product no longer shows the values that the plan saw: what a
 * person agreed to change is not there any more. Says how many there were.
 */
export async function holdChanged(options: HoldChangedOptions): Promise<number> {
  const { journal, runId } = options;
  // What an earlier process wrote down and never sent will be sent again: it is looked at as well.
  await journal.recover();
  let held = 0;
  let after = 0;
  for (;;) {
    const filter = { states: ["ready"], after, limit: MAX_PAGE_SIZE } as const;
    const rows = await journal.readRows(runId, filter);
    const last = rows.at(-1);
    if (last === undefined) return held;
    const updates = rows.filter(({ action }) => action === "update");
    const seen = await readProducts(options, updates);
    for (const record of updates) {
      const differences = findDifferences(record, seen.get(record.productId ?? ""), options);
      if (differences.length === 0) continue;
      const { row, code } = record;
      const place = { sheet: options.sheet, row, column: "", cell: "", value: code ?? "" };
      const issues = [toIssue("E_CHANGED", place, differences.join("; "))];
      const evidence = { rule: "read again by id before a late apply", differences };
      await journal.settle(
        { runId, row, from: "ready" },
        { to: "held", cause: "changed", issues, evidence },
      );
      held += 1;
    }
    after = last.row;
  }
}

async function readProducts(
  { marketplace, signal }: HoldChangedOptions,
  rows: readonly RowRecord[],
): Promise<ReadonlyMap<string, StoreProduct>> {
  const ids = rows.map(({ productId }) => productId).filter((id) => id !== null);
  const found = new Map<string, StoreProduct>();
  if (ids.length === 0) return found;
  for (const status of LISTING_STATUSES) {
    for await (const product of marketplace.listProducts({ status, ids, signal })) {
      found.set(product.id, product);
    }
  }
  return found;
}

/** Fields that show something else by now, with both values. */
function findDifferences(
  { changes, payload }: RowRecord,
  seen: StoreProduct | undefined,
  { priceUnit }: HoldChangedOptions,
): readonly string[] {
  const shown = changes.filter(({ old }) => old !== undefined);
  if (seen === undefined) return shown.map(({ field, old }) => toDifference(field, old, undefined));
  const now = compareFields({ wanted: payload ?? {}, seen, priceUnit });
  const nowOf = new Map(now.changes.map((change): [string, FieldChange] => [change.field, change]));
  return shown.flatMap(({ field, old, new: wanted }) => {
    if (now.notComparable.includes(field)) return [];
    const change = nowOf.get(field);
    // What is not different from the wanted value is the wanted value: somebody was faster.
    const current = change === undefined ? wanted : change.old;
    const isSame = current === undefined || isDeepStrictEqual(current, old);
    return isSame ? [] : [toDifference(field, old, current)];
  });
}

const toDifference = (field: string, old: unknown, now: unknown): string =>
  `${field}: ${JSON.stringify(old)} → ${now === undefined ? "?" : JSON.stringify(now)}`;
