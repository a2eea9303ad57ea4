import type { Command } from "../../context.ts";
import { RULE_ACTIONS } from "../../shared/flags.ts";

/**
 * `catalog rules [ACTION]`: lists and changes what texts of files mean in this store, and the
 * profiles.
 */
export const rulesCommand: Command = {
  name: "rules",
  positionals: [
    {
      name: "action",
      required: false,
      choices: RULE_ACTIONS,
      describe: { tr: "Ne yapılacağı (list)", en: "What to do (list)" },
    },
    {
      name: "what",
      required: false,
      describe: {
        tr: "add ve remove için alan, export ve import için dosya",
        en: "For add and remove the field, for export and import the file",
      },
    },
    {
      name: "value",
      required: false,
      describe: { tr: "Dosyadaki değer", en: "The value in files" },
    },
    {
      name: "meaning",
      required: false,
      describe: { tr: "Karşılığı", en: "What it means" },
    },
  ],
  describe: {
    tr: "Dosyalardaki değerlerin karşılıklarını ve sütun profillerini yönetir",
    en: "Manages what values in files mean, and the column profiles",
  },
  flags: {
    id: {
      type: "string",
      describe: {
        tr: "add için: karşılığın kimliği; ad tek başına yetmediğinde",
        en: "For add: the id of the meaning, where its name would not do",
      },
    },
    profile: {
      type: "string",
      describe: {
        tr: "remove ve export için: kurallar yerine bu sütun profili",
        en: "For remove and export: this column profile instead of the rules",
      },
    },
  },
  examples: [
    "rules",
    'rules add brand "KARACA HOM" "Karaca Home"',
    'rules remove brand "KARACA HOM"',
    "rules export kurallar.xlsx",
    "rules export profil.json --profile erp",
    "rules import kurallar.xlsx",
  ],
  run: async (context, flags) => (await import("./run.ts")).runRulesCommand(context, flags),
};
