/** What can go wrong with the database, in the words that people read. */

const TEXTS = {
  E_DATABASE: (detail: string) => ({
    tr: `Veritabanı açılamadı (${detail}). Klasörün yazılabilir ve diskin dolu olmadığını kontrol edin; başka bir klasör için CATALOG_HOME değişkenini kullanın.`,
    en: `The database could not be opened (${detail}). Check that the folder can be written and the disk is not full; set CATALOG_HOME to use another folder.`,
  }),
  E_STORE_BUSY: (detail: string) => ({
    tr: `Bu mağaza için başka bir işlem sürüyor (${detail}). Bitmesini bekleyip yeniden deneyin.`,
    en: `Another process is working on this store (${detail}). Wait until it ends and try again.`,
  }),
} as const;

export type StoreErrorCode = keyof typeof TEXTS;

/** The database refused; nothing was sent that is not written. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** Stable; safe to branch on. */
  readonly code: StoreErrorCode;
  readonly localized: { readonly tr: string; readonly en: string };

  constructor(code: StoreErrorCode, detail: string, options?: ErrorOptions) {
    const localized = TEXTS[code](detail);
    super(localized.en, options);
    this.code = code;
    this.localized = localized;
  }
}
