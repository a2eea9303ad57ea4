import { groupFlags, SHARED_FLAGS } from "@catalog/console";

import type { Command } from "../../context.ts";
import { MARKET_SEARCH_FLAG, SET_FLAG } from "../../flags.ts";

/** Reasons of suggestions that can be accepted together. */
export const REASONS = ["answer", "market", "store", "words", "titles"] as const;

/** Part of the similar products, in percent, below which a suggestion is not accepted. */
export const DEFAULT_MIN_SHARE = 60;

/** `catalog map FILE`: what the names of a file that the store does not have are to mean. */
export const mapCommand: Command = {
  name: "map",
  isPatient: true,
  positionals: [
    {
      name: "file",
      word: { tr: "dosya", en: "file" },
      required: true,
      describe: {
        tr: "Ürün dosyası ya da https adresi; import ile aynı dosyalar",
        en: "File of products or https address; the same files as of import",
      },
    },
  ],
  describe: {
    tr: "Dosyadaki kategori, marka ve özellik adlarını topluca mağazadaki karşılıklarına eşler",
    en: "Maps the categories, brands and properties of a file to those of the store, in one go",
  },
  flags: {
    out: {
      type: "string",
      describe: {
        tr: "Açık adları, önerileri ve seçim listeleriyle bu dosyaya yaz (.xlsx ya da .csv)",
        en: "Write the open names to this file, with suggestions and drop-downs (.xlsx or .csv)",
      },
    },
    in: {
      type: "string",
      describe: {
        tr: "Bu dosyada doldurulan karşılıkları kural olarak kaydet; boş kalanlar açık kalır",
        en: "Save the meanings filled into this file as rules; empty ones stay open",
      },
    },
    below: {
      type: "string",
      many: true,
      describe: {
        tr: 'Dosyadaki bir kategorinin altındaki bütün adlar: "Home > Kitchen=Ev > Mutfak". En alttaki bir kategori hepsine yazılır; üst kategoride yalnızca adı aynı olanlar eşlenir',
        en: 'All names below a category of the file: "Home > Kitchen=Ev > Mutfak". A category without others below it is taken for all of them; below any other only equal names are mapped',
      },
    },
    accept: {
      type: "string",
      words: REASONS,
      describe: {
        tr: `İlk önerisi bu nedene dayanan bütün adlar, virgülle: ${REASONS.join(", ")} (önceki yanıt, pazaryeri, mağaza, adın sözcükleri, örnek başlıklar)`,
        en: `All names whose first suggestion has this reason, separated by commas: ${REASONS.join(", ")}`,
      },
    },
    "min-share": {
      type: "number",
      describe: {
        tr: `accept market ve store için: benzer ürünlerin en az bu yüzdesi [varsayılan: ${DEFAULT_MIN_SHARE}]`,
        en: `For accept market and store: at least this percentage of the similar products [default: ${DEFAULT_MIN_SHARE}]`,
      },
    },
    yes: {
      type: "boolean",
      describe: {
        tr: "below ve accept için: örnekleri gösterip sormadan kaydet",
        en: "For below and accept: show the samples and save without asking",
      },
    },
    overwrite: {
      type: "boolean",
      describe: { tr: "out dosyası varsa üzerine yaz", en: "Replace the out file if it exists" },
    },
    ...MARKET_SEARCH_FLAG,
    ...groupFlags(
      { tr: "Dosyanın okunması", en: "Reading the file" },
      {
        ...SHARED_FLAGS.reading,
        set: SET_FLAG,
        profile: {
          type: "string",
          describe: { tr: "Bu sütun profiliyle oku", en: "Read it with this column profile" },
        },
        "allow-host": SHARED_FLAGS.allowHost,
        "requests-per-hour": SHARED_FLAGS.store["requests-per-hour"],
      },
    ),
  },
  examples: [
    { tr: "map urunler.xlsx", en: "map products.xlsx" },
    { tr: "map urunler.xlsx --out adlar.xlsx", en: "map products.xlsx --out names.xlsx" },
    { tr: "map urunler.xlsx --in adlar.xlsx", en: "map products.xlsx --in names.xlsx" },
    {
      tr: 'map urunler.csv --below "Home > Kitchen=Ev > Mutfak"',
      en: 'map products.csv --below "Home > Kitchen=Ev > Mutfak"',
    },
    {
      tr: "map urunler.csv --accept store --min-share 80 --yes",
      en: "map products.csv --accept store --min-share 80 --yes",
    },
  ],
  run: async (context, flags) => (await import("./run.ts")).runMapCommand(context, flags),
};
