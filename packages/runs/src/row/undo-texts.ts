/** Texts of the issues of a row that an undo leaves alone, or restores in part. */

import type { Localized } from "@catalog/i18n";

/** What an issue says, and the next step. */
export interface IssueText {
  readonly message: Localized;
  readonly suggestion?: Localized;
}

/** Texts by code; a detail is inserted. */
export const UNDO_TEXTS = {
  W_UNDO_KEPT: (differences: string): IssueText => ({
    message: {
      tr: `Bu alanlar o zamandan beri değiştirildi; dokunulmadı. Gönderdiğimiz → şimdi: ${differences}.`,
      en: `These fields have been changed since and were left alone. What we sent → now: ${differences}.`,
    },
    suggestion: {
      tr: "Yine de eski değeri istiyorsanız bu satırı bir dosyayla güncelleyin.",
      en: "If the old value is wanted all the same, update this product with a file.",
    },
  }),
  W_UNDO_HIDDEN: (fields: string): IssueText => ({
    message: {
      tr: `Bu alanların önceki değeri bilinmiyor, geri alınamaz: ${fields}. Mağaza listesi göstermiyor ya da birimi belli değil.`,
      en: `The earlier values of these fields are not known, so they cannot be restored: ${fields}. The store's listing does not show them, or not their unit.`,
    },
    suggestion: {
      tr: "Bu alanları panelden ya da bir dosyayla düzeltin.",
      en: "Correct these fields in the panel or with a file.",
    },
  }),
  W_UNDO_ADD: (): IssueText => ({
    message: {
      tr: "Bu satır bir ürün eklemişti; pazaryerinde ürün silme yok, geri alınamaz.",
      en: "This row added a product; the marketplace has no way to delete one, so it cannot be undone.",
    },
    suggestion: {
      tr: "Satışı durdurmak için --zero-stock ile stoğunu 0 yapın.",
      en: "To stop its sale, set its stock to 0 with --zero-stock.",
    },
  }),
  W_UNDO_ADD_EMPTIED: (): IssueText => ({
    message: {
      tr: "Bu satır bir ürün eklemişti; ürün silinemez, onun yerine stoğu 0 olacak.",
      en: "This row added a product; it cannot be deleted, so its stock becomes 0 instead.",
    },
  }),
  W_UNDO_ADD_EMPTY: (): IssueText => ({
    message: {
      tr: "Bu satır bir ürün eklemişti; ürün silinemez. Stoğu zaten 0.",
      en: "This row added a product; it cannot be deleted. Its stock is 0 already.",
    },
  }),
  W_UNDO_MISSING: (): IssueText => ({
    message: {
      tr: "Mağaza listesi bu ürünü şimdi göstermiyor; neyin değiştiği bilinemez, dokunulmadı.",
      en: "The store's listing does not show this product now, so it cannot be told what has changed; it was left alone.",
    },
    suggestion: {
      tr: "Ürünü panelde kontrol edin; göründüğünde geri almayı yeniden çalıştırın.",
      en: "Look for the product in the panel; undo again once it is shown.",
    },
  }),
} as const;
