/** Prices that change, with the old one and the new one, the biggest changes first. */

import { type PaidPrices, type RowRecord, toCountClass } from "@catalog/runs";

/** What the buyer pays before and after, in minor units. */
export interface PriceChange {
  readonly row: number;
  readonly code: string;
  readonly oldMinor: number;
  readonly newMinor: number;
  /** Change in percent of the old price. */
  readonly percent: number;
  /** The prices before the discount, where there is one. */
  readonly list?: { readonly oldMinor: number; readonly newMinor: number };
  readonly result: ReturnType<typeof toCountClass>;
}

export interface PriceChanges {
  /** Biggest changes first, at most {@link MAX_CHANGES}. */
  readonly changes: readonly PriceChange[];
  /** Prices that change and whose old value is known. */
  readonly total: number;
  /** Prices that are sent although their old value is not known. */
  readonly unread: number;
}

/** Maximum number of changes drawn; more points add nothing to the chart. */
export const MAX_CHANGES = 2_000;

/** Takes rows one by one. */
export interface PriceChangeList {
  observe(row: PricedRow): void;
  list(): PriceChanges;
}

type PricedRow = Pick<RowRecord, "row" | "code" | "state" | "action" | "changes"> & {
  readonly paid?: PaidPrices | undefined;
};

export function createPriceChangeList(): PriceChangeList {
  const kept: PriceChange[] = [];
  let total = 0;
  let unread = 0;
  return {
    observe(row) {
      const price = row.changes.find(({ field }) => field === "price");
      if (price === undefined) return;
      const change = toPriceChange(row, price.old, price.new);
      if (change === undefined) {
        unread += 1;
        return;
      }
      total += 1;
      kept.push(change);
      if (kept.length >= 2 * MAX_CHANGES) keepBiggest(kept);
    },
    list() {
      keepBiggest(kept);
      return { changes: kept, total, unread };
    },
  };
}

function toPriceChange(
  { row, code, state, action, paid }: PricedRow,
  before: unknown,
  after: unknown,
): PriceChange | undefined {
  if (typeof before !== "number" || typeof after !== "number" || before <= 0) return undefined;
  // Where the marketplace decides what the buyer pays, the prices before the discount are compared.
  const hasPaid = paid?.new !== undefined && paid.old > 0;
  const [oldMinor, newMinor] = hasPaid ? [paid.old, paid.new] : [before, after];
  return {
    row,
    code: code ?? "",
    oldMinor,
    newMinor,
    percent: ((newMinor - oldMinor) / oldMinor) * 100,
    result: toCountClass(state, action),
    ...(hasPaid && { list: { oldMinor: before, newMinor: after } }),
  };
}

/**
 * Factor by which the price rises or falls: a tenth of a price weighs as much as ten times of it.
 */
const weight = ({ oldMinor, newMinor }: PriceChange): number =>
  Math.abs(Math.log(Math.max(1, newMinor) / oldMinor));

function keepBiggest(changes: PriceChange[]): void {
  changes.sort((a, b) => weight(b) - weight(a) || a.row - b.row);
  changes.splice(MAX_CHANGES);
}
