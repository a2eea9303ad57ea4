/** Asks on a terminal how the prices of the store's listing are to be read, once for a marketplace. */

import { type Terminal } from "@catalog/console";
import { type Lang } from "@catalog/i18n";
import { wordPriceUnitQuestion } from "@catalog/importer";
import { type AskPriceUnit } from "@catalog/runs";

/** A question for a terminal; breaking it off leaves the unit unknown, and the rows held. */
export function askPriceUnitOn(
  terminal: Pick<Terminal, "choose">,
  lang: Lang,
): AskPriceUnit | undefined {
  if (terminal.choose === undefined) return undefined;
  return async (question) => {
    const { text, choices } = wordPriceUnitQuestion(question);
    const offered = choices.map(({ unit, label }) => ({ value: unit, label: label[lang] }));
    const answer = await terminal.choose?.(text[lang], offered);
    return answer === "minor" || answer === "major" ? answer : undefined;
  };
}
