/** A language that people are spoken to in. */
export type Lang = "tr" | "en";

/** The same text in both languages. */
export interface Localized {
  readonly tr: string;
  readonly en: string;
}
