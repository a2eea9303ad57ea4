/**
 * Proposes columns for the fields that a file seems not to have. A proposal is never used: it is
 * shown to a person with values and the flag that accepts it.
 */

import { type Lang, type Localized, quoteText } from "@catalog/i18n";

import { type FieldKey, findField, getField } from "../fields/fields.ts";
import { headerKey, headerWords } from "../text-keys.ts";
import { readTimes } from "../values/value-readers.ts";
import { type ColumnCells, type ColumnFacts, describeCells, isFilled } from "./column-cells.ts";

/** A column that may hold a missing field. */
export interface LikelyColumn {
  readonly field: FieldKey;
  /** As it stands in the file. */
  readonly header: string;
  /** Where it is, with the first values in it. */
  readonly cells: Localized;
}

interface Signs {
  /** Words of headers, better ones first, compared with {@link headerKey}. */
  readonly words: readonly string[];
  /** Whole headers of last resort; ids of another system under them are proposed as well. */
  readonly wholes?: readonly string[];
  /** Words of headers that hold something else. */
  readonly not?: RegExp;
  /** Whether a text may be a value of the field. */
  readonly takes?: (text: string) => boolean;
  /** Words of headers that hold the field only where their texts are short. */
  readonly ifShort?: readonly string[];
}

const HAS_DIGIT = /\d/u;
const HAS_LETTER = /\p{L}/u;
const ADDRESS = /^https?:|\.(?:jpe?g|png|webp|gif)\b/iu;
const MAX_CODE_CHARS = 40;

const isCode = (text: string): boolean =>
  text.length <= MAX_CODE_CHARS && text.split(/\s+/u).length <= 2 && !ADDRESS.test(text);
const isName = (text: string): boolean => HAS_LETTER.test(text) && !ADDRESS.test(text);
const isNumber = (text: string): boolean =>
  HAS_DIGIT.test(text) && !/\p{L}{4}/u.test(text) && readTimes(text).length === 0;

/** A longer text, or one of several lines, is no name. */
const MAX_NAME_CHARS = 100;
const isShortName = (text: string): boolean =>
  text.length <= MAX_NAME_CHARS && !/[\n<]/u.test(text) && isName(text);

/** Says that a price is what the buyer pays. */
const WITH_TAX =
  /kdv(?:si)?dahil|dahilkdv|kdvli|inc(?:l(?:uding|uded)?)?(?:kdv|vat|tax)|(?:vat|tax)inc(?:l(?:uding|uded)?)?/gu;

const OTHER_PRICE =
  /alis|satinalma|giris|tedarik|maliyet|cost|purchase|buying|supplier|standard|bayi|dealer|toptan|wholesale|liste|list|piyasa|rrp|msrp|eski|old|compare|komisyon|commission|kargo|shipping|kdv|vat|tax|haric|(?<!inter)net|min|max|usd|eur|[02-9$€£]/u;

