/** Notes and warnings for a person about a whole file, before its plan is accepted. */

import type { Connection } from "@catalog/connection";
import { formatMinor, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type {
  ColumnMapping,
  createRowMapper,
  MappedRow,
  NumberNotations,
  RowMapper,
} from "@catalog/mapping";
import { DISCOUNT_FIELDS, type RowDecision, type RunWarning, type RunRecord } from "@catalog/runs";

import { type JoinedRows, lastHeaderRow } from "../file/product-rows.ts";
import { describeMeanings, type Rule } from "../names/value-rules.ts";
import type { PlanFileOptions, PlanSource } from "./plan-options.ts";

type PriceUnitQuestion = NonNullable<NonNullable<RunRecord["facts"]>["priceUnitQuestion"]>;
type PriceUnitSuggestion = NonNullable<PriceUnitQuestion["suggestion"]>;

interface PlanNoteFacts {
  /** Whether price rules change the prices of the file before they are sent. @default false */
  readonly isBeforeRules?: boolean | undefined;
  readonly mapping: Pick<ColumnMapping, "columns">;
  readonly notations: Pick<NumberNotations, "columns">;
  readonly prices: RowMapper["prices"]["samples"];
  readonly usedRules: readonly Rule[];
  /** Names of the properties that are sent. */
  readonly properties: readonly string[];
  /** Number of lists of names that were fetched. */
  readonly fetchedLists: number;
}

/** One line for each fact that applies. */
export function toPlanNotes(facts: PlanNoteFacts): readonly Localized[] {
  return [
    noteOnPrices(facts),
    noteOnCurrency(facts),
    noteOnRules(facts.usedRules),
    noteOnProperties(facts.properties),
    noteOnLists(facts.fetchedLists),
  ].filter((note) => note !== undefined);
}

const UNITS = {
  TL: { tr: "kuruş", en: "kuruş" },
  USD: { tr: "sent", en: "cents" },
  EUR: { tr: "sent", en: "cents" },
} as const;

const SIGNS = {
  comma: { tr: "ondalık ayırıcı virgül", en: "decimal comma" },
  point: { tr: "ondalık ayırıcı nokta", en: "decimal point" },
} as const;

function noteOnPrices({
  mapping,
  notations,
  prices,
  isBeforeRules = false,
}: PlanNoteFacts): Localized | undefined {
  if (prices.length === 0) return undefined;
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "price",
  );
  const sign = notations.columns.get(column?.index ?? -1)?.decimal;
  const write = (lang: Lang): string => {
    const samples = prices.map(
      (price) => `${writtenIn(price, lang)} → ${price.minor} ${UNITS[price.currency][lang]}`,
    );
    const how = sign === undefined ? "" : ` (${SIGNS[sign][lang]})`;
    return `${how}: ${samples.join(" · ")}`;
  };
  return isBeforeRules
    ? {
        tr: `Dosyadaki fiyatların okunuşu, fiyat kurallarından önce${write("tr")}`,
        en: `Prices as read from the file, before the price rules${write("en")}`,
      }
    : { tr: `Fiyatların gönderilişi${write("tr")}`, en: `Prices as sent${write("en")}` };
}

/** Says which currency prices get where nothing in the file names one. */
function noteOnCurrency({ prices }: PlanNoteFacts): Localized | undefined {
  const isAssumed = prices.length > 0 && prices.every((price) => price.isAssumed === true);
  if (!isAssumed) return undefined;
  return {
    tr: "Dosyada para birimi yazmıyor: yeni ürünlerin fiyatı TL olur, mağazadaki ürünler kendi para biriminde kalır.",
    en: "The file names no currency: prices of new products are TL, and products of the store keep their own.",
  };
}

/** A text as it was written; a number cell with the two decimals of a price. */
function writtenIn(
  { text, isNumberCell }: RowMapper["prices"]["samples"][number],
  lang: Lang,
): string {
  const value = Number(text);
  const isNumber = isNumberCell && Number.isFinite(value);
  return isNumber ? formatNumber(value, lang, { minDecimals: 2 }) : text;
}

const MAX_RULES = 3;

