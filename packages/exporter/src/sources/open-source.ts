/** Chooses the source of each kind of export, and the warnings about its table. */

import { priceUnitOf } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import type { PriceUnit } from "@catalog/runs";

import type { ExportKind } from "../kinds.ts";
import type { ExportResult, ExportWork, Notes } from "../run-export.ts";
import { createProductCommentSource, createStoreCommentSource } from "./comment-source.ts";
import { createOrderSource, createPaymentSource, createQuestionSource } from "./order-source.ts";
import { createProductSource, createSearchSource } from "./product-source.ts";
import {
  createAddressSource,
  createCitySource,
  createCompanySource,
  createPriceSource,
  createTemplateSource,
} from "./shipping-source.ts";
import { PRICE_UNIT_UNKNOWN, type Source, warnOfTooLong, warnOfUnknown } from "./source.ts";

type Use = <Item>(source: Source<Item>, notes: Notes) => Promise<ExportResult>;

/** Opens the source of the export and passes it to `use`. */
export function withSource(work: ExportWork, use: Use): Promise<ExportResult> {
  const { options, context } = work;
  const open: Readonly<Record<ExportKind, () => Promise<ExportResult>>> = {
    products: () => useProducts(work, use),
    comments: async () =>
      use(
        options.storeWide === true
          ? createStoreCommentSource(context)
          : await createProductCommentSource(context),
        NO_NOTES,
      ),
    orders: async () => {
      const unit = await findAmountUnit(work);
      const notes = toAmountNotes(options.lang, unit);
      const { per = "item", format, columns } = options;
      const row = per === "package" ? ROW_IS_PACKAGE : ROW_IS_ITEM;
      const remarks = (): readonly string[] => [row[options.lang], ...notes.remarks()];
      const isOffered = format === "xlsx" && (columns?.some(isShippingCompany) ?? true);
      return use(createOrderSource(context, { unit, per, isOffered }), { ...notes, remarks });
    },
    questions: () => use(createQuestionSource(context), NO_NOTES),
    payments: async () => {
      const unit = await findAmountUnit(work);
      return use(createPaymentSource(context, unit), toAmountNotes(options.lang, unit));
    },
    search: async () => {
      const unit = await findAmountUnit(work);
      return use(createSearchSource(context, unit), toAmountNotes(options.lang, unit));
    },
    templates: () => use(createTemplateSource(context, work.connection), NO_NOTES),
    companies: () => use(createCompanySource(context), NO_NOTES),
    addresses: () => use(createAddressSource(context), NO_NOTES),
    cities: () => use(createCitySource(context), NO_NOTES),
    "shipping-prices": async () => {
      const unit = await findAmountUnit(work);
      return use(createPriceSource(context, unit), toAmountNotes(options.lang, unit));
    },
  };
  return open[options.kind]();
}

/**
 * The unit of the amounts of orders and payments. Prices that we sent prove nothing about it, so only
 * what a person has stated counts: now, in the settings, or with an earlier command.
 */
async function findAmountUnit({ options, connection }: ExportWork): Promise<PriceUnit> {
  const stated = options.priceUnit ?? connection.priceUnit;
  if (stated !== undefined) return stated;
  const stored = await priceUnitOf(connection).stored();
  return stored?.isStated === true ? stored.unit : "unknown";
}

const toAmountNotes = (lang: Lang, unit: PriceUnit): Notes =>
  unit === "unknown" ? toNotes(lang, () => [AMOUNTS_AS_ANSWERED]) : NO_NOTES;

const ROW_IS_ITEM: Localized = {
  tr: "Her satır siparişin bir kalemidir; siparişe ait bilgiler her satırında yinelenir, siparişin ve paketin tutarları ise bir kez yazılır: sütunlar toplanabilir.",
  en: "Each row is an item of an order; what belongs to the whole order repeats in each of its rows, but amounts of the order and the package are written once, so that columns can be added up.",
};

const ROW_IS_PACKAGE: Localized = {
  tr: "Her satır siparişin bir paketidir; kalemlerin tutarları paket için toplanmıştır, siparişin toplamı bir kez yazılır: sütunlar toplanabilir.",
  en: "Each row is a package of an order; the amounts of its items are added up, and the total of the order is written once, so that columns can be added up.",
};

/** The names by which a person may choose the column. */
const isShippingCompany = (name: string): boolean =>
  ["shipping_company", "kargo firması", "shipping company"].includes(name.toLocaleLowerCase("tr"));

const NO_NOTES: Notes = { warnings: () => [], remarks: () => [] };

const toNotes = (lang: Lang, list: () => readonly Localized[]): Notes => ({
  warnings: list,
  remarks: () => list().map((each) => each[lang]),
});

const AMOUNTS_AS_ANSWERED: Localized = {
  tr: "Pazaryeri tutarların kuruş mu lira mı olduğunu belirtmiyor; tutarlar geldiği gibi yazıldı. Biliyorsanız bir kez --price-unit minor (kuruş) ya da major (lira) ile dışa aktarın; sonraki komutlar hatırlar.",
  en: "The marketplace does not state the unit of amounts (minor or major); they are written as they came. If you know it, export once with --price-unit minor (kuruş) or major (lira); later commands remember it.",
};

const NEW_PRODUCTS_ONLY: Localized = {
  tr: "Pazaryeri değişen ürünleri ayrı listelemez: --since last yalnızca son dışa aktarmadan sonra eklenen ürünleri verir.",
  en: "The marketplace does not list changed products apart: --since last gives only products added after the last export.",
};

function useProducts(
  { options, context, connection, mark }: ExportWork,
  use: Use,
): Promise<ExportResult> {
  let unit: PriceUnit = "unknown";
  let longTexts = 0;
  let unknown: readonly string[] = [];
  const {
    journal,
    memory: { names, notes: remembered },
    baseUrl,
  } = connection;
  const isWanted = (key: string): boolean => options.columns?.includes(key) ?? true;
  const isPriceWanted = ["price", "discount_value"].some((key) => isWanted(key));
  const source = createProductSource({
    context,
    journal,
    names,
    notes: remembered,
    baseUrl,
    template: options.template ?? "import",
    priceUnit: options.priceUnit ?? connection.priceUnit,
    isWanted,
    onPriceUnit: (found) => (unit = found),
    onTooLong: () => (longTexts += 1),
    onNotFound: (missing) => (unknown = missing),
  });
  const notes = toNotes(options.lang, () => [
    ...(unit === "unknown" && isPriceWanted ? [PRICE_UNIT_UNKNOWN] : []),
    ...(longTexts > 0 ? [warnOfTooLong(longTexts)] : []),
    ...warnOfUnknown(unknown),
    ...(mark === undefined ? [] : [NEW_PRODUCTS_ONLY]),
  ]);
  return use(source, notes);
}