const SIGNS: ReadonlyMap<FieldKey, Signs> = new Map<FieldKey, Signs>([
  [
    "product_code",
    {
      words: [
        "sku",
        "stok kod",
        "urun kod",
        "item code",
        "kod",
        "code",
        "referans",
        "reference",
      ].concat(["gtin", "ean", "item no", "urun no", "handle"]),
      // Feeds have the shop's code under it, and other files a number of their program.
      wholes: ["id"],
      not: /kategori|category|marka|brand|kdv|renk|color|kur|currency|posta|parent|grup|group/u,
      takes: isCode,
    },
  ],
  [
    "title",
    {
      words: ["urun ad", "baslik", "title", "product name", "stok ad", "isim", "name", "tanim"],
      // Programs of warehouses name the column of names so.
      ifShort: ["aciklama", "description"],
      not: /kategori|category|marka|brand|option|meta|seo|alt|sub|model|dosya|file|kargo|shipping|teslimat|musteri|customer/u,
      takes: isName,
    },
  ],
  [
    "category",
    {
      words: ["kategori", "category", "reyon", "type", "grup", "group"],
      not: /kargo|shipping|teslimat|fiyat|price|musteri|customer|kdv|tax|vergi|odeme|pay|siparis|order|indirim|discount|garanti|warranty|image|file|dosya|fatura|invoice|yorum|comment|kayit|record/u,
      takes: isName,
    },
  ],
  [
    "brand",
    {
      words: ["marka", "brand", "vendor", "uretici", "manufacturer"],
      not: /kod|code|id$/u,
      takes: isName,
    },
  ],
  ["brand_model", { words: ["model"], not: /kod|code/u }],
  [
    "description",
    {
      words: ["aciklama", "description", "body", "detay", "icerik", "content"],
      not: /meta|seo|kisa|short|alt/u,
      takes: isName,
    },
  ],
  ["sub_title", { words: ["alt baslik", "kisa aciklama", "short description"], takes: isName }],
  [
    "price",
    {
      words: [
        "satis fiyat",
        "sale price",
        "perakende",
        "fiyat",
        "price",
        "satis",
        "tutar",
        "amount",
      ],
      not: OTHER_PRICE,
      takes: isNumber,
    },
  ],
  [
    "stock",
    {
      words: ["stok", "stock", "miktar", "quantity", "qty", "inventory", "adet", "bakiye"],
      not: /min|max|kritik|rezerve|kod|code|ad[ie]?$|policy|durum|status|depo ad|koli|kutu|paket|package|safety|guvenlik|degisim|change|tutar|deger|value/u,
      takes: isNumber,
    },
  ],
  [
    "image_1",
    {
      words: ["gorsel", "resim", "image", "foto", "photo", "picture", "img"],
      not: /alt|width|height|position|sira/u,
      takes: (text) => ADDRESS.test(text),
    },
  ],
  [
    "shipping_template",
    {
      words: ["teslimat", "kargo sablon", "shipping"],
      not: /fiyat|ucret|bedel|price|cost|country|ulke|agirlik|weight|desi|sure|gun|time|date|tarih|gecik|asil|overdue|late|firma|compan|carrier|kod|code|track|takip|add?res|status|durum|musteri|customer|name|ad[ie]?$/u,
      takes: isName,
    },
  ],
]);

/** What is known besides the facts. */
interface LikelyColumnsOptions {
  /** The field of each column about which a question is open; it is proposed for no other field. */
  readonly asked: ReadonlyMap<number, FieldKey>;
  /** Whether the profile of a platform says which columns are never sent. */
  readonly hasProfile: boolean;
}

/** The best column for each of these fields; a column is proposed for one field only. */
export function findLikelyColumns(
  facts: ColumnFacts,
  missing: readonly FieldKey[],
  { asked, hasProfile }: LikelyColumnsOptions,
): readonly LikelyColumn[] {
  const taken = new Set<number>(asked.keys());
  return missing.flatMap((field) => {
    const signs = SIGNS.get(field);
    const [own, ...rivals] = [...asked].flatMap(([at, other]) => (other === field ? [at] : []));
    // Which of several columns it is, only their questions can tell.
    if (rivals.length > 0) return [];
    const index = own ?? (signs && findBest(facts, signs, { taken, hasProfile }));
    if (index === undefined) return [];
    taken.add(index);
    return [{ field, header: facts.shownHeaders[index] ?? "", cells: describeCells(facts, index) }];
  });
}

/** Whether a column may be proposed for the product code although it is known not to be sent. */
export const isCodeLike = (header: string): boolean => {
  const signs = SIGNS.get("product_code");
  return signs !== undefined && rankOf(header, signs) !== undefined;
};

/** The best filled column for the product code, among those that are known not to be sent as well. */
export function findLikelyCode(facts: ColumnFacts): number | undefined {
  const signs = SIGNS.get("product_code");
  const found = signs && findBest(facts, signs, { taken: new Set(), hasProfile: false });
  // A column that was not examined is proposed nowhere but beside a missing one.
  const isExamined = found !== undefined && facts.cells?.get(found) !== undefined;
  return isExamined ? found : undefined;
}

/** Parts of headers of numbers that are neither stock nor price, whatever a file calls these. */
const OTHER_NUMBER =
  "kritik|critical|rezerv|reserved|barkod|barcode|numara|number|cost|maliyet|vergi|oran|rate|iskonto|indirim|discount|komisyon|commission|desi|agirlik|weight|kilo|gram|genislik|width|yukseklik|height|derinlik|depth|hacim|volume|ebat|size|tarih|date|index|position|puan|rating|yorum|review|sold|koli|kutu|paket|package|pallet|palet|garanti|warranty|model|renk|curr|telefon|phone|posta|sezon|season|siparis|moq|termin|leadtime|leadday|taksit|installment|favori|omru|shelflife|rank|view|goruntulenme|incoming|committed|unavailable|safety|versiyon|version|category|kategori|degisim|change|color|ortalama|average";

