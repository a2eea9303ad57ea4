/** What every screen reads: language, words, formats, the store. */

import { createContext, use } from "react";

import type { Me } from "../../src/api/index.ts";
import type { Texts } from "../texts/texts.ts";
import type { Format, Lang } from "./format.ts";

export interface Page {
  readonly lang: Lang;
  /** Changes the language, and keeps the choice for the next visit. */
  readonly setLang: (lang: Lang) => void;
  readonly texts: Texts;
  readonly format: Format;
  readonly me: Me;
}

/** Set once by the shell. */
export const PageContext = createContext<Page | null>(null);

/** The page around a screen. */
export const usePage = (): Page => {
  const page = use(PageContext);
  if (page === null) throw new Error("No page is around this component.");
  return page;
};
