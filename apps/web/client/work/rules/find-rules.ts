/** Which rules a search shows. */

import type { RuleView } from "../../../src/api/index.ts";
import { foldText } from "../../lib/fold-text.ts";

/** Rules whose field, name or meaning has the text; case, accents and the Turkish i do not count. */
export const findRules = (rules: readonly RuleView[], text: string): readonly RuleView[] => {
  const wanted = foldText(text.trim());
  return rules.filter(({ label, value, target }) =>
    [label, value, target].some((part) => foldText(part).includes(wanted)),
  );
};
