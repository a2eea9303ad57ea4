/** Flags that several import commands share, and their readers. */

import {
  CONCURRENCY_FLAG,
  type FlagDefinition,
  type Flags,
  wordFlag,
  wordsFlag,
} from "@catalog/console";
import { GUARD_NAMES, type GuardName } from "@catalog/runs/guards";

import type { Command } from "../context.ts";
import { IMAGE_FLAGS } from "./image-flags.ts";
import { TEXT_FLAGS } from "./text-flags.ts";

/** Guards of imports; the remaining guard watches feeds. */
const ROW_GUARDS: readonly GuardName[] = GUARD_NAMES.filter((guard) => guard !== "few-rows");

type FlagTable = Readonly<Record<string, FlagDefinition>>;

/** Pace of the calls. */
export const PACE_FLAGS: FlagTable = {
  "requests-per-hour": {
    type: "number",
    describe: { tr: "Bir saatte en çok istek", en: "Most calls in an hour" },
  },
  concurrency: CONCURRENCY_FLAG,
};

/** Unit of the listing's prices, as a person states it. */
export const PRICE_UNIT_FLAG: FlagTable = {
  "price-unit": {
    type: "string",
    choices: ["minor", "major"],
    describe: {
      tr: "Mağaza listesindeki fiyatların birimi: kuruş (minor) ya da lira (major)",
      en: "Unit of the prices in the store's listing, where you know it",
    },
  },
};

/** How a file is read and its columns are mapped. */
export const FILE_FLAGS: FlagTable = {
  mode: {
    type: "string",
    choices: ["upsert", "add", "update"],
    default: "upsert",
    describe: {
      tr: "Ekle ve güncelle, yalnızca ekle ya da yalnızca güncelle",
      en: "Add and update, only add, or only update",
    },
  },
  sheet: {
    type: "string",
    describe: {
      tr: "Okunacak sayfa (ad ya da sıra); all: aynı başlıklı sayfaların hepsi",
      en: "Sheet to read (name or number); all: every sheet with the same headers",
    },
  },
  "show-columns": {
    type: "boolean",
    describe: {
      tr: "Hangi sütunun hangi alan olduğunu örnek değerlerle göster",
      en: "Show which column became which field, with samples",
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
      tr: "Fiyat metinlerindeki ondalık ayırıcı",
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
  set: {
    type: "string",
    many: true,
    describe: {
      tr: 'Boş hücrelere değer verir: "alan=değer"',
      en: 'Gives empty cells a value: "field=value"',
    },
  },
  profile: {
    type: "string",
    describe: {
      tr: "Sütunları bu adla hatırlar: varsa kullanır, yoksa onaylanınca kaydeder",
      en: "Remembers columns by this name: uses it, or saves it once accepted",
    },
  },
  platform: {
    type: "string",
    describe: {
      tr: "Dosyayı yazan platform, başlıklardan anlaşılmıyorsa: shopify, trendyol … ya da none",
      en: "Platform that wrote the file, where its headers mislead: shopify, trendyol … or none",
    },
  },
  ...TEXT_FLAGS,
  properties: {
    type: "string",
    choices: ["send", "skip"],
    default: "send",
    describe: {
      tr: "Özellik sütunları (belgesiz alan): gönder ya da gönderme",
      en: "Property columns (an undocumented field): send or leave out",
    },
  },
  ...PRICE_UNIT_FLAG,
  "try-refused": {
    type: "boolean",
    describe: {
      tr: "Mağazanın uygulamadığı görülen alanları yine de gönder",
      en: "Send fields that the store was seen to ignore all the same",
    },
  },
  allow: {
    type: "string",
    describe: {
      tr: `Bu kez izin verilenler, virgülle: code-suspect, ${ROW_GUARDS.join(", ")}`,
      en: `What is allowed this time, with commas: code-suspect, ${ROW_GUARDS.join(", ")}`,
    },
  },
  report: {
    type: "string",
    default: "catalog-results/{run}",
    describe: { tr: "Sonuç dosyalarının klasörü", en: "Folder of the result files" },
  },
  ...IMAGE_FLAGS,
  ...PACE_FLAGS,
};

/** Limits at which even the good rows are not sent. */
export const LIMIT_FLAGS: FlagTable = {
  strict: {
    type: "boolean",
    describe: {
      tr: "Tek bir hatalı satırda hiçbir şey gönderme",
      en: "Send nothing if any row is bad",
    },
  },
  "max-errors": {
    type: "string",
    describe: {
      tr: "En çok hatalı satır (sayı ya da yüzde)",
      en: "Most bad rows (a number or a percentage)",
    },
  },
};

/** Rows that are sent first. */
export const CANARY_FLAG: FlagTable = {
  canary: {
    type: "number",
    describe: {
      tr: "Önce bu kadar satır gönder ve geri oku; farklı görünürse dur",
      en: "Send so many rows first and read them back; stop if they differ",
    },
  },
};

/** Whether sent rows are read back. */
export const VERIFY_FLAG: FlagTable = {
  "no-verify": {
    type: "boolean",
    describe: {
      tr: "Gönderilenleri mağazadan geri okuma",
      en: "Do not read back what was sent",
    },
  },
};

/** Policy for a row whose answer was lost. */
export const UNKNOWN_FLAG: FlagTable = {
  "on-unknown": {
    type: "string",
    choices: ["hold", "resend"],
    // No default here: it would override the run's stored setting.
    describe: {
      tr: "Sonucu bilinmeyen ekleme: beklet (hold) ya da bir kez daha gönder",
      en: "An add with an unknown outcome: hold it (default), or send it once more",
    },
  },
};

/** Skips the confirmation. */
export const YES_FLAG: FlagTable = {
  yes: { type: "boolean", describe: { tr: "Sormadan gönder", en: "Send without asking" } },
};

/** Actions of `catalog rules`. */
export const RULE_ACTIONS = [
  "list",
  "add",
  "remove",
  "default",
  "forget",
  "export",
  "import",
] as const;

/** Results of `catalog lookup` without a limit. */
export const MAX_LOOKUP_RESULTS = 20;

/** The argument that names a run. */
export const RUN_POSITIONAL: Command["positionals"][number] = {
  name: "run",
  required: true,
  describe: { tr: "Çalıştırma kimliği", en: "Id of the run" },
};

/** Reads the unit of the listing's prices. */
export const priceUnitFlag = (flags: Flags): "minor" | "major" | undefined =>
  wordFlag(flags, "price-unit", ["minor", "major"]);

/** Names that `--allow` accepts for one run. */
const ALLOWABLE: readonly string[] = ["code-suspect", ...ROW_GUARDS];

/** The guards that `--allow` names; `undefined` where it names none. */
export function allowedGuards(flags: Flags): readonly GuardName[] | undefined {
  const words = allowFlag(flags);
  const guards = ROW_GUARDS.filter((guard) => words.has(guard));
  return guards.length === 0 ? undefined : guards;
}

/** Reads the names of `--allow`. Throws `UsageError` for an unknown one. */
export function allowFlag(flags: Flags): ReadonlySet<string> {
  return wordsFlag(flags, "allow", {
    words: ALLOWABLE,
    complain: (word) => ({
      tr: `--allow "${word}" bilinmiyor. Verilebilecekler: ${ALLOWABLE.join(", ")}.`,
      en: `--allow "${word}" is not known. It may be: ${ALLOWABLE.join(", ")}.`,
    }),
  });
}
