/** What a name that matches nothing may mean, and what speaks for it. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { NameSuggestion, SuggestionReason } from "@catalog/runs";

const MAX_SUGGESTIONS = 3;

/** Names that are close by their words. */
export const suggestByWords = (choices: readonly string[]): readonly NameSuggestion[] =>
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
