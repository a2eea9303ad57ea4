/**
 * The columns of exported orders, with a row for each item or for each package. An amount of the
 * package or of the order is in one row of it, so that a column can be added up.
 */

import type { Order, OrderItem, OrderPackage } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import { VALUE_KEYWORDS } from "@catalog/mapping";

import { formatTimestamp } from "../timestamps.ts";
import { toAmountColumn } from "./amount-columns.ts";
import { CHANGES, HIDDEN_CONTACT, type OutColumn, toAmount, toCell, toWord } from "./out-column.ts";

/** One item of an order, or one package with its items; a package may be listed without items. */
export interface ListedOrderItem {
  /** Code of the order, its package and the position in it. */
  readonly id: string;
  readonly order: Omit<Order, "packages">;
  readonly package?: Omit<OrderPackage, "items">;
  readonly item?: OrderItem;
  /** The items of the package, where it has one row. */
  readonly items?: readonly OrderItem[];
  /** Whether each item of the package states the shipping amount of the whole package. */
  readonly repeatsShipping?: boolean;
  /** Whether an earlier row of the file is of the same order. */
  readonly followsInOrder?: boolean;
  /** Whether an earlier row of the file is of the same package. */
  readonly followsInPackage?: boolean;
}

type OrderColumn = OutColumn<ListedOrderItem>;

const column = (
  key: string,
  [tr, en]: readonly [tr: string, en: string],
  cell: OrderColumn["cell"],
): OrderColumn => ({ key, header: { tr, en }, cell });

const number = (
  key: string,
  header: readonly [tr: string, en: string],
  read: (listed: ListedOrderItem) => unknown,
): OrderColumn => ({
  ...column(key, header, (listed) => toAmount(read(listed))),
  kind: "number",
});

const amount = (
  key: string,
  [tr, en]: readonly [tr: string, en: string],
  read: (listed: ListedOrderItem) => unknown,
): OrderColumn =>
  toAmountColumn({ key, header: { tr, en }, cell: (listed) => toCell(read(listed)) });

const ONCE_AN_ORDER: Localized = {
  tr: "Siparişin ilk satırında durur, öbürlerinde boştur; sütun toplanabilir.",
  en: "In the first row of the order and empty in the others, so that the column can be added up.",
};

/** What the package is, and what a person wants with it. */
const PACKAGE_COLUMNS: readonly OrderColumn[] = [
  {
    ...column("status_explained", ["Paket Durumu", "Package Status"], (listed) =>
      toCell(listed.package?.status_explained),
    ),
    formerKey: "package_status_explained",
  },
  {
    ...number(
      "status",
      ["Paket Durum Kodu", "Package Status Code"],
      (listed) => listed.package?.status,
    ),
    formerKey: "package_status",
  },
  {
    ...column("action", ["İşlem", "Action"], () => null),
    width: 18,
    choices: VALUE_KEYWORDS.package_action,
    help: {
      tr: "Pakette ne yapılacağı; siz doldurursunuz: Onayla, Ertele, İadeyi onayla ya da İadeyi reddet. Paketin bir satırına yazmak yeter.",
      en: "What to do with the package, for you to fill in: Accept, Postpone, Accept return or Reject return. One row of the package is enough.",
    },
  },
  {
    ...column("reason", ["Gerekçe", "Reason"], () => null),
    width: 36,
    help: {
      tr: "Erteleme ve iade işlemlerinde alıcıya ya da pazaryerine yazılacak açıklama.",
      en: "What is written to the buyer or the marketplace when a package is postponed or a return is decided.",
    },
  },
];

const SHIPPING_COLUMNS: readonly OrderColumn[] = [
  {
    ...column("shipping_company", ["Kargo Firması", "Shipping Company"], (listed) =>
      toCell(listed.package?.shipping?.shipping_company),
    ),
    help: {
      tr: "Kargo kodu istenecek firma; Excel dosyasında anlaşmalı firmalar listeden seçilir.",
      en: "The company to ask for a shipping code; in a workbook the contracted ones can be chosen from a list.",
    },
  },
  column("shipping_code", ["Kargo Kodu", "Shipping Code"], (listed) =>
    toCell(listed.package?.shipping?.shipping_discount_code),
  ),
];

