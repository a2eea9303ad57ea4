/** Texts and codes of the issues that guards report. */

import {
  decimalsOfChange,
  formatDateTime,
  formatMinor,
  formatNumber,
  formatPercentChange,
  type Lang,
  type Localized,
} from "@catalog/i18n";

import type { StoreProduct } from "../ports/product.ts";
import type { IssueLocation, RowIssue, GuardFinding } from "../row/issues.ts";
import {
  type ContentCounts,
  type ContentGuard,
  type GuardName,
  type MovedCause,
  type StockCounts,
  GUARDS,
} from "./guard-settings.ts";

/** What a row sends although its price is held. */
export interface HeldBesides {
  readonly stock_count?: number | undefined;
}

/** The stock is sent apart only where the listing shows the one that it replaces. */
export const heldBesides = (
  { stock_count }: HeldBesides,
  seen: Pick<StoreProduct, "stock"> | undefined,
): HeldBesides => (typeof seen?.stock === "number" ? { stock_count } : {});

/**
 * The issue of a row that a guard holds, at the cell of the value in question. A stock that does not
 * wait with the price is named.
 */
export function toGuardIssue(
  finding: GuardFinding,
  location: IssueLocation,
  { stock_count: stock }: HeldBesides = {},
): RowIssue {
  const { guard, also = [] } = finding;
  return {
    code: GUARD_CODES[guard],
    ...location,
    message: withStock(describePrice(finding), stock),
    suggestion: suggest(guard, ...also),
    guard: finding,
  };
}

function withStock({ tr, en }: Localized, stock: number | undefined): Localized {
  if (stock === undefined) return { tr, en };
  return {
    tr: `${tr} Satırın yeni stoğu (${stock}) fiyatı beklemez, gönderilir.`,
    en: `${en} The row's new stock (${stock}) does not wait for the price and is sent.`,
  };
}

/** The issue of a row whose stock is held as well, so that it waits with the price. */
export function toWaitingIssue(issue: RowIssue): RowIssue {
  const message = issue.code === PRICE_UNIT_CODE ? UNKNOWN_UNIT : undefined;
  const { guard } = issue;
  if (message === undefined && guard === undefined) return issue;
  return {
    ...issue,
    message: message ?? (guard === undefined ? issue.message : describePrice(guard)),
  };
}

/** The issue of a row whose new stock is a number of another kind, such as a code or a price. */
export const toStockRiseIssue = (
  { old, new: next }: { readonly old: number; readonly new: number },
  location: IssueLocation,
): RowIssue => ({
  code: GUARD_CODES["stock-rise"],
  ...location,
  message: {
    tr: `Stok ${formatNumber(old, "tr")} iken ${formatNumber(next, "tr")} olacak; bu bir stok değil, başka bir numara olabilir. Satır bekletildi.`,
    en: `The stock would go from ${formatNumber(old, "en")} to ${formatNumber(next, "en")}, which may be no stock but another number. The row is held.`,
  },
  suggestion: suggest("stock-rise"),
});

/** The issue of a row that would send a text whose letters were garbled by another program. */
export const toGarbledIssue = (
  { text, meant }: { readonly text: string; readonly meant: string | undefined },
  location: IssueLocation,
): RowIssue => ({
  code: GUARD_CODES["garbled-text"],
  ...location,
  message: {
    tr: `Metnin harfleri bozulmuş görünüyor: ${quote(text)}${meant === undefined ? "" : `, aslı ${quote(meant)} olabilir`}; satır bekletildi.`,
    en: `The letters of the text seem to be garbled: ${quote(text)}${meant === undefined ? "" : ` may have been ${quote(meant)}`}; the row is held.`,
  },
  suggestion: suggest("garbled-text"),
});

/** The issue of a row that would sell its product in another currency. */
export const toCurrencyIssue = (
  { old, new: next }: { readonly old: string; readonly new: string },
  location: IssueLocation,
): RowIssue => ({
  code: GUARD_CODES["currency-change"],
  ...location,
  message: {
    tr: `Ürün mağazada ${old} ile satılıyor, dosyadaki fiyat ${next}; para birimi değişeceği için satır bekletildi.`,
    en: `The store sells the product in ${old}, and the price of the file is in ${next}; the row is held, as its currency would change.`,
  },
  suggestion: suggest("currency-change"),
});

