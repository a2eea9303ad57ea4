/** Notes and warnings for a person about a whole file, before its plan is accepted. */

import type { StoreMeters } from "@catalog/connection";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type {
  ColumnMapping,
  MappedRow,
  NumberNotations,
  RowMapper,
  createRowMapper,
} from "@catalog/mapping";
import { DISCOUNT_FIELDS, type RowDecision, type RunWarning } from "@catalog/runs";

import { type JoinedRows, lastHeaderRow } from "../file/product-rows.ts";
import type { Rule } from "../names/value-rules.ts";
import type { PlanSource, PlanFileOptions } from "./plan-options.ts";

interface PlanNoteFacts {
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

function noteOnPrices({ mapping, notations, prices }: PlanNoteFacts): Localized | undefined {
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
  return { tr: `Fiyatların gönderilişi${write("tr")}`, en: `Prices as sent${write("en")}` };
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
  const shown = rules.slice(0, MAX_RULES).map(({ value, target }) => `${value} → ${target}`);
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
  { omittedFields }: Pick<StoreMeters, "omittedFields">,
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
}

/** No line for a file without variants and without rows that are no products. */
export function toVariantNotes({
  joined,
  mapping,
  mapper,
}: VariantNoteFacts): readonly Localized[] {
  if (joined === undefined) return [];
  const lines = [
    joined.variants === 0 ? undefined : noteVariants(joined, mapper.variantTitle),
    noteTaken(joined, mapping, mapper),
    noteOthers(joined),
  ];
  return lines.filter((line) => line !== undefined);
}

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
