/** What a buyer pays before and after an update, where a discount makes that differ from the price. */

import type { Connection } from "@catalog/connection";
import { readPriceTag, type RowRecord, type RunRecord, toPaidPrice } from "@catalog/runs";

/** The price after the discount, in minor units. */
export interface BuyerPrice {
  readonly old: number;
  /** `undefined` where the discount leaves no lower price, so that the marketplace decides. */
  readonly new: number | undefined;
}

const PRICE_FIELDS: ReadonlySet<string> = new Set([
  "price",
  "has_discount",
  "discount_type",
  "discount_value",
]);

type PricedRow = Pick<RowRecord, "row" | "action" | "changes">;

const setsPrice = ({ action, changes }: PricedRow): boolean =>
  action === "update" && changes.some(({ field }) => PRICE_FIELDS.has(field));

/**
 * Reads what buyers pay for the products of these rows, by row. A row without a discount, before
 * and after, has none, and neither has one whose old price is not known.
 */
export async function readBuyerPrices(
  { verificationLog }: Pick<Connection, "verificationLog">,
  { id, facts }: Pick<RunRecord, "id" | "facts">,
  rows: readonly PricedRow[],
): Promise<ReadonlyMap<number, BuyerPrice>> {
  const priced = rows.filter((row) => setsPrice(row));
  const prices = new Map<number, BuyerPrice>();
  if (priced.length === 0) return prices;
  const before = await verificationLog.readBefore(
    id,
    priced.map(({ row }) => row),
  );
  for (const { row, changes } of priced) {
    const seen = before.get(row);
    if (seen === undefined) continue;
    const old = readPriceTag({ seen, priceUnit: facts?.priceUnit ?? "unknown" });
    const price = toBuyerPrice(old, changes);
    if (price !== undefined) prices.set(row, price);
  }
  return prices;
}

function toBuyerPrice(
  old: ReturnType<typeof readPriceTag>,
  changes: PricedRow["changes"],
): BuyerPrice | undefined {
  const sent = new Map(changes.map(({ field, new: value }) => [field, value]));
  const numberOf = (field: "price" | "discount_type" | "discount_value"): number | undefined => {
    const value = sent.get(field);
    return typeof value === "number" ? value : old[field];
  };
  const next = {
    price: numberOf("price"),
    has_discount: sent.has("has_discount") ? sent.get("has_discount") === true : old.has_discount,
    discount_type: numberOf("discount_type"),
    discount_value: numberOf("discount_value"),
  };
  const was = toPaidPrice(old);
  if (was === undefined || (old.has_discount !== true && next.has_discount !== true)) {
    return undefined;
  }
  const paid = toPaidPrice(next);
  const isSure = paid !== undefined && paid > 0 && (!next.has_discount || isBelow(paid, next));
  return { old: was, new: isSure ? paid : undefined };
}

const isBelow = (paid: number, { price }: { readonly price?: number | undefined }): boolean =>
  price !== undefined && paid < price;
