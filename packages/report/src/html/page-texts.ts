/**
 * Texts of the page, and the choice of its rows where a run has more than browsers can open in
 * reasonable time.
 */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { RowRecord, RunRecord } from "@catalog/runs";

import { listWordsOf } from "../action-words.ts";
import { type ResultClass, toResultClass } from "../result-texts.ts";

export interface PageLimits {
  /** Maximum number of rows that are shown whatever they are. */
  readonly rows: number;
  /** Maximum number of later rows with a problem. */
  readonly problems: number;
}

export const PAGE_LIMITS: PageLimits = { rows: 10_000, problems: 10_000 };

/** The number of rows that the page has, where it does not have all of them. */
export interface RowOmission {
  readonly total: number;
  /** First rows, all of which are shown. */
  readonly first: number;
  /** Rows with a problem that are shown behind them. */
  readonly problems: number;
}

export interface ShownRows {
  /** Whether the page has the row; called for each row, in the order of the sheet. */
  take(row: RowRecord): boolean;
  /** `undefined` where every row is shown. */
  omission(): RowOmission | undefined;
}

/** Classes of rows that a person has to look at. */
const PROBLEMS: ReadonlySet<ResultClass> = new Set<ResultClass>([
  "invalid",
  "duplicate",
  "rejected",
  "held",
  "unknown",
]);

export function createShownRows(limits: PageLimits): ShownRows {
  let [total, first, problems] = [0, 0, 0];
  return {
    take(row) {
      total += 1;
      if (first < limits.rows) {
        first += 1;
        return true;
      }
      if (problems === limits.problems || !PROBLEMS.has(toResultClass(row))) return false;
      problems += 1;
      return true;
    },
    omission: () => (first + problems === total ? undefined : { total, first, problems }),
  };
}

interface PageTexts {
  readonly title: string;
  readonly skip: string;
  readonly facts: string;
  readonly file: string;
  readonly run: string;
  readonly store: string;
  readonly begun: string;
  readonly calls: string;
  readonly callsOf: (total: number, writes: number) => string;
  readonly lag: string;
  readonly lagOf: (products: number, half: string, max: string) => string;
  readonly callsOverTime: string;
  readonly callsIn: (total: number, busiestHour: number) => string;
  readonly limitOf: (perHour: number) => string;
  readonly noLimit: string;
  readonly totals: string;
  readonly allRows: string;
  readonly reasons: string;
  /** Stands for the further texts of one code. */
  readonly otherReasons: string;
  readonly noReasons: string;
  readonly issue: string;
  readonly count: string;
  readonly inRows: string;
  readonly prices: string;
  readonly pricesOf: (total: number, unread: number) => string;
  readonly plot: string;
  readonly plotHelp: string;
  readonly oldPrice: string;
  readonly newPrice: string;
  /** The price before the discount, below what the buyer pays. */
  readonly listPrice: (price: string) => string;
  readonly change: string;
  readonly others: string;
  /** `fields` is each field with the number of rows that change it. */
  readonly othersOf: (fields: string) => string;
  readonly field: string;
  readonly oldValue: string;
  readonly newValue: string;
  readonly rows: string;
  readonly search: string;
  readonly all: string;
  readonly row: string;
  readonly code: string;
  readonly result: string;
  readonly explanation: string;
  readonly productId: string;
  readonly pages: string;
  readonly previous: string;
  readonly next: string;
  readonly noScript: string;
  readonly omitted: (shown: RowOmission) => string;
  readonly footer: string;
  /** `{found}` and `{total}` are filled in by the page's script. */
  readonly found: string;
  /** `{page}` and `{pages}` are filled in by the page's script. */
  readonly pageOf: string;
  readonly suggestion: string;
}

