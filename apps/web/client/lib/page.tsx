/** What every screen reads: language, words, formats, the store. */

import { createContext, use } from "react";

import type { AccountView, Me } from "../../src/api/index.ts";
import type { Texts } from "../texts/texts.ts";
import type { Format, Lang } from "./format.ts";

export interface Page {
  readonly lang: Lang;
  readonly setLang: (lang: Lang) => void;
  readonly texts: Texts;
  readonly format: Format;
  readonly me: Me;
  /** Who has signed in; `null` in the page of one person, and before it is known. */
  readonly account: AccountView | null;
}

/** Set once by the shell. */
export const PageContext = createContext<Page | null>(null);

export const usePage = (): Page => {
  const page = use(PageContext);
  if (page === null) throw new Error("No page is around this component.");
  return page;
};
