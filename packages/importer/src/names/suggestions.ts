/** What a name that matches nothing may mean, and what speaks for it. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { NameSuggestion, OpenNameCount, SuggestionReason } from "@catalog/runs";

import type { FoundName } from "./open-names.ts";

/** Fills in what open names may mean, for a person to choose; none is applied by that. */
export type SuggestNames = (names: readonly FoundName[]) => Promise<readonly OpenNameCount[]>;

const MAX_SUGGESTIONS = 3;

/** Suggests what the words of each name say. */
export const suggestAllByWords: SuggestNames = async (names) =>
  names.map((name) => toCount(name, suggestByWords(name.choices)));

/** The targets of the suggestions are the first choices. */
const toCount = (
  { field, column, value, choices, rows, titles }: FoundName,
  suggestions: readonly NameSuggestion[],
): OpenNameCount => ({
  field,
  column,
  value,
  choices: [...new Set([...suggestions.map(({ target }) => target), ...choices])],
  rows,
  titles,
  suggestions,
});

/** Names that are close by their words. */
const suggestByWords = (choices: readonly string[]): readonly NameSuggestion[] =>
  choices
    .slice(0, MAX_SUGGESTIONS)
    .map((target) => ({ target, targetId: null, why: { kind: "words" } }));

/** Says what speaks for a suggestion, to a person. */
export function describeReason(why: SuggestionReason): Localized {
  if (why.kind === "words") return { tr: "Adı benziyor", en: "Its name is alike" };
  if (why.kind === "answer") return describeAnswer(why.source);
  const count = (lang: Lang) => [why.similar, why.of].map((value) => formatNumber(value, lang));
  const [similar, of] = count("tr");
  const [some, all] = count("en");
  return why.kind === "market"
    ? {
        tr: `Pazaryerindeki ${of} benzer üründen ${similar} tanesi burada`,
        en: `${some} of ${all} similar products on the marketplace`,
      }
    : {
        tr: `Mağazanızdaki ${of} benzer üründen ${similar} tanesi burada`,
        en: `${some} of the ${all} most similar products in your store`,
      };
}

const describeAnswer = (source: string | null): Localized =>
  source === null
    ? { tr: "Daha önce böyle yanıtladınız", en: "Your earlier answer" }
    : {
        tr: `${source} dosyaları için böyle yanıtladınız`,
        en: `Your answer for files of ${source}`,
      };
