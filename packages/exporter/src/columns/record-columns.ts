/**
 * The columns of exported orders, with a row for each item, and of comments, questions and payment
 * records.
 */

import type { Comment, Order, OrderItem, OrderPackage, Payment, Question } from "@catalog/contract";
import { VALUE_KEYWORDS } from "@catalog/mapping";

import { formatTimestamp } from "../timestamps.ts";
import { toAmountColumn } from "./amount-columns.ts";
import {
  CHANGES,
  COMMENT_TYPES,
  fieldOf,
  HIDDEN_CONTACT,
  MASKED_NAME,
  type OutColumn,
  RECORD_STATUSES,
  SUBJECTS,
  toAmount,
  toCell,
  toWord,
} from "./out-column.ts";

/**
 * The specification does not describe the fields of `product` and `answer`: the likely names are
 * tried.
 */
const firstOf = (value: unknown, ...names: readonly string[]): unknown =>
  names.map((name) => fieldOf(value, name)).find((found) => found !== undefined && found !== null);

const answerText = (answer: unknown): unknown =>
  firstOf(answer, "message", "answer", "text") ?? answer;

export const QUESTION_COLUMNS: readonly OutColumn<Question>[] = [
  {
    key: "question_id",
    place: "last",
    header: { tr: "Soru ID", en: "Question ID" },
    cell: ({ id }) => id,
  },
  {
    key: "created_at",
    kind: "moment",
    header: { tr: "Tarih", en: "Date" },
    cell: ({ created_at }, style) => formatTimestamp(created_at, style.moments),
  },
  {
    key: "product_id",
    place: "last",
    header: { tr: "Ürün ID", en: "Product ID" },
    cell: ({ product }) => toCell(firstOf(product, "id")),
  },
  {
    key: "product_code",
    place: "first",
    header: { tr: "Ürün Kodu", en: "Product Code" },
    cell: ({ product }) => toCell(firstOf(product, "product_code")),
  },
  {
    key: "asked_product",
    place: "first",
    // The title at the time of the question; an import that took it would undo later edits.
    header: { tr: "Sorulan Ürün", en: "Product Asked About" },
    cell: ({ product }) => toCell(firstOf(product, "title", "product_name")),
  },
  {
    key: "question_for",
    header: { tr: "Soru Yeri", en: "Asked About" },
    cell: ({ question_for }, style) => toWord(SUBJECTS, question_for, style),
  },
  { key: "subject", header: { tr: "Konu", en: "Subject" }, cell: ({ subject }) => toCell(subject) },
  {
    key: "question_title",
    // No column of a product is called like this one, as the file is no list of products.
    header: { tr: "Soru Başlığı", en: "Question Title" },
    cell: ({ title }) => toCell(title),
  },
  {
    key: "message",
    header: { tr: "Soru", en: "Question" },
    cell: ({ message }) => toCell(message),
  },
  {
    key: "answer",
    header: { tr: "Yanıt", en: "Answer" },
    cell: ({ answer }) => toCell(answerText(answer)),
  },
  {
    key: "updated_at",
    kind: "moment",
    header: { tr: "Güncellenme", en: "Updated" },
    cell: ({ updated_at }, style) => formatTimestamp(updated_at, style.moments),
  },
  {
    key: "full_name",
    help: MASKED_NAME,
    header: { tr: "Ad Soyad", en: "Full Name" },
    cell: ({ full_name }) => toCell(full_name),
  },
];

const amount = (
  key: "shipping_price" | "total_commission" | "store_payout" | "total_paid_price",
  tr: string,
  en: string,
): OutColumn<Payment> =>
  toAmountColumn({ key, header: { tr, en }, cell: (payment) => toCell(payment[key]) });