function noteOnRules(rules: readonly Rule[]): Localized | undefined {
  if (rules.length === 0) return undefined;
  const shown = rules
    .slice(0, MAX_RULES)
    .map((rule) => `${rule.value} → ${describeMeanings(rule)}`);
  const list = shown.join(" · ") + (rules.length > MAX_RULES ? " · …" : "");
  return {
    tr: `${rules.length} kural uygulandı: ${list}`,
    en: `${rules.length === 1 ? "1 rule was" : `${rules.length} rules were`} applied: ${list}`,
  };
}

function noteOnProperties(properties: readonly string[]): Localized | undefined {
  if (properties.length === 0) return undefined;
  const names = properties.join(", ");
  return {
    tr: `Özellik sütunları: ${names}. Pazaryerinin belgesi bu alanı saymıyor, kabul ettiği varsayılıyor; göndermemek için --properties skip.`,
    en: `Property columns: ${names}. The marketplace does not document this field, it is assumed to take it; --properties skip leaves it out.`,
  };
}

function noteOnLists(count: number): Localized | undefined {
  if (count === 0) return undefined;
  return {
    tr: `Adlar için ${formatNumber(count, "tr")} liste pazaryerinden okundu.`,
    en: `${count === 1 ? "1 list of names was" : `${formatNumber(count, "en")} lists of names were`} read from the marketplace.`,
  };
}

/** The sheet of a plan, and its columns. */
interface MappedSheet extends Pick<PlanSource, "sheet"> {
  readonly mapping: ColumnMapping;
}

interface ReadRows {
  /** Warnings that name the rows that were left out. */
  readonly leftOut: readonly RunWarning[];
  readonly names: {
    readonly mapper: Pick<RowMapper, "columnWarnings">;
    /** Names that the store does not know. */
    readonly openNames: readonly { readonly field: string }[];
  };
}

/** Warnings of a plan about its file: unknown columns, rows that are left out. */
export const toPlanWarnings = (
  { omittedFields }: Pick<Connection["meters"], "omittedFields">,
  opened: MappedSheet,
  { leftOut, names }: ReadRows,
): readonly RunWarning[] => [
  ...noticesOf(opened),
  ...names.mapper.columnWarnings(names.openNames),
  ...leftOut,
  ...omittedFields.warnings(),
];

const noticesOf = ({ sheet, mapping }: MappedSheet): readonly RunWarning[] =>
  (sheet.notices?.(lastHeaderRow(sheet, mapping)) ?? []).map(({ code, message }) => ({
    code,
    message,
  }));

interface VariantNoteFacts {
  readonly joined: JoinedRows | undefined;
  readonly mapping: Pick<ColumnMapping, "columns">;
  /** Columns of unknown headers count as taken only where they are properties. */
  readonly mapper: Pick<RowMapper, "propertyColumns" | "variantTitle">;
  /** Whether a person gave the pattern of titles for this very file. @default false */
  readonly isTitleGiven?: boolean | undefined;
}

/** No line for a file without variants and without rows that are no products. */
export function toVariantNotes({
  joined,
  mapping,
  mapper,
  isTitleGiven = false,
}: VariantNoteFacts): readonly Localized[] {
  const unused = isTitleGiven && (joined?.variants ?? 0) === 0 ? [UNUSED_TITLE] : [];
  if (joined === undefined) return unused;
  const lines = [
    joined.variants === 0 ? undefined : noteVariants(joined, mapper.variantTitle),
    noteTaken(joined, mapping, mapper),
    noteOthers(joined),
  ];
  return [...unused, ...lines.filter((line) => line !== undefined)];
}

const UNUSED_TITLE: Localized = {
  tr: '--variant-title kullanılmadı: dosyada seçeneği (renk, beden …) bilinen bir varyant satırı yok. Seçenek sütunlarını belirtin: --map "BAŞLIK=Seçenek 1".',
  en: '--variant-title was not used: no row of the file is a variant with an option (color, size …) that is known. Name the columns of options: --map "HEADER=option1".',
};

const noteVariants = (
  { products, variants, withVariants }: JoinedRows,
  pattern: string,
): Localized => ({
  tr: `${withVariants === 0 ? "" : `${withVariants} ürün, `}${variants} varyant satırı: her varyant ayrı bir ürün olur, başlığı “${pattern}” kalıbıyla kurulur (--variant-title).${
    products === 0 ? "" : ` Varyantsız: ${products} ürün.`
  }`,
  en: `${withVariants === 0 ? "" : `${countOf(withVariants, "product")}, `}${countOf(variants, "variant row")}: each variant becomes a product, its title made by “${pattern}” (--variant-title).${
    products === 0 ? "" : ` Without variants: ${countOf(products, "product")}.`
  }`,
});

