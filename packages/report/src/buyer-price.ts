/** What buyers pay before and after an update, where a discount makes it differ from the price. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  comparePaidPrices,
  DISCOUNT_FIELDS,
  type PaidPrices,
  readPriceTag,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

/** Names of the two prices of a product with a discount, and of a price that is not certain. */
export const PRICE_LABELS: Readonly<Record<"paid" | "list" | "unsure", Localized>> = {
  paid: { tr: "Alıcının ödediği", en: "Buyer pays" },
  list: { tr: "İndirimsiz fiyat", en: "Price before discount" },
  unsure: { tr: "belli değil", en: "not certain" },
};

const PRICE_FIELDS: ReadonlySet<string> = new Set(["price", ...DISCOUNT_FIELDS]);

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
): Promise<ReadonlyMap<number, PaidPrices>> {
  const priced = rows.filter((row) => setsPrice(row));
  const prices = new Map<number, PaidPrices>();
  if (priced.length === 0) return prices;
  const before = await verificationLog.readBefore(
    id,
    priced.map(({ row }) => row),
  );
  for (const { row, changes } of priced) {
    const seen = before.get(row);
    if (seen === undefined) continue;
    const old = readPriceTag({ seen, priceUnit: facts?.priceUnit ?? "unknown" });
    const price = comparePaidPrices(old, toNextPrice(old, changes));
    if (price !== undefined) prices.set(row, price);
  }
  return prices;
}

function toNextPrice(old: PriceTag, changes: PricedRow["changes"]): PriceTag {
  const sent = new Map(changes.map(({ field, new: value }) => [field, value]));
  const numberOf = (field: "price" | "discount_type" | "discount_value"): number | undefined => {
    const value = sent.get(field);
    return typeof value === "number" ? value : old[field];
  };
  return {
    price: numberOf("price"),
    has_discount: sent.has("has_discount") ? sent.get("has_discount") === true : old.has_discount,
    discount_type: numberOf("discount_type"),
    discount_value: numberOf("discount_value"),
  };
}

type PriceTag = ReturnType<typeof readPriceTag>;
