/** The columns of exported orders: a row for each item. */

import type { Order, OrderItem, OrderPackage } from "@catalog/contract";

import { formatTimestamp } from "../timestamps.ts";
import { toAmountColumn } from "./amount-columns.ts";
import { type OutColumn, toAmount, toCell, toWord } from "./out-column.ts";
import { CHANGES, HIDDEN_CONTACT } from "./words.ts";

/** One item of an order; a package may be listed without items. */
export interface ListedOrderItem {
  /** Code of the order, its package and the position in it. */
  readonly id: string;
  readonly order: Omit<Order, "packages">;
  readonly package?: Omit<OrderPackage, "items">;
  readonly item?: OrderItem;
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

/** No header but those of ids is one of a product file, as an order says nothing of what a product should be. */
export const ORDER_COLUMNS: readonly OrderColumn[] = [
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
  {
    ...column("package_id", ["Paket ID", "Package ID"], (listed) =>
      toCell(listed.package?.package_id),
    ),
    place: "last",
  },
  number(
    "package_status",
    ["Paket Durum Kodu", "Package Status Code"],
    (listed) => listed.package?.status,
  ),
  column("package_status_explained", ["Paket Durumu", "Package Status"], (listed) =>
    toCell(listed.package?.status_explained),
  ),
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
  amount("shipping_amount", ["Kargo", "Shipping"], ({ item }) => item?.shipping_amount),
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
  column("shipping_company", ["Kargo Firması", "Shipping Company"], (listed) =>
    toCell(listed.package?.shipping?.shipping_company),
  ),
  column("shipping_code", ["Kargo Kodu", "Shipping Code"], (listed) =>
    toCell(listed.package?.shipping?.shipping_discount_code),
  ),
  column("payment_type", ["Ödeme Tipi", "Payment Type"], ({ order }) =>
    toCell(order.payment_type_explained ?? order.payment_type),
  ),
  {
    ...amount("order_total", ["Sipariş Toplamı", "Order Total"], ({ order }) => order.total_price),
    help: {
      tr: "Siparişin her satırında yinelenir; satırlar boyunca toplamayın. Satırın kendi tutarı “Ödenen” sütunundadır.",
      en: "Repeats in every row of the order: do not add it up. What a row itself comes to is in the column “Paid”.",
    },
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