function noteTaken(
  { takenColumns }: JoinedRows,
  { columns }: Pick<ColumnMapping, "columns">,
  { propertyColumns }: Pick<RowMapper, "propertyColumns">,
): Localized | undefined {
  const taken = columns.filter(
    ({ index, target }) =>
      takenColumns.has(index) && (target.kind !== "unknown" || propertyColumns.has(index)),
  );
  if (taken.length === 0) return undefined;
  const list = taken.map(({ header }) => header).join(", ");
  return {
    tr: `Varyant satırlarında boş olup ana satırdan alınan sütunlar: ${list}.`,
    en: `Columns that are empty in variant rows and were taken from the parent row: ${list}.`,
  };
}

function noteOthers({ parents, images }: JoinedRows): Localized | undefined {
  if (parents + images === 0) return undefined;
  const tr = [
    ...(parents === 0 ? [] : [`${parents} ana satır`]),
    ...(images === 0 ? [] : [`${images} görsel satırı`]),
  ];
  const en = [
    ...(parents === 0 ? [] : [countOf(parents, "parent row")]),
    ...(images === 0 ? [] : [countOf(images, "image row")]),
  ];
  return {
    tr: `Kendisi ürün olmayan satırlar (atlandı sayılır): ${tr.join(", ")}.`,
    en: `Rows that are no products themselves (counted as skipped): ${en.join(", ")}.`,
  };
}

const countOf = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** Counts rows by what was changed. */
interface DescriptionChanges {
  note(row: Pick<MappedRow, "descriptionChange">): void;
  /** One line at most. */
  notes(): readonly Localized[];
}

/** The reader of a file's descriptions; `undefined` for a file without any. */
export async function createDescriptions(
  { columns, constants, platform }: Pick<ColumnMapping, "columns" | "constants" | "platform">,
  { descriptions }: Pick<PlanFileOptions, "descriptions">,
): Promise<Parameters<typeof createRowMapper>[0]["readDescription"]> {
  const hasAny =
    constants.has("description") ||
    columns.some(({ target }) => target.kind === "field" && target.field === "description");
  if (!hasAny) return undefined;
  const { createDescriptionReader } = await import("@catalog/mapping/descriptions");
  return createDescriptionReader({ format: descriptions, platform: platform?.name });
}

export function createDescriptionChanges(): DescriptionChanges {
  const rows = { cleaned: 0, text: 0, decoded: 0 };
  return {
    note({ descriptionChange }) {
      if (descriptionChange !== undefined) rows[descriptionChange] += 1;
    },
    notes() {
      const kinds = KINDS.filter((kind) => rows[kind] > 0);
      if (kinds.length === 0) return [];
      const tr = kinds.map((kind) => `${rows[kind]} satırda ${TEXTS[kind].tr}`).join("; ");
      const en = kinds
        .map((kind) => `in ${rows[kind]} ${rows[kind] === 1 ? "row" : "rows"} ${TEXTS[kind].en}`)
        .join("; ");
      return [
        {
          tr: `Açıklamalar dosyadakinden farklı gönderiliyor: ${tr}.`,
          en: `Descriptions are sent otherwise than the file says: ${en}.`,
        },
      ];
    },
  };
}

type DescriptionChange = NonNullable<MappedRow["descriptionChange"]>;

const KINDS: readonly DescriptionChange[] = ["cleaned", "text", "decoded"];

const TEXTS: Readonly<Record<DescriptionChange, Localized>> = {
  cleaned: {
    tr: "betik, stil, olay kodu gibi parçalar çıkarıldı",
    en: "scripts, styles, event handlers or the like were left out",
  },
  text: { tr: "HTML düz metne çevrildi", en: "HTML was turned into plain text" },
  decoded: {
    tr: "&amp; gibi HTML kodları bir kez çözüldü",
    en: "HTML codes such as &amp; were decoded once",
  },
};

/** What a listing shows of a product's discount. */
interface ListedDiscount {
  readonly has_discount?: boolean | null | undefined;
  readonly discount_type?: number | null | undefined;
}

/** Collects the updates of a plan whose new price is not what is paid. */
interface StandingDiscounts {
  readonly note: (
    decision: Pick<RowDecision, "row" | "changes">,
    listed: ListedDiscount | undefined,
  ) => void;
  /** One warning at most. */
  warnings(): readonly RunWarning[];
}