const PACKAGE_ID: OrderColumn = {
  ...column("package_id", ["Paket ID", "Package ID"], (listed) =>
    toCell(listed.package?.package_id),
  ),
  place: "last",
};

const FIRST_COLUMNS: readonly OrderColumn[] = [
  {
    ...column("order_code", ["Sipariş Kodu", "Order Code"], ({ order }) => toCell(order.code)),
    place: "first",
  },
  {
    ...column("order_date", ["Sipariş Tarihi", "Order Date"], ({ order }, style) =>
      formatTimestamp(order.order_date, style.moments),
    ),
    kind: "moment",
    place: "first",
  },
  PACKAGE_ID,
  ...PACKAGE_COLUMNS,
];

const LAST_COLUMNS: readonly OrderColumn[] = [
  column("payment_type", ["Ödeme Tipi", "Payment Type"], ({ order }) =>
    toCell(order.payment_type_explained ?? order.payment_type),
  ),
  {
    ...amount("order_total", ["Sipariş Toplamı", "Order Total"], ({ order, followsInOrder }) =>
      followsInOrder === true ? null : order.total_price,
    ),
    help: ONCE_AN_ORDER,
  },
  {
    ...column("email", ["E-posta", "Email"], ({ order }) => toCell(order.email)),
    help: HIDDEN_CONTACT,
  },
  {
    ...column("shipping_address", ["Teslimat Adresi", "Shipping Address"], ({ order }) =>
      toCell(order.shipping_address),
    ),
    help: HIDDEN_CONTACT,
  },
];

/** A row for each item. No header but those of ids is one of a product file, as an order says nothing of what a product should be. */
export const ORDER_COLUMNS: readonly OrderColumn[] = [
  ...FIRST_COLUMNS,
  column("order_number", ["Kalem No", "Item Number"], ({ item }) => toCell(item?.order_number)),
  {
    ...column("product_id", ["Ürün ID", "Product ID"], ({ item }) => toCell(item?.product_id)),
    place: "last",
  },
  column("product_code", ["Ürün Kodu", "Product Code"], ({ item }) => toCell(item?.product_code)),
  column("ordered_product", ["Sipariş Edilen Ürün", "Ordered Product"], ({ item }) =>
    toCell(item?.product_name),
  ),
  column("variant", ["Varyant", "Variant"], ({ item }) => toCell(item?.variant)),
  number("count", ["Sipariş Adedi", "Ordered Count"], ({ item }) => item?.count),
  column("currency", ["Sipariş Para Birimi", "Order Currency"], ({ item }) =>
    toCell(item?.currency),
  ),
  number("currency_rate", ["Kur", "Currency Rate"], ({ item }) => item?.currency_rate),
  amount("order_price", ["Sipariş Fiyatı", "Order Price"], ({ item }) => item?.product_price),
  amount(
    "discount_amount",
    ["Sipariş İndirimi", "Order Discount"],
    ({ item }) => item?.discount_amount,
  ),
  amount("paid_amount", ["Ödenen", "Paid"], ({ item }) => item?.paid_amount),
  amount(
    "store_payout_amount",
    ["Mağaza Hakedişi", "Store Payout"],
    ({ item }) => item?.store_payout_amount,
  ),
  amount(
    "platform_commission_amount",
    ["Komisyon", "Commission"],
    ({ item }) => item?.platform_commission_amount,
  ),
  {
    ...amount("shipping_amount", ["Kargo", "Shipping"], (listed) =>
      listed.repeatsShipping === true && listed.followsInPackage === true
        ? null
        : listed.item?.shipping_amount,
    ),
    help: {
      tr: "Her kalem bütün paketin kargo tutarını gösteriyorsa tutar yalnız paketin ilk satırına yazılır; sütun toplanabilir.",
      en: "Where each item states the shipping amount of the whole package, it is in the first row of the package only, so that the column can be added up.",
    },
  },
  number("installment_count", ["Taksit", "Instalments"], ({ item }) => item?.installment_count),
  number(
    "installment_commission",
    ["Taksit Komisyonu", "Instalment Commission"],
    ({ item }) => item?.installment_commission,
  ),
  column("item_status", ["Kalem Durumu", "Item Status"], ({ item }) =>
    toCell(item?.status_explained),
  ),
  column("shipping_time_exceeded", ["Kargo Süresi Aşıldı", "Shipping Overdue"], ({ item }) =>
    toCell(item?.shipping_time_exceeded),
  ),
  ...SHIPPING_COLUMNS,
  ...LAST_COLUMNS,
];

