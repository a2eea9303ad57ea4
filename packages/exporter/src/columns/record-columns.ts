/** The columns of exported comments, questions and payment records. */

import { type Comment, type Payment, type Question, readAnswer } from "@catalog/contract";
import { VALUE_KEYWORDS } from "@catalog/mapping";

import { formatTimestamp } from "../timestamps.ts";
import { toAmountColumn } from "./amount-columns.ts";
import {
  COMMENT_TYPES,
  fieldOf,
  MASKED_NAME,
  type OutColumn,
  RECORD_STATUSES,
  SUBJECTS,
  toCell,
  toWord,
} from "./out-column.ts";

/**
 * The specification does not describe the fields of `product` and `answer`: the likely names are
 * tried.
 */
const firstOf = (value: unknown, ...names: readonly string[]): unknown =>
  names.map((name) => fieldOf(value, name)).find((found) => found !== undefined && found !== null);

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
    width: 60,
    help: {
      tr: "Yanıt bekleyen soruda boştur; yanıtınızı buraya yazın. Yanıtlanmış soruda verilen yanıt durur.",
      en: "Empty where the question waits for an answer: write yours here. Where it was answered, the given answer.",
    },
    cell: ({ answer }) => readAnswer(answer)?.message ?? null,
  },
  {
    key: "answer_title",
    // A column called "Title" would be that of a product.
    header: { tr: "Yanıt Başlığı", en: "Answer Title" },
    width: 24,
    help: {
      tr: "Yanıtla birlikte gönderilecek başlık; boş kalabilir.",
      en: "A title to send with the answer; it may stay empty.",
    },
    cell: ({ answer }) => readAnswer(answer)?.title ?? null,
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