const NO_STOCK = new RegExp(
  `${OTHER_NUMBER}|fiyat|price|tutar|amount|bedel|ucret|satis|kdv|vat|tax`,
  "u",
);

/** Amounts of a stock, of tax, of a measure and of a change, which no product is sold for. */
const OTHER_MONEY =
  /(?:kdv|stok)(?:tutar|deger)|(?:vat|tax|stock|inventory)(?:amount|value)|per(?:kg|lt?|m2?|unit)$|birimbasi|litre|degisim|change$/u;

/** What a shop pays or charges for something else is never asked about as its price. */
const NO_PRICE = new RegExp(
  `${OTHER_NUMBER}|alis|satinalma|giris|tedarik|purchase|buying|supplier|standard|kargo|shipping|teslimat|delivery`,
  "u",
);

const PRICE_NAME = /fiyat|price|tutar|amount|psf|msrp|rrp/u;

/** The same as whole words, which are too short to be looked for within others. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  "min max id no kod code sku ean gtin boy en yil year ay month gun day saat time sira order olcu kur kuru yas age box zip raf shelf bin fx pack rank".split(
    " ",
  ),
);

const hasOtherWord = (header: string): boolean =>
  headerWords(header)
    .split(" ")
    .some((word) => OTHER_WORDS.has(word));

const COUNT = /^\d{1,7}(?:[.,]0+)?$/u;

export const areCounts = ({ samples = [] }: Partial<ColumnCells> = {}): boolean =>
  samples.length > 0 && samples.every((text) => COUNT.test(text));

const AMOUNT = /^\d[\d.,\s]*[.,]\d{2}$/u;

const areAmounts = ({ samples = [] }: Partial<ColumnCells> = {}): boolean =>
  samples.length > 0 && samples.every(isNumber) && samples.some((text) => AMOUNT.test(text));

/**
 * Whether an unknown column of numbers may be the stock or the price that a file lacks. A header
 * that is no good proposal, such as a price without tax, is asked about all the same.
 */
export function mayHoldNumbersOf(facts: ColumnFacts, index: number, field: FieldKey): boolean {
  const signs = SIGNS.get(field);
  const header = facts.headers[index] ?? "";
  const known = facts.cells?.get(index);
  if (signs === undefined || known?.numbers === 0 || namesNoNumber(header)) return false;
  const isNamed = rankOf(header, signs) !== undefined && holds(facts, index, signs);
  if (isNamed) return true;
  if (field === "stock") return areCounts(known) && !namesNoStock(header);
  return field === "price" && mayHoldPrice(facts, index, signs);
}

const namesNoNumber = (header: string): boolean =>
  header === "" || OTHER_MONEY.test(headerKey(header));

const namesNoStock = (header: string): boolean =>
  NO_STOCK.test(headerKey(header)) || hasOtherWord(header);

function mayHoldPrice(facts: ColumnFacts, index: number, signs: Signs): boolean {
  const header = facts.headers[index] ?? "";
  const key = headerKey(header);
  if (NO_PRICE.test(key)) return false;
  if (PRICE_NAME.test(key)) return holds(facts, index, signs);
  return areAmounts(facts.cells?.get(index)) && !hasOtherWord(header);
}

/** Whether a header says that a stock is what may be sold, without what is reserved. */
export const namesSellable = (header: string): boolean =>
  /(?<!un)available|sellable|satilabilir|kullanilabilir|serbest|atp/u.test(headerKey(header)) ||
  /^free(?: (?:stock|qty|quantity))?$/u.test(headerWords(header));

/** Whether a header names a price without tax, which the marketplace does not take. */
export const isWithoutTax = (header: string): boolean =>
  /haric|excl|without|kdvsiz/u.test(headerKey(header));

/** Words and signs of amounts that are not in TL with tax. */
const OTHER_AMOUNT = /usd|eur|dolar|dollar|[$€£]|haric|excl|without|net/u;

