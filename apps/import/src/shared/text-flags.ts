/** Flags about the texts of a file: descriptions, and titles of variants. */

import type { FlagDefinition } from "@catalog/console";

export const TEXT_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  descriptions: {
    type: "string",
    choices: ["html", "text"],
    // No default here: it would override the configuration file.
    describe: {
      tr: "Açıklamalar: HTML kalsın (html) ya da düz metne çevrilsin (text)",
      en: "Descriptions: keep their HTML (html), or turn them into plain text (text)",
    },
  },
  "variant-title": {
    type: "string",
    describe: {
      tr: 'Varyant başlığının kalıbı: "{title} {options}", "{title} - {option1}" …',
      en: 'Pattern of the titles of variants: "{title} {options}", "{title} - {option1}" …',
    },
  },
};