/** A discount that states what is paid (section Products, add); others change with the price. */
const DISCOUNTED_PRICE = 3;

const DISCOUNT: ReadonlySet<string> = new Set(DISCOUNT_FIELDS);
const MAX_LISTED = 5;

export function createStandingDiscounts(nameRow: (row: number) => string): StandingDiscounts {
  const rows: string[] = [];
  let priced = 0;
  let count = 0;
  return {
    note({ row, changes }, listed) {
      if (listed === undefined || !changes.some(({ field }) => field === "price")) return;
      priced += 1;
      if (listed.has_discount !== true || listed.discount_type !== DISCOUNTED_PRICE) return;
      if (changes.some(({ field }) => DISCOUNT.has(field))) return;
      count += 1;
      if (rows.length < MAX_LISTED) rows.push(nameRow(row));
    },
    warnings() {
      if (count === 0) return [];
      const list = rows.join(", ") + (count > rows.length ? ", …" : "");
      return [
        {
          code: "W_STANDING_DISCOUNT",
          message: {
            tr: `Fiyatı değişen ${formatNumber(priced, "tr")} satırın ${formatNumber(count, "tr")} tanesinde alıcı şimdiki indirimli fiyatı ödemeye devam eder, çünkü mağazadaki indirim sürüyor (satırlar: ${list}). İndirim de değişecekse indirim sütunlarını doldurun.`,
            en: `In ${formatNumber(count, "en")} of ${formatNumber(priced, "en")} rows whose price changes, the buyer goes on paying the present discounted price, because the store's discount goes on (rows ${list}). To change that too, fill in the discount columns.`,
          },
        },
      ];
    },
  };
}

type Unit = PriceUnitSuggestion["unit"];

/** Texts of the question. */
interface PriceUnitQuestionText {
  /** Several lines: the subject, and up to three products. */
  readonly text: Localized;
  readonly choices: readonly { readonly unit: Unit | "unknown"; readonly label: Localized }[];
}

/** Words the question in amounts of money, so that a person can answer it quickly. */
export function describePriceUnitQuestion(question: PriceUnitQuestion): PriceUnitQuestionText {
  const [first] = question.examples;
  const text = (lang: Lang): string =>
    [
      UNIT_TEXTS[lang].question,
      ...question.examples.map((example) => `  ${UNIT_TEXTS[lang].product(example)}`),
      ...describeSuggestion(question.suggestion, lang),
    ].join("\n");
  const label = (unit: Unit): Localized => ({
    tr: UNIT_TEXTS.tr.choice(unit, first && readAs(first, unit, "tr")),
    en: UNIT_TEXTS.en.choice(unit, first && readAs(first, unit, "en")),
  });
  return {
    text: { tr: text("tr"), en: text("en") },
    choices: [
      // The first option is the default on Enter.
      { unit: "unknown", label: { tr: UNIT_TEXTS.tr.unsure, en: UNIT_TEXTS.en.unsure } },
      { unit: "major", label: label("major") },
      { unit: "minor", label: label("minor") },
    ],
  };
}

export const PRICE_UNIT_WARNING = "W_PRICE_UNIT_UNKNOWN";

/** One warning where rows of a plan wait for the unit. */
export function warnOfPriceUnit({
  rows,
  facts,
}: {
  readonly rows: number;
  readonly facts: { readonly priceUnitQuestion?: PriceUnitQuestion | undefined };
}): readonly RunWarning[] {
  if (rows === 0) return [];
  const { examples = [], suggestion } = facts.priceUnitQuestion ?? {};
  const describe = (lang: Lang): string =>
    [
      UNIT_TEXTS[lang].held(rows),
      ...examples.slice(0, 1).map(UNIT_TEXTS[lang].product),
      ...describeSuggestion(suggestion, lang),
      UNIT_TEXTS[lang].next,
    ].join(" ");
  return [{ code: PRICE_UNIT_WARNING, message: { tr: describe("tr"), en: describe("en") } }];
}

/**
 * The unit that a sheet suggests, with the flag that confirms it; `undefined` where it suggests
 * none.
 */
export const describeSuggestion = (
  suggestion: PriceUnitSuggestion | undefined,
  lang: Lang,
): readonly string[] => (suggestion === undefined ? [] : [UNIT_TEXTS[lang].suggestion(suggestion)]);

