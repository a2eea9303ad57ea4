/** The columns of exported comments. */

import type { Comment } from "@catalog/contract";
import { VALUE_KEYWORDS } from "@catalog/mapping";

import { formatTimestamp } from "../timestamps.ts";
import { type OutColumn, toCell, toWord } from "./out-column.ts";
import { COMMENT_TYPES, MASKED_NAME, RECORD_STATUSES } from "./words.ts";

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
