/** Chooses the source of each kind of export, and the warnings about its table. */

import type { Lang, Localized } from "@catalog/i18n";
import type { PriceUnit } from "@catalog/runs";

import type { ExportKind } from "../kinds.ts";
import type { ExportResult, ExportWork, Notes } from "../run-export.ts";
import { createProductCommentSource, createStoreCommentSource } from "./comment-source.ts";
import { createOrderSource } from "./order-source.ts";
import { createProductSource } from "./product-source.ts";
import { createPaymentSource, createQuestionSource } from "./record-sources.ts";
import type { Source } from "./source.ts";

type Use = <Item>(source: Source<Item>, notes: Notes) => Promise<ExportResult>;

/** Opens the source of the export and passes it to `use`. */
export function withSource(work: ExportWork, use: Use): Promise<ExportResult> {
  const { options, context } = work;
  const unit = options.priceUnit ?? "unknown";
  const asAnswered =
    unit === "unknown" ? toNotes(options.lang, () => [AMOUNTS_AS_ANSWERED]) : NO_NOTES;
  const open: Readonly<Record<ExportKind, () => Promise<ExportResult>>> = {
    products: () => useProducts(work, use),
    comments: async () =>
      use(
        options.storeWide === true
          ? createStoreCommentSource(context)
          : await createProductCommentSource(context),
        NO_NOTES,
      ),
    orders: () => use(createOrderSource(context, unit), asAnswered),
    questions: () => use(createQuestionSource(context), NO_NOTES),
    payments: () => use(createPaymentSource(context, unit), asAnswered),
  };
  return open[options.kind]();
}

const NO_NOTES: Notes = { warnings: () => [], remarks: () => [] };

const toNotes = (lang: Lang, list: () => readonly Localized[]): Notes => ({
  warnings: list,
  remarks: () => list().map((each) => each[lang]),
});

const AMOUNTS_AS_ANSWERED: Localized = {
  tr: "Tutarların birimi (kuruş ya da lira) belgelenmemiş; pazaryerinin yazdığı gibi bırakıldı. Biliyorsanız --price-unit minor (kuruş) ya da major (lira) ile yeniden dışa aktarın.",
  en: "The unit of amounts (minor or major) is not documented; they stand as the marketplace writes them. If you know it, export again with --price-unit minor (kuruş) or major (lira).",
};

const PRICE_UNIT_UNKNOWN: Localized = {
  tr: "Fiyatların birimi henüz bilinmiyor (kuruş mu, lira mı). Pazaryerinin yanıtladığı gibi, içe aktarmanın okumadığı bir sütuna yazıldı. Biliyorsanız --price-unit minor (kuruş) ya da major (lira) ile yeniden dışa aktarın.",
  en: "The unit of the prices is not known yet (minor or major). They stand as the marketplace answers them, in a column that no import reads. If you know it, export again with --price-unit minor (kuruş) or major (lira).",
};

const tooLong = (count: number): Localized => ({
  tr: `${count} metin bir Excel hücresine sığmadı ve boş bırakıldı (içe aktarma boş hücreyi olduğu gibi bırakır). Tamamı için --format csv kullanın.`,
  en: `${count} texts do not fit a cell of Excel and were left empty (an import leaves empty cells as they are). Use --format csv to have them whole.`,
});

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
  const {
    journal,
    memory: { names, notes: remembered },
    baseUrl,
  } = connection;
  const source = createProductSource({
    context,
    journal,
    names,
    notes: remembered,
    baseUrl,
    template: options.template ?? "import",
    priceUnit: options.priceUnit ?? connection.priceUnit,
    isWanted: (key) => options.columns?.includes(key) ?? true,
    onPriceUnit: (found) => (unit = found),
    onTooLong: () => (longTexts += 1),
  });
  const notes = toNotes(options.lang, () => [
    ...(unit === "unknown" ? [PRICE_UNIT_UNKNOWN] : []),
    ...(longTexts > 0 ? [tooLong(longTexts)] : []),
    ...(mark === undefined ? [] : [NEW_PRODUCTS_ONLY]),
  ]);
  return use(source, notes);
}