/** The issue of a row whose product would be sold for less than it costs; `why` is the arithmetic. */
export const toBelowCostIssue = (why: Localized, location: IssueLocation): RowIssue => ({
  code: GUARD_CODES["below-cost"],
  ...location,
  message: {
    tr: `Satış maliyetin altında kalır: ${why.tr}. Fiyat bekletildi.`,
    en: `The sale would not cover the cost: ${why.en}. The price is held.`,
  },
  suggestion: suggest("below-cost"),
});

/** The issue of a row whose stock was sent, so that only the rest of it waits. */
export function toStockSentIssue(issue: RowIssue, stock: number): RowIssue {
  const waiting = toWaitingIssue(issue);
  if (waiting === issue) return issue;
  const { tr, en } = waiting.message;
  return {
    ...waiting,
    message: {
      tr: `${tr} Satırın yeni stoğu (${stock}) gönderildi.`,
      en: `${en} The row's new stock (${stock}) was sent.`,
    },
  };
}

/** The issue of every row that sets a stock to 0 in a run where too many do. */
export function toStockIssue({ rows, emptied }: StockCounts, location: IssueLocation): RowIssue {
  const percent = Math.round((emptied / rows) * 100);
  return {
    code: GUARD_CODES["zero-stock"],
    ...location,
    message: {
      tr: `Dosya, stok veren ${rows} satırın ${emptied} tanesinde (%${percent}) stoğu sıfırlıyor; bu satır da bekletildi.`,
      en: `The file sets the stock of ${emptied} of ${rows} rows (${percent}%) to 0; this row is held with them.`,
    },
    suggestion: suggest("zero-stock"),
  };
}

/** The warning of a row whose product a feed no longer names. */
export const toAbsentIssue = (sinceMs: number, location: IssueLocation): RowIssue => ({
  code: "W_FEED_ABSENT",
  ...location,
  message: {
    tr: `Ürün ${atTime(sinceMs, "tr")} tarihinden beri beslemede yok; stoğu 0 olacak.`,
    en: `Absent from the feed since ${atTime(sinceMs, "en")}; its stock becomes 0.`,
  },
});

/**
 * The issue that holds such a row: where a person decides about each, or where so many are absent
 * that the feed may be incomplete.
 */
export const toAbsentHoldIssue = (
  counts: StockCounts | undefined,
  location: IssueLocation,
): RowIssue => ({
  code: GUARD_CODES.absent,
  ...location,
  message: counts === undefined ? ABSENT_WAITS : describeAbsent(counts),
  suggestion: suggest("absent"),
});

const ABSENT_WAITS: Localized = {
  tr: "Beslemede olmayan ürünlerin stoğu siz onaylayınca 0 yapılır; satır bekletildi.",
  en: "The stock of products that are absent from the feed becomes 0 once you approve it; the row is held.",
};

function describeAbsent({ rows, emptied }: StockCounts): Localized {
  const percent = Math.round((emptied / rows) * 100);
  return {
    tr: `Beslemenin ${rows} ürününden ${emptied} tanesinin (%${percent}) stoğu 0 olacaktı; besleme eksik olabilir, beslemede olmayan ürünlerin satırları bekletildi.`,
    en: `The stock of ${emptied} of the feed's ${rows} products (${percent}%) would become 0; the feed may be incomplete, so the rows of products that are absent from it are held.`,
  };
}

const atTime = (ms: number, lang: Lang): string =>
  formatDateTime(ms, lang, { dateStyle: "short", timeStyle: "short" });

/** Characters of a text that an issue quotes. */
const MAX_QUOTED = 60;

