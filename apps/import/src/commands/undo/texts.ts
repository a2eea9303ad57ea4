/** Texts of undoing a run. */

import { formatNumber, type Lang } from "@catalog/i18n";

interface UndoTexts {
  /** Products that the run added, which cannot be undone; `run` is the run to undo. */
  readonly added: (products: number, run: string) => string;
  readonly nothing: string;
  readonly already: (products: number) => string;
  readonly kept: (products: number) => string;
  readonly unknown: (products: number) => string;
  /** Rows of the run to undo that wait for a decision, whether or not anything was undone. */
  readonly held: (rows: number, run: string) => string;
}

const tr = (count: number): string => formatNumber(count, "tr");
const products = (count: number): string =>
  `${formatNumber(count, "en")} ${count === 1 ? "product" : "products"}`;

const TEXTS: Readonly<Record<Lang, UndoTexts>> = {
  tr: {
    added: (count, run) =>
      `${tr(count)} ürünü bu çalıştırma eklemiş; pazaryerinde ürün silinemediği için ekleme geri alınamaz. Stoklarını sıfırlayıp satışlarını durdurmak için: catalog undo ${run} --zero-stock`,
    nothing: "Geri alınacak bir değer yok",
    already: (count) => `${tr(count)} ürün zaten eski hâlinde.`,
    kept: (count) => `${tr(count)} ürün o zamandan beri değişmiş, dokunulmadı.`,
    unknown: (count) => `${tr(count)} ürünün eski değeri bilinmiyor.`,
    held: (count, run) =>
      `${run} çalıştırmasında ${tr(count)} satır hâlâ karar bekliyor. Gönderilmesin diye kapatmak için: catalog release ${run} --cancel`,
  },
  en: {
    added: (count, run) =>
      `${products(count)} ${count === 1 ? "was" : "were"} added by this run; the marketplace has no way to delete a product, so adding it cannot be undone. To set the stock to 0, which stops the sale: catalog undo ${run} --zero-stock`,
    nothing: "There is nothing to undo",
    already: (count) =>
      `${products(count)} ${count === 1 ? "is" : "are"} already as before the run.`,
    kept: (count) => `${products(count)} changed since, and left alone.`,
    unknown: (count) => `The earlier values of ${products(count)} are not known.`,
    held: (count, run) =>
      `${formatNumber(count, "en")} ${count === 1 ? "row" : "rows"} of ${run} still ${count === 1 ? "waits" : "wait"} for a decision. To close ${count === 1 ? "it" : "them"} unsent: catalog release ${run} --cancel`,
  },
};

/** The texts of a language. */
export function undoTexts(lang: Lang): UndoTexts {
  return TEXTS[lang];
}
