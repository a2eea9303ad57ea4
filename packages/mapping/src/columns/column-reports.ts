/** Reports which columns are not used and why, with one warning for columns of one reason, and
 * recognises this program's own exports of other records than products, of which no column says
 * what a product should be. */

import type { Localized } from "@catalog/i18n";

import { type ColumnTarget, type FieldKey, findField, getField } from "../fields/fields.ts";
import { findCostColumns, type NamedCurrency } from "../fields/other-headers.ts";
import type { IssueParams } from "../issues/issue.ts";
import { splitRuleField } from "../names/value-rules.ts";
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
import type { ColumnMapping } from "./column-mapping.ts";
import {
  type ColumnQuestion,
  describeChoices,
  findOpenColumns,
  type OpenColumn,
} from "./column-questions.ts";
import type { HeaderReport } from "./header-matcher.ts";
import { isPlausible, mapFlag } from "./likely-columns.ts";
import { findForeignPrices } from "./price-currency.ts";

/** Exports that are no product files. */
const RECORD_EXPORTS = [
  "comments",
  "orders",
  "questions",
  "payments",
  "search",
  "templates",
  "companies",
  "addresses",
  "cities",
  "shipping-prices",
] as const;

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
  search: { tr: "arama sonuçları", en: "results of a search" },
  templates: { tr: "teslimat şablonları", en: "shipping templates" },
  companies: { tr: "kargo firmaları", en: "shipping companies" },
  addresses: { tr: "teslimat adresleri", en: "shipping addresses" },
  cities: { tr: "şehirler", en: "cities" },
  "shipping-prices": { tr: "kargo ücretleri", en: "shipping prices" },
};

/** What takes the file instead, as a sentence for the message. */
const TAKEN_BY: Readonly<Partial<Record<RecordExport, Localized>>> = {
  orders: {
    tr: "Bu dosyadaki işlemler için: catalog orders --help. ",
    en: "For the actions of this file: catalog orders --help. ",
  },
  questions: {
    tr: "Bu dosyadaki yanıtlar için: catalog answer --help. ",
    en: "For the answers of this file: catalog answer --help. ",
  },
  templates: {
    tr: "Bu dosyadaki şablonlar için: catalog shipping templates import --help. ",
    en: "For the templates of this file: catalog shipping templates import --help. ",
  },
};

const NOTHING: Localized = { tr: "", en: "" };

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
      ["Paket Durumu", "Package Status", "status_explained"],
      ["package_status", "package_status_explained"],
      ["Paketteki Ürünler", "Products in Package", "package_items"],
      ["Paket Toplamı", "Package Total", "package_total"],
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
      ["Yanıt Başlığı", "Answer Title", "answer_title"],
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
  search: {
    sheets: ["Bulunan ürünler", "Found products"],
    marks: [
      ["Bulunan Ürün", "Found Product", "found_title"],
      ["Bulunan Ürünün Kodu", "Found Code", "found_product_code"],
      ["Bulunan Mağaza", "Found Store", "found_store_name"],
      ["Bulunan Fiyat", "Found Price", "found_price"],
      ["Bulunan Satış Tutarı", "Found Paid Price", "found_paid_price"],
      ["Bulunan Stok", "Found Stock", "found_stock"],
      ["Bulunan Ürün ID", "Found Product ID", "found_id"],
      ["Bulunan Kategori", "Found Category", "found_category_name"],
      ["Bulunan Marka", "Found Brand", "found_brand_name"],
    ],
  },
  templates: {
    sheets: ["Teslimat şablonları", "Shipping templates"],
    marks: [
      ["Şablon ID", "Template ID"],
      ["Şablon Adı", "Template Name", "template_name"],
      ["Kargoya Verme Süresi", "Shipping Time", "shipping_time"],
      ["Gönderim Adresi", "Sender Address", "sender_address"],
      ["Gönderim Adresi ID", "Sender Address ID", "sender_address_id"],
      ["Bütün Şehirlere", "All Cities", "all_country"],
      ["İade Adresi Aynı", "Same Return Address", "common_address"],
      ["Kargo Firmaları", "Shipping Companies", "shipping_companies"],
      ["İade Firmaları", "Return Companies", "return_companies"],
    ],
  },
  companies: {
    sheets: ["Kargo firmaları", "Shipping companies"],
    marks: [
      ["Kargo Firması", "Shipping Company", "company"],
      ["Kargo Firması ID", "Shipping Company ID", "company_id"],
      ["Pazaryeriyle Anlaşmalı", "Contracted", "contracted"],
    ],
  },
  addresses: {
    sheets: ["Teslimat adresleri", "Shipping addresses"],
    marks: [
      ["Adres Adı", "Address Name", "address_name"],
      ["Adres ID", "Address ID", "address_id"],
    ],
  },
  cities: {
    sheets: ["Şehirler", "Cities"],
    marks: [
      ["Şehir ID", "City ID", "city_id"],
      ["İlçe ID", "District ID", "district_id"],
      ["İlçe", "District"],
    ],
  },
  "shipping-prices": {
    sheets: ["Kargo ücretleri", "Shipping prices"],
    marks: [
      ["Paket ID", "Package ID", "package_id"],
      ["En Ucuz Kargo Firması", "Cheapest Shipping Company", "cheapest_company"],
      ["En Düşük Kargo Ücreti", "Cheapest Shipping Price", "cheapest_price"],
      ["Kargo Sorunu", "Shipping Problem", "problem"],
    ],
  },
};

