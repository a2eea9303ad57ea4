/** Asks on a terminal for the unit of the listing's prices, once for a marketplace. */

import type { Terminal } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import { describePriceUnitQuestion } from "@catalog/importer";
import type { AskPriceUnit } from "@catalog/runs";

/** Creates the question; cancelling it leaves the unit unknown, and the rows held. */
export function askPriceUnitOn(
  terminal: Pick<Terminal, "choose">,
  lang: Lang,
): AskPriceUnit | undefined {
  if (terminal.choose === undefined) return undefined;
  return async (question) => {
    const { text, choices } = describePriceUnitQuestion(question);
    const offered = choices.map(({ unit, label }) => ({ value: unit, label: label[lang] }));
    const answer = await terminal.choose?.(text[lang], offered);
    return answer === "minor" || answer === "major" ? answer : undefined;
  };
}
