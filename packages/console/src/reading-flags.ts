/** Flags that mean the same in every command that reads a file or calls the marketplace. */

import { type FlagDefinition, type Flags, textFlag, textsFlag } from "./flags.ts";

/** How a file is read. */
export const READING_FLAGS: Readonly<
  Record<
    "sheet" | "header-row" | "encoding" | "delimiter" | "decimal" | "map" | "platform",
    FlagDefinition
  >
> = {
  sheet: {
    type: "string",
    many: true,
    describe: {
      tr: "Okunacak sayfa (ad ya da sıra); all: aynı başlıklı sayfaların hepsi",
      en: "Sheet to read (name or number); all: every sheet with the same headers",
    },
  },
  "header-row": {
    type: "number",
    describe: { tr: "Başlıkların bulunduğu satır", en: "Row that holds the headers" },
  },
  encoding: {
    type: "string",
    describe: {
      tr: "CSV dosyasının karakter kodlaması (utf-8, windows-1254, cp857, macturkish …)",
      en: "Character encoding of a CSV file (utf-8, windows-1254, cp857, macturkish …)",
    },
  },
  delimiter: {
    type: "string",
    describe: {
      tr: "CSV ayırıcısı (; , | ya da tab)",
      en: "Delimiter of a CSV file (; , | or tab)",
    },
  },
  decimal: {
    type: "string",
    choices: ["comma", "point"],
    describe: {
      tr: "Fiyat metinlerinde ondalık ayırıcı: virgül (comma) ya da nokta (point)",
      en: "Decimal sign of prices in text cells",
    },
  },
  map: {
    type: "string",
    many: true,
    describe: {
      tr: 'Sütunu alana bağlar: "Başlık=alan"',
      en: 'Maps a column to a field: "Header=field"',
    },
  },
  platform: {
    type: "string",
    describe: {
      tr: "Dosyayı yazan platform, başlıklardan anlaşılmıyorsa: shopify, trendyol … ya da none",
      en: "Platform that wrote the file, if its headers do not tell: shopify, trendyol … or none",
    },
  },
};

/** How the store's prices and fields are understood, and how fast it is called. */
export const STORE_FLAGS: Readonly<
  Record<"price-unit" | "try-refused" | "requests-per-hour", FlagDefinition>
> = {
  "price-unit": {
    type: "string",
    choices: ["minor", "major"],
    describe: {
      tr: "Mağaza listesindeki fiyatların birimi: kuruş (minor) ya da lira (major)",
      en: "Unit of the prices in the store's listing: minor (kuruş) or major (lira)",
    },
  },
  "try-refused": {
    type: "boolean",
    describe: {
      tr: "Mağazanın uygulamadığı görülen alanları yine de gönder",
      en: "Also send fields that the store has been seen to ignore",
    },
  },
  "requests-per-hour": {
    type: "number",
    describe: { tr: "Bir saatte en çok istek", en: "Calls per hour, at most" },
  },
};

/** How long a command waits while another process works on the store. */
export const WAIT_FLAG: FlagDefinition = {
  type: "string",
  describe: {
    tr: "Mağazada başka bir işlem sürüyorsa en çok bu kadar bekle (10m, 2h) [varsayılan: beklemez, 75 ile biter]",
    en: "Wait up to this long while another process works on the store (10m, 2h) [default: ends with 75 at once]",
  },
};

/** The sheets to read, by name or number; `undefined` where the file decides. */
export function sheetFlag(flags: Flags): string | readonly string[] | undefined {
  const names = textsFlag(flags, "sheet").filter((name) => name !== "");
  // Schedules of the page store one name.
  return names.length > 1 ? names : (names[0] ?? textFlag(flags, "sheet"));
}