export const PAGE_TEXTS: Readonly<Record<Lang, PageTexts>> = {
  tr: {
    title: "İçe aktarma raporu",
    skip: "Satırlara geç",
    facts: "Çalıştırma",
    file: "Dosya",
    run: "Numara",
    store: "Mağaza",
    begun: "Başlangıç",
    calls: "İstekler",
    callsOf: (total, writes) => `${total} istek, ${writes} tanesi yazma`,
    lag: "Mağazada görülme süresi",
    lagOf: (products, half, max) =>
      products === 1
        ? `Mağazada görülen 1 ürün, eklendikten sonra ${half} içinde göründü`
        : `Mağazada görülen ${products} ürünün yarısı, eklendikten sonra ${half} içinde göründü; neredeyse hepsi (%99) ${max} içinde`,
    callsOverTime: "Zaman içinde istekler",
    callsIn: (total, busiestHour) =>
      `${total} istek yapıldı; en yoğun 60 dakikada ${busiestHour} istek.`,
    limitOf: (perHour) => `Bilinen en düşük saatlik sınır ${perHour} istekti.`,
    noLimit: "Bilinen bir saatlik sınır yoktu.",
    totals: "Toplamlar",
    allRows: "Bütün satırlar",
    reasons: "Nedenler",
    otherReasons: "Aynı türden başka nedenler",
    noReasons: "Hiçbir satırda hata ya da uyarı yok.",
    issue: "Neden",
    count: "Satır sayısı",
    inRows: "Satırlar",
    prices: "Fiyat değişiklikleri",
    pricesOf: (total, unread) =>
      total === 0
        ? `${unread} ürünün eski fiyatı plan yapılırken bilinmiyordu; değişimleri gösterilemiyor.`
        : `${total} ürünün fiyatı eskisine göre değişiyor.${unread === 0 ? "" : ` ${unread} ürünün eski fiyatı bilinmiyor.`} En büyük değişiklikler aşağıda.`,
    plot: "Eski ve yeni fiyatlar",
    plotHelp: "Her nokta bir ürün. Çizginin üstündekiler pahalanıyor, altındakiler ucuzluyor.",
    oldPrice: "Eski fiyat",
    newPrice: "Yeni fiyat",
    listPrice: (price) => `indirimsiz ${price}`,
    change: "Değişiklik",
    others: "Öbür alanlardaki değişiklikler",
    othersOf: (fields) =>
      `Değişen alanlar, satır sayılarıyla: ${fields}. Her alanın en büyük değişiklikleri aşağıda.`,
    field: "Alan",
    oldValue: "Eski değer",
    newValue: "Yeni değer",
    rows: "Satırlar",
    search: "Satırlarda ara",
    all: "Hepsi",
    row: "Satır",
    code: "Ürün kodu",
    result: "Sonuç",
    explanation: "Açıklama",
    productId: "Ürün ID",
    pages: "Sayfalar",
    previous: "Önceki",
    next: "Sonraki",
    omitted: ({ total, first, problems }) =>
      `Bu sayfada ${formatNumber(total, "tr")} satırın ilk ${formatNumber(first, "tr")} tanesi${problems === 0 ? "" : ` ve sonrakilerden bakılması gereken ${formatNumber(problems, "tr")} satır`} var; hepsi result.xlsx dosyasında.`,
    noScript: "Satırları görmek için JavaScript gerekir; hepsi result.xlsx dosyasında da var.",
    footer: "Bu sayfa hiçbir yere bağlanmaz; bütün satırlar içindedir.",
    found: "{total} satırdan {found} tanesi",
    pageOf: "Sayfa {page} / {pages}",
    suggestion: "Öneri: ",
  },
  en: {
    title: "Import report",
    skip: "Go to the rows",
    facts: "Run",
    file: "File",
    run: "Number",
    store: "Store",
    begun: "Begun",
    calls: "Calls",
    callsOf: (total, writes) => `${total} calls, ${writes} of them writes`,
    lag: "Time until seen in the store",
    lagOf: (products, half, max) =>
      products === 1
        ? `The 1 product seen in the store showed within ${half} of being added`
        : `Of ${products} products seen in the store, half showed within ${half} of being added, nearly all (99 %) within ${max}`,
    callsOverTime: "Calls over time",
    callsIn: (total, busiestHour) =>
      `${total} calls were made, ${busiestHour} of them in the busiest 60 minutes.`,
    limitOf: (perHour) => `The lowest known limit was ${perHour} calls an hour.`,
    noLimit: "No hourly limit was known.",
    totals: "Totals",
    allRows: "All rows",
    reasons: "Reasons",
    otherReasons: "Other reasons of the same kind",
    noReasons: "No row has an error or a warning.",
    issue: "Reason",
    count: "Rows",
    inRows: "In rows",
    prices: "Price changes",
    pricesOf: (total, unread) =>
      total === 0
        ? `The old price of ${unread} ${unread === 1 ? "product" : "products"} was not known when the plan was made; what changes cannot be shown.`
        : `${total} ${total === 1 ? "product gets" : "products get"} another price.${unread === 0 ? "" : ` The old price of ${unread} is not known.`} The biggest changes are listed.`,
    plot: "Old and new prices",
    plotHelp: "Each dot is a product. Those above the line get dearer, those below it cheaper.",
    oldPrice: "Old price",
    newPrice: "New price",
    listPrice: (price) => `before discount ${price}`,
    change: "Change",
    others: "Changes of other fields",
    othersOf: (fields) =>
      `Fields that change, with their number of rows: ${fields}. The biggest changes of each are listed.`,
    field: "Field",
    oldValue: "Old value",
    newValue: "New value",
    rows: "Rows",
    search: "Search the rows",
    all: "All",
    row: "Row",
    code: "Product code",
    result: "Result",
    explanation: "Explanation",
    productId: "Product ID",
    pages: "Pages",
    previous: "Previous",
    next: "Next",
    omitted: ({ total, first, problems }) =>
      `This page has the first ${formatNumber(first, "en")} of ${formatNumber(total, "en")} rows${problems === 0 ? "" : ` and ${formatNumber(problems, "en")} of the later ones that need a look`}; all of them are in result.xlsx.`,
    noScript: "The rows need JavaScript; all of them are in result.xlsx too.",
    footer: "This page connects to nothing; all rows are inside it.",
    found: "{found} of {total} rows",
    pageOf: "Page {page} of {pages}",
    suggestion: "Suggestion: ",
  },
};