/** A listed price as the store shows it, and as money in either unit. */
interface PriceUnitReadings {
  readonly code: string;
  readonly shown: string;
  readonly minor: string;
  readonly major: string;
}

/** The readings of the first product of a question; `undefined` where it has none. */
export function readPriceUnitExample(
  { examples: [first] }: Pick<PriceUnitQuestion, "examples">,
  lang: Lang,
): PriceUnitReadings | undefined {
  if (first === undefined) return undefined;
  const { code, shown } = first;
  const read = (unit: Unit): string => readAs(first, unit, lang);
  return { code, shown: String(shown), minor: read("minor"), major: read("major") };
}

/** The listed price as money if it were in this unit. */
function readAs(
  { shown, currency }: PriceUnitQuestion["examples"][number],
  unit: Unit,
  lang: Lang,
): string {
  const amount = formatMinor(unit === "minor" ? shown : shown * 100, lang);
  return currency === undefined ? amount : `${amount} ${currency}`;
}

interface UnitTexts {
  readonly question: string;
  readonly product: (example: PriceUnitQuestion["examples"][number]) => string;
  readonly choice: (unit: Unit, amount: string | undefined) => string;
  readonly unsure: string;
  readonly suggestion: (suggestion: PriceUnitSuggestion) => string;
  readonly held: (rows: number) => string;
  readonly next: string;
}

const UNIT_TEXTS: Readonly<Record<Lang, UnitTexts>> = {
  tr: {
    question: "Mağaza listesindeki fiyatlar lira mı, kuruş mu? Ürünlerin gerçek fiyatına bakın:",
    product: (example) =>
      `Mağaza ${example.code} için ${example.shown} gösteriyor: bu ${readAs(example, "major", "tr")} mi, ${readAs(example, "minor", "tr")} mi?`,
    choice: (unit, amount) =>
      `${unit === "major" ? "Lira" : "Kuruş"}${amount === undefined ? "" : `: ilk ürün ${amount}`}`,
    unsure: "Bilmiyorum; fiyatı değişecek satırlar beklesin",
    suggestion: ({ unit, pairs }) =>
      `Mağazadaki fiyatlar ${unit === "major" ? "lira" : "kuruş"} sayılırsa dosyadaki ${pairs} fiyat mağazadakiyle aynı çıkıyor. Bu bir ipucudur, kanıt değildir (fiyatlar dosyada da 100 kat kaymış olabilir); doğruysa --price-unit ${unit} ile onaylayın.`,
    held: (rows) =>
      `${rows} satır fiyatı değişeceği için bekletildi: mağaza listesindeki fiyatların lira mı kuruş mu olduğu henüz bilinmiyor, eski ve yeni fiyat karşılaştırılamadı.`,
    next: "Bir ürünün gerçek fiyatına bakıp dosyayı bir kez --price-unit major (lira) ya da --price-unit minor (kuruş) ile çalıştırın; sonrakiler hatırlar. Eklenen ürünlerin fiyatı mağazadan geri okununca birim öğrenilir ve bu satırlar catalog resume ile ilerler.",
  },
  en: {
    question:
      "Are the prices of the store's listing in major units (such as lira) or minor units (kuruş)? Compare with the real prices:",
    product: (example) =>
      `The store shows ${example.shown} for ${example.code}: is that ${readAs(example, "major", "en")} or ${readAs(example, "minor", "en")}?`,
    choice: (unit, amount) =>
      `${unit === "major" ? "Major units" : "Minor units"}${amount === undefined ? "" : `: the first product costs ${amount}`}`,
    unsure: "I don't know; let the rows wait whose price would change",
    suggestion: ({ unit, pairs }) =>
      `If the store's prices are in ${unit} units, ${pairs} prices of the file equal the store's. That is a hint and no proof (the prices of the file may be 100 times off as well); if it is right, confirm it with --price-unit ${unit}.`,
    held: (rows) =>
      `${rows === 1 ? "1 row is" : `${formatNumber(rows, "en")} rows are`} held because the price would change: it is not known yet whether the store's listing has prices in major or minor units, so the old and the new price could not be compared.`,
    next: "Look up the real price of one product and run the file once with --price-unit major or --price-unit minor; later runs remember it. As soon as an added product has been read back, the unit is known; then continue with catalog resume.",
  },
};
