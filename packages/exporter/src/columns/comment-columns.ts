/** The columns of exported comments. */

import type { Comment } from "@catalog/contract";
import { VALUE_KEYWORDS } from "@catalog/mapping";

import { formatTimestamp } from "../timestamps.ts";
import { type OutColumn, toCell, toWord } from "./out-column.ts";

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
    header: { tr: "Ürün ID", en: "Product ID" },
    width: 26,
    cell: ({ product }) => toCell(product?.id),
  },
  {
    key: "product_code",
    header: { tr: "Ürün Kodu", en: "Product Code" },
    cell: ({ product }) => toCell(product?.code),
  },
  {
    key: "product_title",
    header: { tr: "Ürün Başlığı", en: "Product Title" },
    width: 40,
    cell: ({ product }) => toCell(product?.title),
  },
];

export const COMMENT_COLUMNS: readonly OutColumn<ListedComment>[] = [
  {
    key: "comment_id",
    header: { tr: "Yorum ID", en: "Comment ID" },
    width: 26,
    cell: ({ comment }) => toCell(comment.id),
  },
  {
    key: "created_at",
    header: { tr: "Tarih", en: "Date" },
    width: 20,
    cell: ({ comment }) => formatTimestamp(comment.created_at),
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
    width: 60,
    cell: ({ comment }) => toCell(comment.message),
  },
  {
    key: "comment_type",
    header: { tr: "Yorum Tipi", en: "Comment Type" },
    cell: ({ comment }) => toCell(comment.comment_type),
  },
  {
    key: "status",
    header: { tr: "Durum", en: "Status" },
    cell: ({ comment }) => toCell(comment.status),
  },
  {
    key: "full_name",
    header: { tr: "Ad Soyad", en: "Full Name" },
    cell: ({ comment }) => toCell(comment.full_name),
  },
];
