/** A language of the texts for people. */
export type Lang = "tr" | "en";

/** The same text in both languages. */
export interface Localized {
  readonly tr: string;
  readonly en: string;
}
