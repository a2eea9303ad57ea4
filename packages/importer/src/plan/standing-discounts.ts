/** Price changes that buyers do not see, because the store still sells at a discounted price. */

import { formatNumber, type Localized } from "@catalog/i18n";
import { DISCOUNT_FIELDS, type RowDecision } from "@catalog/runs";

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
  /** One line at most. */
  notes(): readonly Localized[];
}

/** A discount that states what is paid (section Products, add); others change with the price. */
const DISCOUNTED_PRICE = 3;

const DISCOUNT: ReadonlySet<string> = new Set(DISCOUNT_FIELDS);
const MAX_LISTED = 5;

export function createStandingDiscounts(nameRow: (row: number) => string): StandingDiscounts {
  const rows: string[] = [];
  let count = 0;
  return {
    note({ row, changes }, listed) {
      if (listed?.has_discount !== true || listed.discount_type !== DISCOUNTED_PRICE) return;
      const hasPrice = changes.some(({ field }) => field === "price");
      if (!hasPrice || changes.some(({ field }) => DISCOUNT.has(field))) return;
      count += 1;
      if (rows.length < MAX_LISTED) rows.push(nameRow(row));
    },
    notes() {
      if (count === 0) return [];
      const list = rows.join(", ") + (count > rows.length ? ", …" : "");
      return [
        {
          tr: `${formatNumber(count, "tr")} satırda fiyat değişiyor ama mağazadaki indirim sürüyor (satırlar: ${list}); alıcı şimdiki indirimli fiyatı ödemeye devam eder. İndirim de değişecekse indirim sütunlarını doldurun.`,
          en: `Prices that change while the store's discount goes on: ${formatNumber(count, "en")} (rows ${list}); buyers still pay the discounted price. To change that too, fill in the discount columns.`,
        },
      ];
    },
  };
}
