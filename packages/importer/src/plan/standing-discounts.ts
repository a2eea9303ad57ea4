/** Price changes that buyers do not see, because the store still sells at a discounted price. */

import { formatNumber } from "@catalog/i18n";
import { DISCOUNT_FIELDS, type RowDecision, type RunWarning } from "@catalog/runs";

/** What a listing shows of a product's discount. */
interface ListedDiscount {
  readonly has_discount?: boolean | null | undefined;
  readonly discount_type?: number | null | undefined;
}

/** Collects the updates of a plan whose new price is not what is paid. */
export interface StandingDiscounts {
  readonly note: (
    decision: Pick<RowDecision, "row" | "changes">,
    listed: ListedDiscount | undefined,
  ) => void;
  /** One warning at most. */
  warnings(): readonly RunWarning[];
}

/** A discount that states what is paid (section Products, add); others change with the price. */
const DISCOUNTED_PRICE = 3;

const DISCOUNT: ReadonlySet<string> = new Set(DISCOUNT_FIELDS);
const MAX_LISTED = 5;

export function createStandingDiscounts(nameRow: (row: number) => string): StandingDiscounts {
  const rows: string[] = [];
  let priced = 0;
  let count = 0;
  return {
    note({ row, changes }, listed) {
      if (listed === undefined || !changes.some(({ field }) => field === "price")) return;
      priced += 1;
      if (listed.has_discount !== true || listed.discount_type !== DISCOUNTED_PRICE) return;
      if (changes.some(({ field }) => DISCOUNT.has(field))) return;
      count += 1;
      if (rows.length < MAX_LISTED) rows.push(nameRow(row));
    },
    warnings() {
      if (count === 0) return [];
      const list = rows.join(", ") + (count > rows.length ? ", …" : "");
      return [
        {
          code: "W_STANDING_DISCOUNT",
          message: {
            tr: `Fiyatı değişen ${formatNumber(priced, "tr")} satırın ${formatNumber(count, "tr")} tanesinde alıcı şimdiki indirimli fiyatı ödemeye devam eder, çünkü mağazadaki indirim sürüyor (satırlar: ${list}). İndirim de değişecekse indirim sütunlarını doldurun.`,
            en: `In ${formatNumber(count, "en")} of ${formatNumber(priced, "en")} rows whose price changes, the buyer goes on paying the present discounted price, because the store's discount goes on (rows ${list}). To change that too, fill in the discount columns.`,
          },
        },
      ];
    },
  };
}
