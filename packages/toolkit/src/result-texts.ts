/** The words of the result files. */

import { type CountClass, type RowRecord, toCountClass } from "@catalog/runs";

interface ResultTexts {
  readonly sheet: string;
  readonly columns: {
    readonly result: string;
    readonly productId: string;
    readonly errorCode: string;
    readonly error: string;
    readonly suggestion: string;
  };
  readonly words: Readonly<Record<CountClass, string>>;
}

export const RESULT_TEXTS: Readonly<Record<"tr" | "en", ResultTexts>> = {
  tr: {
    sheet: "Ürünler",
    columns: {
      result: "Sonuç",
      productId: "Ürün ID",
      errorCode: "Hata Kodu",
      error: "Hata",
      suggestion: "Öneri",
    },
    words: {
      added: "Eklendi",
      updated: "Güncellendi",
      unchanged: "Değişmedi",
      skipped: "Atlandı",
      invalid: "Hatalı",
      duplicate: "Tekrar",
      rejected: "Reddedildi",
      held: "Bekletildi",
      unknown: "Belirsiz",
      cancelled: "İptal edildi",
      pending: "Gönderilmedi",
    },
  },
  en: {
    sheet: "Products",
    columns: {
      result: "Result",
      productId: "Product ID",
      errorCode: "Error Code",
      error: "Error",
      suggestion: "Suggestion",
    },
    words: {
      added: "Added",
      updated: "Updated",
      unchanged: "Unchanged",
      skipped: "Skipped",
      invalid: "Invalid",
      duplicate: "Duplicate",
      rejected: "Rejected",
      held: "Held",
      unknown: "Unknown",
      cancelled: "Cancelled",
      pending: "Not sent",
    },
  },
};

/** What happened to a row, in one word. */
export function resultWord(lang: "tr" | "en", { state, action }: RowRecord): string {
  return RESULT_TEXTS[lang].words[toCountClass(state, action)];
}