/** Marks without the sheet's name from which on a file is recognised: one may stand anywhere. */
const MIN_MARKS = 2;

/** An export that was recognised, and the first column that shows it. */
interface RecognisedExport {
  readonly kind: RecordExport;
  readonly contents: Localized;
  /** Names the command that takes the file; empty where there is none. */
  readonly advice: Localized;
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
    const advice = TAKEN_BY[kind] ?? NOTHING;
    return { kind, contents: CONTENTS[kind], advice, column, found, isNamed };
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
  for (const { index, named, header, platform, currency } of findForeignPrices(facts)) {
    if (platform !== undefined) {
      const answers = platformCurrencies(named);
      to.report("E_HEADER_CURRENCY.platform", index, { currency, platform, answers });
      continue;
    }
    const text = header === undefined ? "E_HEADER_CURRENCY" : "E_HEADER_CURRENCY.stated";
    to.report(text, index, { currency, other: header ?? "", answers: describeCurrencies(named) });
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

/** The currencies that prices of a platform may have; any of them where it names none. */
function platformCurrencies(named: NamedCurrency): Localized {
  const names = named === "other" ? (["TL", "USD", "EUR"] as const) : ([named, "TL"] as const);
  const answers = names.map((name) => `${name}: --set currency=${name}`).join(" · ");
  return { tr: answers, en: answers };
}

function ask(
  facts: ColumnFacts,
  { index, field, text, params, choices }: OpenColumn,
  { report }: HeaderReport,
): ColumnQuestion {
  const header = facts.shownHeaders[index] ?? "";
  const answers = describeChoices(header, choices);
  const issue = report(text, index, { ...params, answers });
  return { header, letter: columnLetter(index), field, issue, choices };
}

type ColumnWarning = ColumnMapping["warnings"][number];

/** A warning about one column, or about all with the same reason. */
export interface SharedWarning {
  readonly code: string;
  readonly message: Localized;
}

/** The columns of costs among those that are not sent. */
const COST = "cost";

/** Warnings that are given for all columns together. */
const SHARED: Readonly<Record<string, (headers: string, count: number) => Localized>> = {
  W_COLUMN_UNKNOWN: (headers, count) => ({
    tr: `Tanınmayan ${count} sütun kullanılmadı: ${headers}.`,
    en: `${count} ${count === 1 ? "column" : "columns"} that ${count === 1 ? "is" : "are"} not known ${count === 1 ? "was" : "were"} not used: ${headers}.`,
  }),
  [COST]: (headers) => ({
    tr: `Maliyet ${headers} gönderilmez; zararına satış denetimi ve fiyat kuralları içindir.`,
    en: `The cost ${headers} is not sent; it is for price rules and the check for prices below cost.`,
  }),
  W_COLUMN_NOT_SENT: (headers, count) => ({
    tr: `Pazaryerinde karşılığı olmayan ${count} sütun gönderilmez: ${headers}.`,
    en: `${count} ${count === 1 ? "column" : "columns"} for which the marketplace has no field ${count === 1 ? "is" : "are"} not sent: ${headers}.`,
  }),
};

/**
 * Lists the warnings of a file. An unknown header that is a property of some category is left out;
 * `openNames` are names that the store does not know.
 */
export function toColumnWarnings(
  mapping: ColumnMapping,
  propertyColumns: ReadonlySet<number>,
  openNames: readonly { readonly field: string }[],
): readonly SharedWarning[] {
  const open = new Set(openNames.map(({ field }) => splitRuleField(field).field));
  const used = new Set(
    mapping.columns.filter(({ index }) => propertyColumns.has(index)).map(({ header }) => header),
  );
  const lasting = mapping.warnings.filter(
    ({ code, column }) => code !== "W_COLUMN_UNKNOWN" || !used.has(column),
  );
  const costs = new Set(findCostColumns(mapping.columns).map(({ header }) => header));
  const groups = Map.groupBy(lasting, (warning) => {
    if (!(warning.code in SHARED)) return warning;
    return warning.code === "W_COLUMN_NOT_SENT" && costs.has(warning.column) ? COST : warning.code;
  });
  return [...groups].map(([key, group]) => {
    const share = SHARED[typeof key === "string" ? key : ""];
    return toWarning(mapping, group, { open, share });
  });
}

interface WarningParts {
  readonly open: ReadonlySet<string>;
  /** `undefined` for a warning that stands alone. */
  readonly share: (typeof SHARED)[string] | undefined;
}

function toWarning(
  mapping: ColumnMapping,
  group: readonly ColumnWarning[],
  { open, share }: WarningParts,
): SharedWarning {
  const [first] = group;
  if (first === undefined) throw new Error("a group has no warning");
  const { code } = first;
  if (share === undefined) return { code, message: withAdvice(first) };
  const named = [...new Set(group.map(({ column }) => `“${column}”`))];
  const { tr, en } = share(named.join(", "), named.length);
  const advice = code === "W_COLUMN_UNKNOWN" ? adviseOnUnknown(mapping, group, open) : NOTHING;
  return { code, message: { tr: tr + advice.tr, en: en + advice.en } };
}

const withAdvice = ({ message, suggestion }: ColumnWarning): Localized =>
  suggestion === undefined
    ? message
    : { tr: `${message.tr} ${suggestion.tr}`, en: `${message.en} ${suggestion.en}` };

/** Flags for the columns that may be fields, or an example of such a flag. */
function adviseOnUnknown(
  mapping: ColumnMapping,
  group: readonly ColumnWarning[],
  open: ReadonlySet<string>,
): Localized {
  const proposed = findProposals(mapping, new Set(group.map(({ column }) => column)), open);
  const write = (lang: "tr" | "en"): string =>
    [...proposed]
      .map(([header, field]) => mapFlag(header, findField(field)?.header[lang] ?? field))
      .join(" ");
  const example = group[0]?.column ?? "";
  return proposed.size > 0
    ? {
        tr: ` Şu alanlarsa komuta ekleyin: ${write("tr")}`,
        en: ` If they are these fields, add to the command: ${write("en")}`,
      }
    : {
        tr: ` Birini kullanmak için: ${mapFlag(example, "ALAN")}`,
        en: ` To use one of them: ${mapFlag(example, "FIELD")}`,
      };
}

/** The likely field of each of these headers; `open` are fields whose names are not known. */
function findProposals(
  mapping: ColumnMapping,
  headers: ReadonlySet<string>,
  open: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const taken = new Set<string>([
    ...mapping.constants.keys(),
    ...mapping.columns.flatMap(({ target }) => (target.kind === "field" ? [target.field] : [])),
  ]);
  const proposed = new Map<string, string>();
  const propose = (header: string, field: string): void => {
    if (!headers.has(header) || taken.has(field) || proposed.has(header)) return;
    taken.add(field);
    proposed.set(header, field);
  };
  for (const { header, field } of mapping.alternatives) {
    if (open.has(field) && headers.has(header)) proposed.set(header, field);
  }
  for (const { header, field } of mapping.likely) propose(header, field);
  for (const { header, target } of mapping.columns) {
    const field = target.kind === "unknown" ? target.suggestion : undefined;
    if (field !== undefined && isPlausible(field, header)) propose(header, field);
  }
  return proposed;
}