/** Titles of the report of a list of actions. */
const LIST_TITLES: Readonly<Record<Kind, Localized>> = {
  answers: { tr: "Yanıtların raporu", en: "Report of the answers" },
  packages: { tr: "Sipariş işlemlerinin raporu", en: "Report of the orders" },
  codes: { tr: "Kargo kodlarının raporu", en: "Report of the shipping codes" },
  templates: { tr: "Şablonların raporu", en: "Report of the templates" },
};

type Kind = NonNullable<RunRecord["progress"]["actions"]>["kind"];

/** The texts of a run's page; a list of actions names no product. */
export function pageTextsOf({ lang, progress }: Pick<RunRecord, "lang" | "progress">): PageTexts {
  const texts = PAGE_TEXTS[lang];
  const words = listWordsOf({ progress });
  const { actions } = progress;
  if (words === undefined || actions === undefined) return texts;
  return {
    ...texts,
    title: LIST_TITLES[actions.kind][lang],
    code: words.subject[lang],
    others: lang === "tr" ? "Neler değişiyor" : "What changes",
    othersOf: (fields) =>
      lang === "tr"
        ? `Değişen alanlar, satır sayılarıyla: ${fields}. Her alandan örnekler aşağıda.`
        : `Fields that change, with their number of rows: ${fields}. Examples of each are listed.`,
    oldValue: lang === "tr" ? "Önce" : "Before",
    newValue: lang === "tr" ? "Sonra" : "After",
  };
}
