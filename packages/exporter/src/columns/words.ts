/** Words of columns for people; programs get the marketplace's own. */

import type { Localized } from "@catalog/i18n";

interface Word extends Localized {
  readonly value: string;
}

const word = (value: string, tr: string, en: string): Word => ({ value, tr, en });

/** Where a comment was written. */
export const COMMENT_TYPES: readonly Word[] = [
  word("product_details", "Ürün sayfası", "Product page"),
  word("order", "Sipariş", "Order"),
];

/** States of comments. */
export const RECORD_STATUSES: readonly Word[] = [
  word("approved", "Onaylı", "Approved"),
  word("passive", "Pasif", "Passive"),
  word("veto", "Veto", "Veto"),
];

/** What a question is about, and what an entry of the listing is. */
export const SUBJECTS: readonly Word[] = [
  word("product", "Ürün", "Product"),
  word("store", "Mağaza", "Store"),
];

/** Whether an earlier export has given a row. */
export const CHANGES: readonly Word[] = [
  word("new", "Yeni", "New"),
  word("changed", "Değişti", "Changed"),
];

/** The unit of the amounts in a row. */
export const AMOUNT_UNITS: readonly Word[] = [
  { value: "major", tr: "ana birim (TL, USD, EUR)", en: "major (TL, USD, EUR)" },
  { value: "unknown", tr: "bilinmiyor", en: "unknown" },
];

/** Explains a masked name. */
export const MASKED_NAME: Localized = {
  tr: "Kişisel veridir; yalnızca baş harfler yazılır. Tamamı için: --with-names",
  en: "Personal data; only initials are written. In full: --with-names",
};

/** Explains a hidden e-mail or postal address. */
export const HIDDEN_CONTACT: Localized = {
  tr: "Kişisel veridir; yerine *** yazılır. Tamamı için: --with-contact",
  en: "Personal data; *** stands for it. In full: --with-contact",
};
