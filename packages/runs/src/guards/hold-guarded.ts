/** Lets the price guards look at rows that were planned before the unit of prices was known. */

import { type PriceUnit, readPriceTag } from "../compare.ts";
import { type IssuePlace } from "../findings.ts";
import { type Journal, type RowRecord } from "../journal.ts";
import { toGuardIssue } from "./guard-issue.ts";
import { type GuardSettings } from "./guard-settings.ts";
import { guardPrice } from "./row-guards.ts";

export interface HoldGuardedOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** As it is known by now. */
  readonly priceUnit: Exclude<PriceUnit, "unknown">;
  readonly guards: GuardSettings;
  /** The cell that a field of the row came from. */
  readonly placeOf: (row: RowRecord, field: string) => IssuePlace;
  readonly signal?: AbortSignal | undefined;
}

const BATCH_ROWS = 200;

/**
 * Holds the updates that are ready and change a price further than the guards let pass, by what the
 * store showed when they were planned. Makes no call. Says how many there were.
 */
export async function holdGuarded(options: HoldGuardedOptions): Promise<number> {
  const { journal, runId } = options;
  let held = 0;
  let after = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const filter = { states: ["ready"], after, limit: BATCH_ROWS } as const;
    const rows = await journal.readRows(runId, filter);
    const last = rows.at(-1);
    if (last === undefined) return held;
    held += await holdBatch(
      options,
      rows.filter(({ action }) => action === "update"),
    );
    after = last.row;
  }
}

async function holdBatch(
  { journal, runId, priceUnit, guards, placeOf }: HoldGuardedOptions,
  rows: readonly RowRecord[],
): Promise<number> {
  const ids = rows.map(({ productId }) => productId).filter((id) => id !== null);
  const shown = new Map(
    (await journal.readSeenById(ids)).map(({ product }) => [product.id, product]),
  );
  const sent = await journal.readLastSent(ids);
  let held = 0;
  for (const record of rows) {
    const { row, productId, payload, issues } = record;
    if (productId === null || payload === null) continue;
    const known = { seen: shown.get(productId), lastSent: sent.get(productId), priceUnit };
    const found = guardPrice({ old: readPriceTag(known), sent: payload }, guards).map((finding) => {
      const isPrice = finding.field === "price" || payload.price !== undefined;
      return toGuardIssue(finding, placeOf(record, isPrice ? "price" : "discount_value"));
    });
    if (found.length === 0) continue;
    const settlement = { to: "held", cause: "guard", issues: [...issues, ...found] } as const;
    await journal.settle({ runId, row, from: "ready" }, settlement);
    held += 1;
  }
  return held;
}
