import { LOOKUP_KINDS } from "@catalog/importer/lookup-kinds";

import type { Command } from "../../context.ts";
import { MAX_LOOKUP_RESULTS } from "../../flags.ts";

/** `catalog lookup KIND [TEXT]`: finds ids for names. */
export const lookupCommand: Command = {
  name: "lookup",
  positionals: [
    {
      name: "kind",
      word: { tr: "tür", en: "kind" },
      required: true,
      choices: LOOKUP_KINDS,
      describe: { tr: "Ne aranacağı", en: "What to look for" },
    },
    {
      name: "text",
      word: { tr: "metin", en: "text" },
      required: false,
      describe: { tr: "Ad, adın bir parçası ya da kimlik", en: "Name, part of a name, or id" },
    },
  ],
  describe: {
    tr: "Kategori, marka, model, özellik, teslimat şablonu, şehir, kargo firması, adres ve sipariş durumlarının kimliklerini adlarıyla bulur",
    en: "Finds ids by name: categories, brands, models, properties, shipping templates, cities, shipping companies, addresses, order statuses",
  },
  flags: {
    category: {
      type: "string",
      describe: {
        tr: "Marka, model ve özellik için: kategorinin adı, yolu ya da kimliği",
        en: "For brands, models, properties: name, path or id of the category",
      },
    },
    brand: {
      type: "string",
      describe: {
        tr: "Model için: markanın adı ya da kimliği",
        en: "For models: name or id of the brand",
      },
    },
    limit: {
      type: "number",
      describe: {
        tr: `En çok kaç sonuç (${MAX_LOOKUP_RESULTS})`,
        en: `Maximum number of results (${MAX_LOOKUP_RESULTS})`,
      },
    },
    all: { type: "boolean", describe: { tr: "Bütün sonuçlar", en: "All results" } },
  },
  examples: [
    "lookup categories bardak",
    "lookup categories --all",
    "lookup brands bosch --category Cezve",
    "lookup cities kadikoy",
    "lookup templates --json",
  ],
  run: async (context, flags) => (await import("./run.ts")).runLookupCommand(context, flags),
};