const describeItems = ({ items = [] }: ListedOrderItem): string =>
  items
    .map(({ count, product_name: name, product_code: code }) =>
      [`${count ?? 1} ×`, name ?? code ?? "?", ...(name && code ? [`(${code})`] : [])].join(" "),
    )
    .join("\n");

/** What the items of a package come to; `null` where one has no such amount or another currency. */
function sumOf(
  { items = [] }: ListedOrderItem,
  read: (item: OrderItem) => number | null | undefined,
): number | null {
  const amounts = items.map((item) => read(item) ?? Number.NaN);
  const currencies = new Set(items.map(({ currency }) => currency ?? ""));
  const sum = amounts.reduce((all, one) => all + one, 0);
  return items.length === 0 || currencies.size > 1 || Number.isNaN(sum) ? null : withoutNoise(sum);
}

/** Adding up binary fractions leaves an error far below any amount. */
const withoutNoise = (sum: number): number => Number(sum.toFixed(6));

const sharedBy = <Value>(values: readonly Value[]): Value | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

/** A row for each package; an order without packages has one, too. */
export const ORDER_PACKAGE_COLUMNS: readonly OrderColumn[] = [
  ...FIRST_COLUMNS,
  number("count", ["Sipariş Adedi", "Ordered Count"], ({ items }) =>
    items?.reduce((all, { count }) => all + (count ?? 1), 0),
  ),
  {
    ...column("package_items", ["Paketteki Ürünler", "Products in Package"], (listed) =>
      describeItems(listed),
    ),
    kind: "wrapped",
  },
  column("currency", ["Sipariş Para Birimi", "Order Currency"], ({ items = [] }) =>
    toCell(sharedBy(items.map(({ currency }) => currency))),
  ),
  amount(
    "package_total",
    ["Paket Toplamı", "Package Total"],
    (listed) => listed.package?.total_price,
  ),
  amount("paid_amount", ["Ödenen", "Paid"], (listed) =>
    sumOf(listed, ({ paid_amount }) => paid_amount),
  ),
  amount("store_payout_amount", ["Mağaza Hakedişi", "Store Payout"], (listed) =>
    sumOf(listed, ({ store_payout_amount }) => store_payout_amount),
  ),
  amount("platform_commission_amount", ["Komisyon", "Commission"], (listed) =>
    sumOf(listed, ({ platform_commission_amount }) => platform_commission_amount),
  ),
  amount(
    "shipping_amount",
    ["Kargo", "Shipping"],
    (listed) => listed.package?.shipping?.total_shipping_price,
  ),
  column("shipping_time_exceeded", ["Kargo Süresi Aşıldı", "Shipping Overdue"], ({ items }) =>
    toCell(items?.some(({ shipping_time_exceeded: isLate }) => isLate === true)),
  ),
  ...SHIPPING_COLUMNS,
  ...LAST_COLUMNS,
];

/** Says which rows an earlier export has given in another state. */
export const toChangeColumn = (isWritten: (listed: ListedOrderItem) => boolean): OrderColumn => ({
  key: "change",
  header: { tr: "Değişiklik", en: "Change" },
  help: {
    tr: "“Değişti” satırı daha önce de verildi, o zamandan beri değişti; dosyaları birleştirirken eskisinin yerine geçer.",
    en: "A “changed” row was given before and has changed since; it replaces the older row where files are joined.",
  },
  cell: (listed, style) => toWord(CHANGES, isWritten(listed) ? "changed" : "new", style),
});
