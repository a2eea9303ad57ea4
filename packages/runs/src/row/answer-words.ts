/** Words about an answer, for people: in both languages where there are both. */

import { type Localized } from "@catalog/i18n";

import { type Answer } from "../ports/marketplace.ts";

/** What is shown where the marketplace gave no reason. */
const NO_REASON: Localized = { tr: "neden belirtilmedi", en: "it gave no reason" };

/** The answer's own words; `note` is what was understood of it. */
export function wordsOf(answer: Answer, note: string | undefined): Localized {
  const words = answer.kind === "answered" ? undefined : answer.words;
  if (words !== undefined) return words;
  return note === undefined ? NO_REASON : { tr: note, en: note };
}

/** Words as they are stored with an event; earlier releases stored a single text. */
export function readWords(stored: unknown): Localized | undefined {
  if (typeof stored === "string") return { tr: stored, en: stored };
  if (typeof stored !== "object" || stored === null) return undefined;
  const [tr, en] = ["tr", "en"].map((lang) => Object.entries(stored).find(([key]) => key === lang));
  const [turkish, english] = [tr?.[1], en?.[1]];
  return typeof turkish === "string" && typeof english === "string"
    ? { tr: turkish, en: english }
    : undefined;
}