export const PAYMENT_COLUMNS: readonly OutColumn<Payment>[] = [
  {
    key: "payment_id",
    place: "last",
    header: { tr: "Kayıt ID", en: "Record ID" },
    cell: ({ id }) => id,
  },
  {
    key: "payment_date",
    kind: "moment",
    header: { tr: "Ödeme Tarihi", en: "Payment Date" },
    cell: ({ payment_date }, style) => formatTimestamp(payment_date, style.moments),
  },
  {
    key: "order_code",
    place: "first",
    header: { tr: "Sipariş Kodu", en: "Order Code" },
    cell: ({ order_code }) =>
      order_code === null || order_code === undefined ? null : String(order_code),
  },
  {
    key: "item_id",
    place: "last",
    header: { tr: "Kalem ID", en: "Item ID" },
    cell: ({ item_id }) => toCell(item_id),
  },
  amount("total_paid_price", "Ödenen", "Paid"),
  amount("total_commission", "Komisyon", "Commission"),
  amount("shipping_price", "Kargo", "Shipping"),
  amount("store_payout", "Mağaza Hakedişi", "Store Payout"),
  { key: "status", header: { tr: "Durum", en: "Status" }, cell: ({ status }) => toCell(status) },
  {
    key: "created_at",
    kind: "moment",
    header: { tr: "Kayıt Tarihi", en: "Created" },
    cell: ({ created_at }, style) => formatTimestamp(created_at, style.moments),
  },
  {
    key: "customer_name",
    help: MASKED_NAME,
    header: { tr: "Müşteri", en: "Customer" },
    cell: ({ customer_name }) => toCell(customer_name),
  },
];

/** A comment, and the product that it is about where that is known. */
export interface ListedComment {
  readonly comment: Comment;
  readonly product?: {
    readonly id: string;
    readonly code: string | null;
    readonly title: string | null;
  };
}

/** Columns of the product; a listing of the whole store's comments does not name it. */
export const COMMENTED_PRODUCT_COLUMNS: readonly OutColumn<ListedComment>[] = [
  {
    key: "product_id",
    place: "last",
    header: { tr: "Ürün ID", en: "Product ID" },
    cell: ({ product }) => toCell(product?.id),
  },
  {
    key: "product_code",
    place: "first",
    header: { tr: "Ürün Kodu", en: "Product Code" },
    cell: ({ product }) => toCell(product?.code),
  },
  {
    key: "commented_product",
    place: "first",
    // The title at the time of the comment; an import that took it would undo later edits.
    header: { tr: "Yorumlanan Ürün", en: "Commented Product" },
    cell: ({ product }) => toCell(product?.title),
  },
];

export const COMMENT_COLUMNS: readonly OutColumn<ListedComment>[] = [
  {
    key: "comment_id",
    place: "last",
    header: { tr: "Yorum ID", en: "Comment ID" },
    cell: ({ comment }) => toCell(comment.id),
  },
  {
    key: "created_at",
    kind: "moment",
    header: { tr: "Tarih", en: "Date" },
    cell: ({ comment }, style) => formatTimestamp(comment.created_at, style.moments),
  },
  {
    key: "rate",
    header: { tr: "Puan", en: "Rate" },
    kind: "integer",
    cell: ({ comment }) => toCell(comment.rate),
  },
  {
    key: "satisfaction",
    header: { tr: "Memnuniyet", en: "Satisfaction" },
    cell: ({ comment }, style) => toWord(VALUE_KEYWORDS.satisfaction, comment.satisfaction, style),
  },
  {
    key: "message",
    header: { tr: "Yorum", en: "Comment" },
    cell: ({ comment }) => toCell(comment.message),
  },
  {
    key: "comment_type",
    header: { tr: "Yorum Tipi", en: "Comment Type" },
    cell: ({ comment }, style) => toWord(COMMENT_TYPES, comment.comment_type, style),
  },
  {
    key: "status",
    header: { tr: "Durum", en: "Status" },
    cell: ({ comment }, style) => toWord(RECORD_STATUSES, comment.status, style),
  },
  {
    key: "full_name",
    help: MASKED_NAME,
    header: { tr: "Ad Soyad", en: "Full Name" },
    cell: ({ comment }) => toCell(comment.full_name),
  },
];

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

const orderAmount = (
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
  orderAmount("order_price", ["Sipariş Fiyatı", "Order Price"], ({ item }) => item?.product_price),
  orderAmount(
    "discount_amount",
    ["Sipariş İndirimi", "Order Discount"],
    ({ item }) => item?.discount_amount,
  ),
  orderAmount("paid_amount", ["Ödenen", "Paid"], ({ item }) => item?.paid_amount),
  orderAmount(
    "store_payout_amount",
    ["Mağaza Hakedişi", "Store Payout"],
    ({ item }) => item?.store_payout_amount,
  ),
  orderAmount(
    "platform_commission_amount",
    ["Komisyon", "Commission"],
    ({ item }) => item?.platform_commission_amount,
  ),
  orderAmount("shipping_amount", ["Kargo", "Shipping"], ({ item }) => item?.shipping_amount),
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
    ...orderAmount(
      "order_total",
      ["Sipariş Toplamı", "Order Total"],
      ({ order }) => order.total_price,
    ),
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