const quote = (text: string): string => {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return `“${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1)}…` : line}”`;
};

const MOVED_CAUSES: Readonly<Record<MovedCause, Localized>> = {
  slipped: {
    tr: "sütunun hücreleri başka satırlara kaymış olabilir",
    en: "the cells of the column may have slipped to other rows",
  },
  sorted: {
    tr: "bu sütun ötekilerden ayrı sıralanmış olabilir",
    en: "the column may have been sorted without the others",
  },
  series: {
    tr: "sütun bir sayı dizisiyle doldurulmuş olabilir",
    en: "the column may have been filled with a series",
  },
  swapped: {
    tr: "iki sütun yer değiştirmiş olabilir",
    en: "two columns may have been swapped",
  },
  alike: {
    tr: "bir ürünün fiyatı bütün satırlara kopyalanmış olabilir",
    en: "the price of one product may have been copied to all rows",
  },
  untaxed: {
    tr: "fiyatlar KDV'siz yazılmış olabilir",
    en: "the prices may have been written without tax",
  },
  scaled: {
    tr: "stoklar 10, 100 ya da 1.000 katı yazılmış olabilir",
    en: "the stocks may have been written 10, 100 or 1,000 times too high",
  },
  taken: {
    tr: "ürünlerin değerleri karışmış olabilir",
    en: "the values of the products may have been mixed up",
  },
};

const CONTENT_TEXTS: Readonly<Record<ContentGuard, (counts: ContentCounts) => Localized>> = {
  "moved-values": ({ rows, changed, cause = "taken" }) => ({
    tr: `Dosya, bu alanı değişen ${formatNumber(rows, "tr")} ürünün ${formatNumber(changed, "tr")} tanesine kendisinin olmayan bir değer veriyor gibi; ${MOVED_CAUSES[cause].tr}`,
    en: `Of ${formatNumber(rows, "en")} products whose value of this field changes, the file seems to give ${formatNumber(changed, "en")} a value that is not their own; ${MOVED_CAUSES[cause].en}`,
  }),
  "same-text": ({ rows, changed, field }) => ({
    tr: `Dosya, ${field === "images" ? "görselleri" : "metni"} değişen ${formatNumber(rows, "tr")} ürünün ${formatNumber(changed, "tr")} tanesine başka ürünlerle ${field === "images" ? "aynı görselleri" : "aynı metni"} veriyor`,
    en: `Of ${formatNumber(rows, "en")} products whose ${field === "images" ? "images change" : "text changes"}, the file gives ${formatNumber(changed, "en")} the same ${field === "images" ? "images" : "text"} as others`,
  }),
  "short-text": ({ rows, changed }) => ({
    tr: `Dosya, metni değişen ${formatNumber(rows, "tr")} ürünün ${formatNumber(changed, "tr")} tanesinde metni üçte birinin altına indiriyor`,
    en: `Of ${formatNumber(rows, "en")} products whose text changes, ${formatNumber(changed, "en")} would have less than a third of it left`,
  }),
  "other-text": ({ rows, changed }) => ({
    tr: `Dosya, metni değişen ${formatNumber(rows, "tr")} ürünün ${formatNumber(changed, "tr")} tanesinde başlığı, eskisinin hiçbir sözcüğü kalmayacak biçimde değiştiriyor`,
    en: `Of ${formatNumber(rows, "en")} products whose text changes, ${formatNumber(changed, "en")} would have a title without one word of the old one`,
  }),
  "brand-change": ({ rows, changed }) => ({
    tr: `Dosya, güncellenecek ${formatNumber(rows, "tr")} ürünün ${formatNumber(changed, "tr")} tanesinde markayı ya da kategoriyi değiştiriyor`,
    en: `Of ${formatNumber(rows, "en")} products to update, the file moves ${formatNumber(changed, "en")} to another brand or category`,
  }),
  "no-images": ({ rows, changed }) => ({
    tr: `Dosya, güncellenecek ${formatNumber(rows, "tr")} ürünün ${formatNumber(changed, "tr")} tanesinin bütün görsellerini kaldırıyor`,
    en: `Of ${formatNumber(rows, "en")} products to update, the file removes all images of ${formatNumber(changed, "en")}`,
  }),
};

const TEXT_FIELDS: ReadonlySet<string> = new Set(["title", "sub_title", "description"]);

/** The issue of a row whose text, brand or images change as those of too many others do. */
export function toContentIssue(
  counts: ContentCounts,
  change: { readonly old: string; readonly new: string },
  location: IssueLocation,
): RowIssue {
  const { tr, en } = CONTENT_TEXTS[counts.guard](counts);
  // Ids and images say nothing to a person.
  const example = TEXT_FIELDS.has(counts.field)
    ? ` (${quote(change.old)} → ${quote(change.new)})`
    : "";
  return {
    code: GUARD_CODES[counts.guard],
    ...location,
    message: {
      tr: `${tr}; bu satır da bekletildi${example}.`,
      en: `${en}; this row is held with them${example}.`,
    },
    suggestion: suggest(counts.guard),
  };
}

/** The issue of a row whose new price has no known old price to be compared with. */
export function toUnknownOldIssue(guard: GuardName, location: IssueLocation): RowIssue {
  return {
    code: GUARD_CODES[guard],
    ...location,
    message: {
      tr: "Ürünün eski fiyatı bilinmiyor, yeni fiyat karşılaştırılamadı; satır bekletildi.",
      en: "The old price of the product is not known, so the new one could not be compared; the row is held.",
    },
    suggestion: suggest(guard),
  };
}

/** Code of an update that is held because the unit of the listing's prices is not known. */
export const PRICE_UNIT_CODE = "E_GUARD_PRICE_UNIT";

/** Whether the row is held because the unit of prices is not known, perhaps among other reasons. */
export const isOfUnknownUnit = ({
  issues,
}: {
  readonly issues: readonly Pick<RowIssue, "code">[];
}): boolean => issues.some(({ code }) => code === PRICE_UNIT_CODE);

/** The issue of a row whose new price cannot be compared until the listing's unit is known. */
export function toUnknownUnitIssue(
  location: IssueLocation,
  { stock_count: stock }: HeldBesides = {},
): RowIssue {
  return {
    code: PRICE_UNIT_CODE,
    ...location,
    message: withStock(UNKNOWN_UNIT, stock),
    suggestion: {
      tr: "Birimi biliyorsanız bir kez --price-unit minor (kuruş) ya da --price-unit major (lira) verin: catalog resume <çalıştırma> ile ya da sıradaki import ve sync ile; satır karşılaştırılır, uygunsa gönderilir.",
      en: "If you know the unit, give --price-unit minor or --price-unit major once, to catalog resume <run> or to the next import or sync; the row is compared, and sent if it is right.",
    },
  };
}

const UNKNOWN_UNIT: Localized = {
  tr: "Mağazadaki fiyatların birimi (kuruş mu, lira mı) henüz bilinmiyor; yeni fiyat eskisiyle karşılaştırılamadı, satır bekletildi.",
  en: "The unit of the store's prices (minor or major) is not known yet, so the new price could not be compared with the old one. The row is held.",
};

/** The guard behind an issue; `undefined` where none holds the row. */
export function guardOf({ code }: Pick<RowIssue, "code">): GuardName | undefined {
  // An unknown unit leaves a factor of 100 open, which is what the price-scale guard looks for.
  if (code === PRICE_UNIT_CODE) return "price-scale";
  return GUARDS.names.find((guard) => GUARD_CODES[guard] === code);
}

/** The stable code of each guard's issues. */
export const GUARD_CODES: Readonly<Record<GuardName, string>> = {
  "price-drop": "E_GUARD_PRICE_DROP",
  "price-rise": "E_GUARD_PRICE_RISE",
  "price-scale": "E_GUARD_PRICE_SCALE",
  "discount-price": "E_GUARD_DISCOUNT",
  "currency-change": "E_GUARD_CURRENCY",
  "below-cost": "E_GUARD_BELOW_COST",
  "stock-rise": "E_GUARD_STOCK_RISE",
  "zero-stock": "E_GUARD_ZERO_STOCK",
  "few-rows": "E_GUARD_FEW_ROWS",
  "fewer-columns": "E_GUARD_FEWER_COLUMNS",
  "garbled-text": "E_GUARD_GARBLED_TEXT",
  "moved-values": "E_GUARD_MOVED_VALUES",
  "same-text": "E_GUARD_SAME_TEXT",
  "short-text": "E_GUARD_SHORT_TEXT",
  "other-text": "E_GUARD_OTHER_TEXT",
  "brand-change": "E_GUARD_BRAND_CHANGE",
  "no-images": "E_GUARD_NO_IMAGES",
  "no-rules": "E_GUARD_NO_RULES",
  absent: "E_GUARD_ABSENT",
};

function describePrice(finding: GuardFinding): Localized {
  const { tr, en } = describeFinding(finding);
  const paid = describePaid(finding);
  return paid === undefined ? { tr, en } : { tr: `${tr} ${paid.tr}`, en: `${en} ${paid.en}` };
}

/** What the finding means for the buyer, where a discount makes the paid price another one. */
function describePaid({ paid, price }: GuardFinding): Localized | undefined {
  if (paid === undefined) return undefined;
  const { old, new: next } = paid;
  const was = { tr: formatMinor(old, "tr"), en: formatMinor(old, "en") };
  if (next === old) {
    return {
      tr: `Alıcı indirimli ${was.tr} ödemeye devam eder.`,
      en: `The buyer goes on paying the discounted ${was.en}.`,
    };
  }
  if (next !== undefined) {
    return {
      tr: `Alıcının ödediği ${was.tr} iken ${formatMinor(next, "tr")} olacak.`,
      en: `What the buyer pays goes from ${was.en} to ${formatMinor(next, "en")}.`,
    };
  }
  const now = { tr: `Alıcı şimdi ${was.tr} ödüyor`, en: `The buyer pays ${was.en} now` };
  if (price === undefined || old <= 0) return { tr: `${now.tr}.`, en: `${now.en}.` };
  if (price === old) {
    return {
      tr: `${now.tr}; dosyadaki fiyat da bu.`,
      en: `${now.en}, which is the price of the file.`,
    };
  }
  const change = ((price - old) / old) * 100;
  const maxDecimals = decimalsOfChange(change, 1);
  const by = (lang: Lang): string => formatNumber(Math.abs(change), lang, { maxDecimals });
  return {
    tr: `${now.tr}; dosyadaki fiyat bundan %${by("tr")} ${price < old ? "düşük" : "yüksek"}.`,
    en: `${now.en}; the price of the file is ${by("en")}% ${price < old ? "lower" : "higher"}.`,
  };
}

function describeFinding({
  guard,
  field,
  old,
  new: next,
  price,
  percent = 0,
}: GuardFinding): Localized {
  const what =
    field === "price"
      ? { tr: "Fiyat", en: "The price" }
      : { tr: "Satış tutarı", en: "What is paid" };
  if (old === undefined) {
    return {
      tr: `İndirimli tutar (${formatMinor(next, "tr")}) ${next > 0 ? `fiyattan${inBrackets(price, "tr")} düşük değil` : "sıfırdan büyük değil"}. Mağaza bunu reddedebilir; indirimi de değiştirmek gerekebilir.`,
      en: `The discounted price (${formatMinor(next, "en")}) is not ${next > 0 ? `below the price${inBrackets(price, "en")}` : "above zero"}. The marketplace may refuse it; the discount may have to change as well.`,
    };
  }
  const change = {
    tr: `${what.tr} ${formatMinor(old, "tr")} iken ${formatMinor(next, "tr")} olacak (${formatPercentChange(percent, "tr")})`,
    en: `${what.en} would go from ${formatMinor(old, "en")} to ${formatMinor(next, "en")} (${formatPercentChange(percent, "en")})`,
  };
  if (guard !== "price-scale") return { tr: `${change.tr}.`, en: `${change.en}.` };
  const times =
    next > old
      ? { tr: "yüz katına", en: "a hundred times as much" }
      : { tr: "yüzde birine", en: "a hundredth" };
  return {
    tr: `${change.tr}; ${times.tr} çok yakın, virgül ya da kuruş kayması olabilir.`,
    en: `${change.en}, close to ${times.en}: a decimal sign may have slipped.`,
  };
}

const suggest = (...guards: readonly GuardName[]): Localized => ({
  tr: `Yanlışsa kendi dosyanızda düzeltip dosyayı yeniden yükleyin. Doğruysa dosyayı --allow ${guards.join(",")} ile yeniden yükleyin ya da held.xlsx içinde Onay hücresine Evet yazıp kaydedin, sonra: catalog release <çalıştırma> --approved held.xlsx`,
  en: `If it is wrong, correct it in your own file and import that file again. If it is right, import the file again with --allow ${guards.join(",")}, or write Yes in the row's Approve cell in held.xlsx, save it, and then: catalog release <run> --approved held.xlsx`,
});

const inBrackets = (price: number | undefined, lang: Lang): string =>
  price === undefined ? "" : ` (${formatMinor(price, lang)})`;
