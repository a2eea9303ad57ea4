import { type FlagDefinition, groupFlags, SHARED_FLAGS } from "@catalog/console";

import type { Command } from "../../context.ts";
import { RULE_ACTIONS } from "../../flags.ts";
import { RULE_EXAMPLES } from "./examples.ts";

const { encoding } = SHARED_FLAGS.reading;

/** An import of rules takes the encoding as well. */
const TRY_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  ...SHARED_FLAGS.reading,
  encoding: {
    ...encoding,
    describe: {
      tr: `import ve try için: ${encoding.describe.tr}`,
      en: `For import and try: ${encoding.describe.en}`,
    },
  },
  "allow-host": SHARED_FLAGS.allowHost,
};

/**
 * `catalog rules [ACTION]`: lists and changes what texts of files mean in this store, and the
 * profiles.
 */
export const rulesCommand: Command = {
  name: "rules",
  positionals: [
    {
      name: "action",
      word: { tr: "işlem", en: "action" },
      required: false,
      choices: RULE_ACTIONS,
      describe: {
        tr: "Ne yapılacağı (list); undo, kurallardaki son değişikliği geri alır; share, bir kuralı pazaryerinin bütün mağazalarında geçerli yapar, unshare yalnız bu mağazanın",
        en: "What to do (list); undo reverts the last change of rules; share has a rule hold in all stores of the marketplace, unshare in this store only",
      },
    },
    {
      name: "what",
      word: { tr: "alan", en: "field" },
      required: false,
      describe: {
        tr: "add, remove, share, unshare ve default için alan (share ve unshare için price: bütün fiyat kuralları); export, import ve try için dosya; forget için alan, listedeki kısaltma ya da all; price için list, import, export, remove ya da rebase; costs için list, import ya da remove",
        en: "For add, remove, share, unshare and default: the field (for share and unshare price: all price rules); for export, import and try: the file; for forget: a field, an id from the list, or all; for price: list, import, export, remove or rebase; for costs: list, import or remove",
      },
    },
    {
      name: "value",
      word: { tr: "değer", en: "value" },
      required: false,
      describe: {
        tr: "Dosyadaki değer; default için yeni ürünlerin değeri; price ve costs için dosya",
        en: "The value in files; for default: the value for new products; for price and costs: the file",
      },
    },
    {
      name: "meaning",
      word: { tr: "karşılık", en: "meaning" },
      required: false,
      describe: { tr: "Karşılığı", en: "What it means" },
    },
  ],
  describe: {
    tr: "Değerlerin karşılıklarını, varsayılanları, profilleri, hatırlananları ve fiyat kurallarını yönetir",
    en: "Manages the meanings of values, default values, profiles, what is remembered and price rules",
  },
  flags: {
    id: {
      type: "string",
      describe: {
        tr: "add için: karşılığın kimliği; ad tek başına yetmediğinde",
        en: "For add: the id of the meaning, if its name is not enough",
      },
    },
    profile: {
      type: "string",
      describe: {
        tr: "remove, export, share ve unshare için: kurallar yerine bu sütun profili; try için: bu sütun profiliyle oku",
        en: "For remove, export, share and unshare: this column profile instead of the rules; for try: read with it",
      },
    },
    rules: {
      type: "string",
      describe: {
        tr: "try için: kayıtlı kurallar yerine bu dosyadakiler",
        en: "For try: the rules of this file instead of those that are saved",
      },
    },
    yes: {
      type: "boolean",
      describe: {
        tr: "price remove ve price rebase için: sormadan yap",
        en: "For price remove and price rebase: go ahead without asking",
      },
    },
    all: {
      type: "boolean",
      describe: {
        tr: "try için: ilk 20 satır yerine hepsini göster",
        en: "For try: show every row instead of the first 20",
      },
    },
    ...groupFlags(
      {
        tr: "try dosyayı ve beslemeyi sync gibi okur",
        en: "try reads a file or feed as sync does",
      },
      TRY_FLAGS,
    ),
  },
  examples: RULE_EXAMPLES,
  run: async (context, flags) => (await import("./run.ts")).runRulesCommand(context, flags),
};