/** Whether a header that resembles a field's may be proposed for it. */
export function isPlausible(field: FieldKey, header: string): boolean {
  const key = headerKey(header);
  if (getField(field).kind === "money" && OTHER_AMOUNT.test(key)) return false;
  return SIGNS.get(field)?.not?.test(key.replaceAll(WITH_TAX, "")) !== true;
}

interface BestColumnOptions extends Pick<LikelyColumnsOptions, "hasProfile"> {
  /** Columns that are not proposed again. */
  readonly taken: ReadonlySet<number>;
}

function findBest(
  facts: ColumnFacts,
  signs: Signs,
  { taken, hasProfile }: BestColumnOptions,
): number | undefined {
  const mayBeUnsent = !hasProfile && signs.takes === isCode;
  const ranked = facts.headers.flatMap((header, index) => {
    const { kind } = facts.targets[index] ?? { kind: "unused" };
    const isId = kind === "other-id" && isWhole(header, signs);
    const isOpen = kind === "unknown" || ((kind === "never-sent" || isId) && mayBeUnsent);
    const rank = isOpen && !taken.has(index) ? rankOf(header, signs) : undefined;
    return rank !== undefined && holds(facts, index, signs) ? [{ index, rank }] : [];
  });
  const [best] = ranked.toSorted((a, b) => a.rank - b.rank || a.index - b.index);
  return best?.index ?? findShort(facts, signs, taken);
}

/** A column of short texts under a header that names longer ones in other files. */
function findShort(
  facts: ColumnFacts,
  { ifShort = [], not }: Signs,
  taken: ReadonlySet<number>,
): number | undefined {
  const signs = { words: ifShort, takes: isShortName, ...(not && { not }) };
  const found = facts.headers.findIndex((header, index) => {
    const isOpen = facts.targets[index]?.kind === "unknown" && !taken.has(index);
    if (!isOpen || /kisa|short|uzun|long|detay/u.test(headerKey(header))) return false;
    const isExamined = (facts.cells?.get(index)?.samples ?? []).length > 0;
    return isExamined && rankOf(header, signs) !== undefined && holds(facts, index, signs);
  });
  return found === -1 ? undefined : found;
}

const isWhole = (header: string, { wholes }: Signs): boolean =>
  wholes?.includes(headerKey(header)) === true;

/** Of equal words a header that includes tax comes first. */
function rankOf(header: string, signs: Signs): number | undefined {
  const { words, not } = signs;
  if (isWhole(header, signs)) return words.length;
  // A barcode is a code of last resort, although its name ends in one.
  const whole = headerKey(header).replaceAll(/bar(?:kod|code)/gu, "ean");
  const key = whole.replaceAll(WITH_TAX, "");
  if (not?.test(key) === true) return undefined;
  const rank = words.findIndex((word) => key.includes(headerKey(word)));
  return rank === -1 ? undefined : rank + (key === whole ? 0.5 : 0);
}

/** A column whose cells were not examined is proposed by its header alone. */
function holds(facts: ColumnFacts, index: number, { takes = () => true }: Signs): boolean {
  const samples = facts.cells?.get(index)?.samples ?? [];
  return isFilled(facts, index) && samples.every((text) => takes(text));
}

/** Proposals for people: `Ürün Kodu: “Variant SKU” (C: AB-1 · AB-2)`. */
export const describeLikely = (likely: readonly LikelyColumn[]): Localized => {
  const write = (lang: Lang): string =>
    likely
      .map(
        ({ field, header, cells }) =>
          `${getField(field).header[lang]}: “${header}” (${cells[lang]})`,
      )
      .join("; ");
  return { tr: write("tr"), en: write("en") };
};

/** The flags that accept the proposals, to be pasted behind the command. */
export const mapFlags = (likely: readonly Pick<LikelyColumn, "field" | "header">[]): Localized => {
  const write = (lang: Lang): string =>
    likely
      .map(({ field, header }) => mapFlag(header, findField(field)?.header[lang] ?? field))
      .join(" ");
  return { tr: write("tr"), en: write("en") };
};

/** The flag that says which field the column with this header holds, to be pasted into a shell. */
export const mapFlag = (header: string, field: string): string =>
  `--map ${quoteText(`${header}=${field}`)}`;
