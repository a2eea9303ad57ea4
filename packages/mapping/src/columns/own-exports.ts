/**
 * Reports which columns are not used and why, and recognises this program's own exports of comments,
 * orders, questions and payments, of which no column says what a product should be.
 */

import type { Localized } from "@catalog/i18n";

import type { ColumnTarget, FieldKey } from "../fields/field.ts";
import { findField, getField } from "../fields/fields.ts";
import type { NamedCurrency } from "../fields/other-headers.ts";
import type { IssueParams } from "../issues/issue.ts";
import { columnLetter } from "../source-row.ts";
import { headerKey } from "../text-keys.ts";
import {
  type BeatenColumn,
  type ColumnFacts,
  describeCells,
  describeColumn,
  findHolder,
  isFilled,
} from "./column-cells.ts";
import {
  type ColumnQuestion,
  describeChoices,
  findOpenColumns,
  type OpenColumn,
} from "./column-questions.ts";
import { findForeignPrices } from "./default-values.ts";
import type { HeaderReport } from "./header-matcher.ts";

/** Exports that are no product files. */
const RECORD_EXPORTS = ["comments", "orders", "questions", "payments"] as const;

/** See {@link RECORD_EXPORTS}. */
type RecordExport = (typeof RECORD_EXPORTS)[number];

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
interface RecognisedExport {
  readonly kind: RecordExport;
  readonly contents: Localized;
  /** From 0. */
  readonly column: number;
}

interface ExportedHeaders {
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

/** The columns that are used in the end, and the open questions about them. */
interface ReportedColumns {
  readonly targets: readonly ColumnTarget[];
  readonly questions: readonly ColumnQuestion[];
}

/** Reports which columns are not used and why, and which questions a person has to answer first. */
export function reportColumns(
  facts: ColumnFacts,
  to: HeaderReport,
  expected: readonly FieldKey[] = [],
): ReportedColumns {
  const open = findOpenColumns(facts, expected);
  const asked = new Set(open.map(({ index }) => index));
  const unused = [...facts.beaten, ...findNeedless(facts)].filter(({ index }) => !asked.has(index));
  for (const column of unused) warnBeaten(facts, column, to);
  const beaten = new Set(unused.map(({ index }) => index));
  const targets = facts.targets.map((target, index): ColumnTarget => {
    return beaten.has(index) ? { kind: "unused" } : target;
  });
  warnLeftOut({ ...facts, targets }, asked, to);
  for (const { index, named, header = "", currency } of findForeignPrices(facts)) {
    const text = header === "" ? "E_HEADER_CURRENCY" : "E_HEADER_CURRENCY.stated";
    to.report(text, index, { currency, other: header, answers: describeCurrencies(named) });
  }
  return { targets, questions: open.map((question) => ask(facts, question, to)) };
}

/** Columns of a doubtful or extended header whose field another column has. */
function findNeedless(facts: ColumnFacts): readonly BeatenColumn[] {
  return facts.matches.flatMap(({ target, doubt, isVariant }, index) => {
    if (target.kind !== "unknown" || facts.targets[index]?.kind !== "unknown") return [];
    const field = isVariant === true ? target.suggestion : doubt?.target.field;
    if (field === undefined || doubt?.kind === "rival") return [];
    const winner = findHolder(facts, field);
    return winner === undefined ? [] : [{ index, winner }];
  });
}

function warnBeaten(
  facts: ColumnFacts,
  { index, winner }: BeatenColumn,
  { report }: HeaderReport,
): void {
  const target = facts.targets[winner];
  const isField = target?.kind === "field";
  const field = isField ? getField(target.field).header : propertyOf(target);
  const other = describeColumn(facts, winner);
  const cells = describeCells(facts, index);
  report("W_COLUMN_UNUSED", index, { field, key: isField ? field : "", other, cells });
}

const propertyOf = (target: ColumnTarget | undefined): string =>
  target?.kind === "property" ? target.name : "";

/** Warns of a column that is left out; a field that another column has is not suggested. */
function warnLeftOut(
  facts: ColumnFacts,
  asked: ReadonlySet<number>,
  { report }: HeaderReport,
): void {
  for (const [index, target] of facts.targets.entries()) {
    if (facts.headers[index] === "" || asked.has(index)) continue;
    if (target.kind === "never-sent") report("W_COLUMN_NOT_SENT", index);
    if (target.kind === "other-id" && isFilled(facts, index)) {
      report("W_COLUMN_OTHER_ID", index, { cells: describeCells(facts, index) });
    }
    if (target.kind === "unknown") report("W_COLUMN_UNKNOWN", index, suggest(facts, target));
  }
}

function suggest(
  facts: ColumnFacts,
  { suggestion }: Extract<ColumnTarget, { readonly kind: "unknown" }>,
): IssueParams {
  const isGiven = (field: FieldKey): boolean =>
    facts.constants.has(field) || findHolder(facts, field) !== undefined;
  const isOpen = suggestion !== undefined && !isGiven(suggestion);
  const field = isOpen ? findField(suggestion) : undefined;
  return field === undefined ? {} : { field: field.header, key: field.header };
}

/** Tells the user to convert prices in a currency that the marketplace does not take. */
function describeCurrencies(named: NamedCurrency): Localized {
  const inTl = "--set currency=TL";
  if (named !== "other") {
    return {
      tr: `${named}: --set currency=${named} · TL: ${inTl}`,
      en: `${named}: --set currency=${named} · TL: ${inTl}`,
    };
  }
  return {
    tr: `Pazaryeri bu para birimini almıyor; fiyatları TL'ye çevirin. Zaten TL ise: ${inTl}`,
    en: `The marketplace does not take it; convert the prices to TL. If they are in TL: ${inTl}`,
  };
}

function ask(
  facts: ColumnFacts,
  { index, field, text, params, choices }: OpenColumn,
  { report }: HeaderReport,
): ColumnQuestion {
  const header = facts.headers[index] ?? "";
  const answers = describeChoices(header, choices);
  const issue = report(text, index, { ...params, answers });
  return { header, letter: columnLetter(index), field, issue, choices };
}
