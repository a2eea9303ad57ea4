/**
 * Recognises the files that this program's own exports of comments, orders, questions and payments
 * write. They name products by code, and other columns of theirs are called as columns of product
 * files are, but none of them says what a product should be.
 */

import type { Localized } from "@catalog/i18n";

import { headerKey } from "./header-key.ts";

/** Exports that are no product files. */
export const RECORD_EXPORTS = ["comments", "orders", "questions", "payments"] as const;

/** See {@link RECORD_EXPORTS}. */
export type RecordExport = (typeof RECORD_EXPORTS)[number];

interface ExportMarks {
  /** Names of the sheet, in both languages. */
  readonly sheets: readonly string[];
  /** Columns that these files have and product files do not: Turkish and English header, key. */
  readonly marks: readonly (readonly string[])[];
}

/** What the files hold, for a message. */
const CONTENTS: Readonly<Record<RecordExport, Localized>> = {
  comments: { tr: "ürün yorumları", en: "comments on products" },
  orders: { tr: "siparişler", en: "orders" },
  questions: { tr: "müşteri soruları", en: "questions of customers" },
  payments: { tr: "ödeme kayıtları", en: "payment records" },
};

const EXPORTS: Readonly<Record<RecordExport, ExportMarks>> = {
  comments: {
    sheets: ["Yorumlar", "Comments"],
    marks: [
      ["Yorum ID", "Comment ID", "comment_id"],
      ["Memnuniyet", "Satisfaction"],
      ["Yorum Tipi", "Comment Type", "comment_type"],
    ],
  },
  orders: {
    sheets: ["Siparişler", "Orders"],
    marks: [
      ["Sipariş Kodu", "Order Code", "order_code"],
      ["Sipariş Tarihi", "Order Date", "order_date"],
      ["Paket ID", "Package ID", "package_id"],
      ["Paket Durumu", "Package Status", "package_status", "package_status_explained"],
      ["Paket Durum Kodu", "Package Status Code"],
      ["Kalem Durumu", "Item Status", "item_status"],
      ["Mağaza Hakedişi", "Store Payout", "store_payout_amount"],
      ["Kargo Süresi Aşıldı", "Shipping Overdue", "shipping_time_exceeded"],
      ["Taksit Komisyonu", "Instalment Commission", "installment_commission"],
      ["Sipariş Toplamı", "Order Total", "order_total"],
    ],
  },
  questions: {
    sheets: ["Sorular", "Questions"],
    marks: [
      ["Soru ID", "Question ID", "question_id"],
      ["Soru Yeri", "Asked About", "question_for"],
      ["Soru Başlığı", "Question Title", "question_title"],
      ["Soru", "Question"],
      ["Yanıt", "Answer"],
    ],
  },
  payments: {
    sheets: ["Ödemeler", "Payments"],
    marks: [
      ["Kayıt ID", "Record ID", "payment_id"],
      ["Ödeme Tarihi", "Payment Date", "payment_date"],
      ["Kalem ID", "Item ID", "item_id"],
      ["Ödenen", "Paid", "total_paid_price"],
      ["Mağaza Hakedişi", "Store Payout", "store_payout"],
      ["Kayıt Tarihi"],
    ],
  },
};

/** Marks without the sheet's name from which on a file is recognised: one may stand anywhere. */
const MIN_MARKS = 2;

/** An export that was recognised, and the first column that shows it. */
export interface RecognisedExport {
  readonly kind: RecordExport;
  readonly contents: Localized;
  /** From 0. */
  readonly column: number;
}

export interface ExportedHeaders {
  /** Name of the sheet; empty for a file that has none. */
  readonly sheet: string;
  /** The headers, empty where a person has said what the column holds. */
  readonly headers: readonly string[];
}

/**
 * Names the export that has written a file; `undefined` for any other file. One mark is enough on
 * a sheet that is named as the export names it.
 */
export function recogniseRecordExport({
  sheet,
  headers,
}: ExportedHeaders): RecognisedExport | undefined {
  const keys = headers.map((header) => headerKey(header));
  const counted = RECORD_EXPORTS.map((kind) => {
    const { sheets, marks } = EXPORTS[kind];
    const isNamed = sheets.some((name) => headerKey(name) === headerKey(sheet));
    const known = new Set(marks.flat().map((mark) => headerKey(mark)));
    const found = new Set(keys.filter((key) => known.has(key))).size;
    const column = keys.findIndex((key) => known.has(key));
    return { kind, contents: CONTENTS[kind], column, found, isNamed };
  });
  return counted
    .filter(({ found, isNamed }) => found >= (isNamed ? 1 : MIN_MARKS))
    .toSorted((a, b) => b.found - a.found)[0];
}
