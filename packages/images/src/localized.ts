/** The same text in both languages. */
export interface Localized {
  readonly tr: string;
  readonly en: string;
}
