/** Reads the words after the action, and says which one is missing. */

import { type Flags, textFlag, UsageError } from "@catalog/console";
import type { Lang, Localized } from "@catalog/i18n";

import type { RULE_ACTIONS } from "../../shared/flags.ts";
import { exampleOf } from "./examples.ts";

type Action = (typeof RULE_ACTIONS)[number];
type Part = "what" | "value" | "meaning";

/** The words that an action cannot do without, in their order. */
const NEEDED: Readonly<Record<Action, readonly Part[]>> = {
  list: [],
  add: ["what", "value", "meaning"],
  remove: ["what", "value"],
  default: ["what", "value"],
  forget: ["what"],
  export: ["what"],
  import: ["what"],
};

/** Throws `UsageError` with an example of the action where a word is missing. */
export function assertComplete(action: Action, flags: Flags): void {
  const missing = neededBy(action, flags).find((part) => textFlag(flags, part) === undefined);
  if (missing === undefined) return;
  const question = ask(action, missing, flags);
  const isOfProfile = textFlag(flags, "profile") !== undefined;
  const toText = (lang: Lang): string => {
    const { example, help } = TEXTS[lang];
    return `${question[lang]}\n${example}: catalog ${exampleOf(action, lang, isOfProfile)}\n${help}`;
  };
  throw new UsageError({ tr: toText("tr"), en: toText("en") });
}

/** The text of a word that `assertComplete` has found. */
export const partOf = (flags: Flags, part: Part): string => textFlag(flags, part) ?? "";

/** An id stands for the meaning, and the name of a profile for the rule to remove. */
function neededBy(action: Action, flags: Flags): readonly Part[] {
  const isGiven = (name: string): boolean => textFlag(flags, name) !== undefined;
  if (action === "remove" && isGiven("profile")) return [];
  return NEEDED[action].filter((part) => part !== "meaning" || !isGiven("id"));
}

const TEXTS = {
  tr: { example: "Örnek", help: "Bütün seçenekler için: catalog rules --help" },
  en: { example: "Example", help: "For all options: catalog rules --help" },
} as const;

function ask(action: Action, part: Part, flags: Flags): Localized {
  const [field, value] = [partOf(flags, "what"), partOf(flags, "value")];
  if (part === "meaning") {
    return {
      tr: `“${value}” değerinin karşılığı ne? Mağazadaki adını da yazın.`,
      en: `What does “${value}” mean? Add its name in the store.`,
    };
  }
  if (part === "value") return askForValue(action, field);
  if (action === "forget") {
    return {
      tr: "Ne unutulsun? Bir alan, “catalog rules” listesindeki bir kısaltma ya da all yazın.",
      en: "What is to be forgotten? Give a field, an id of the list of “catalog rules”, or all.",
    };
  }
  return action === "export" || action === "import"
    ? { tr: "Hangi dosya?", en: "Which file?" }
    : { tr: "Hangi alan?", en: "Which field?" };
}

const askForValue = (action: Action, field: string): Localized =>
  action === "default"
    ? {
        tr: `Yeni ürünlerde “${field}” boşsa ne yazılsın? Değeri de yazın.`,
        en: `What is to stand as “${field}” in new products without one? Add the value.`,
      }
    : {
        tr: `“${field}” alanının hangi değeri? Dosyada yazdığı gibi verin.`,
        en: `Which value of “${field}”? Give it as it stands in the file.`,
      };
