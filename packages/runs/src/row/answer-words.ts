/** Texts of the marketplace's answers for people, in both languages where both are known. */

import type { Localized } from "@catalog/i18n";

import type { Answer } from "../ports/marketplace.ts";

/** Text for an answer that gives no reason. */
const NO_REASON: Localized = { tr: "neden belirtilmedi", en: "it gave no reason" };

/** Returns the answer's own text; `note` is the reason that was read from it. */
export function answerText(answer: Answer, note: string | undefined): Localized {
  const words = answer.kind === "answered" ? undefined : answer.words;
  if (words !== undefined) return words;
  return note === undefined ? NO_REASON : { tr: note, en: note };
}

/** Reads a text that was stored with an event. */
export function readAnswerText(stored: unknown): Localized | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const [tr, en] = ["tr", "en"].map((lang) => Object.entries(stored).find(([key]) => key === lang));
  const [turkish, english] = [tr?.[1], en?.[1]];
  return typeof turkish === "string" && typeof english === "string"
    ? { tr: turkish, en: english }
    : undefined;
}
