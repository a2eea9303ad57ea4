/** The language of the page; it is kept in the browser. */

import { createExternalValue, type ExternalValue } from "./external-value.ts";

export type Lang = "tr" | "en";

const KEY = "catalog-lang";

/** The language that was chosen last; Turkish where none was. */
export const createLanguage = (storage: Pick<Storage, "getItem">): ExternalValue<Lang> =>
  createExternalValue<Lang>(storage.getItem(KEY) === "en" ? "en" : "tr");

/** Keeps the choice for the next visit. */
export const writeLanguage = (storage: Pick<Storage, "setItem">, lang: Lang): void => {
  storage.setItem(KEY, lang);
};
