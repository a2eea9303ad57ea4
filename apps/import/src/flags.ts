/** The flags of commands that plan or send. Help loads this room, so it imports no engine. */

import {
  type FlagDefinition,
  type Flags,
  groupFlags,
  readFlag,
  SHARED_FLAGS,
} from "@catalog/console";
import type { ImageMode, ImageOptions } from "@catalog/images";
import type { RunRecord } from "@catalog/runs";
import { type GuardName, GUARDS } from "@catalog/runs/guards";

import type { Command, CommandContext } from "./context.ts";

const TEXT_FLAGS: Readonly<Record<string, FlagDefinition>> = {
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
      en: 'Pattern for the titles of variants: "{title} {options}", "{title} - {option1}" …',
    },
  },
};

export const IMAGE_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  images: {
    type: "string",
    choices: ["strict", "warn", "off"],
    // No default here: it would override the configuration file.
    describe: {
      tr: "Bozuk görsel: satırı durdur, yalnızca uyar ya da görsellere hiç bakma",
      en: "On a broken image: stop its row, only warn, or don't check images at all",
    },
  },
  "images-dir": {
    type: "string",
    describe: {
      tr: "Dosya adıyla verilen görsellerin klasörü ya da zip dosyası",
      en: "Folder or zip of the images that are given by file name",
    },
  },
  "images-again": {
    type: "boolean",
    describe: {
      tr: "Görsellere yeniden bak; önceki sonuçları kullanma",
      en: "Check the images again, even those checked before",
    },
  },
  "allow-host": {
    type: "string",
    many: true,
    describe: {
      tr: "Özel ağdaki kendi dosya ya da görsel sunucunuz (sunucu ya da sunucu:port)",
      en: "Your own server of files or images in a private network (host or host:port)",
    },
  },
};

const MODES: readonly ImageMode[] = ["strict", "warn", "off"];

/** Flags override the configuration file; the hosts of both are allowed. */
export function toImageOptions(
  { images = {}, resolve }: Pick<CommandContext, "images" | "resolve">,
  flags: Flags,
): ImageOptions {
  const mode = MODES.find((each) => each === flags["images"]) ?? images.mode;
  const given = flags["images-dir"];
  const source = typeof given === "string" && given !== "" ? resolve(given) : images.source;
  const hosts = flags["allow-host"];
  const allowHosts = [
    ...(images.allowHosts ?? []),
    ...(Array.isArray(hosts) ? hosts.map(String) : []),
  ];
  return { ...images, mode, source, allowHosts, isAgain: flags["images-again"] === true };
}

/**
 * Image settings of a retry: the flags, else the run's settings, else the configuration file. Image
 * files that no longer exist block no row.
 */
export function toRetryImageOptions(
  { images = {}, resolve }: Pick<CommandContext, "images" | "resolve">,
  flags: Flags,
  { reading }: RunRecord["progress"],
): ImageOptions {
  const { mode, source, allowHosts = [] } = reading?.pictures ?? images;
  const hosts = new Set([...(images.allowHosts ?? []), ...allowHosts]);
  const kept = { ...images, mode, source, allowHosts: [...hosts] };
  const given = flags["images-dir"];
  const maySourceBeGone = given === undefined || given === "";
  return { ...toImageOptions({ resolve, images: kept }, flags), maySourceBeGone };
}

/** Guards of imports; the others watch feeds as a whole. */
export const ROW_GUARDS: readonly GuardName[] = GUARDS.names.filter(
  (guard) => guard !== "few-rows" && guard !== "fewer-columns",
);

/** Names that `--allow` accepts for one run. */
const ALLOWABLE: readonly string[] = ["code-suspect", ...ROW_GUARDS];

export type FlagTable = Readonly<Record<string, FlagDefinition>>;

/** Headings of the help of commands with many flags. */
const SENDING = { tr: "Gönderim", en: "Sending" };
const IMAGES = { tr: "Görseller", en: "Images" };

/** Pace of the calls. */
export const PACE_FLAGS: FlagTable = {
  "requests-per-hour": SHARED_FLAGS.store["requests-per-hour"],
  concurrency: SHARED_FLAGS.concurrency,
  wait: SHARED_FLAGS.wait,
};

/** Unit of the listing's prices, as a person states it. */
export const PRICE_UNIT_FLAG: FlagTable = { "price-unit": SHARED_FLAGS.store["price-unit"] };

/** Values of cells that are empty or missing. */
export const SET_FLAG: FlagDefinition = {
  type: "string",
  many: true,
  describe: {
    tr: 'Boş hücrelere değer verir: "alan=değer"',
    en: 'Gives empty cells a value: "field=value"',
  },
};

/** Whether the marketplace is searched for what open names may mean. */
export const MARKET_SEARCH_FLAG: FlagTable = {
  "no-market-search": {
    type: "boolean",
    describe: {
      tr: "Anlaşılamayan adlara öneri için pazaryerinde arama yapma",
      en: "Don't search the marketplace for what open names may mean",
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
  sheet: SHARED_FLAGS.reading.sheet,
  record: SHARED_FLAGS.reading.record,
  "show-columns": {
    type: "boolean",
    describe: {
      tr: "Hangi sütunun hangi alan olduğunu örnek değerlerle göster",
      en: "Show which column became which field, with samples",
    },
  },
  "header-row": SHARED_FLAGS.reading["header-row"],
  encoding: SHARED_FLAGS.reading.encoding,
  delimiter: SHARED_FLAGS.reading.delimiter,
  decimal: SHARED_FLAGS.reading.decimal,
  map: SHARED_FLAGS.reading.map,
  set: SET_FLAG,
  profile: {
    type: "string",
    describe: {
      tr: "Sütunları bu adla hatırlar: varsa kullanır, yoksa onaylanınca kaydeder",
      en: "Column profile: used if it exists, otherwise saved under this name once the plan is accepted",
    },
  },
  platform: SHARED_FLAGS.reading.platform,
  "feed-auth": SHARED_FLAGS.reading["feed-auth"],
  "host-key": SHARED_FLAGS.reading["host-key"],
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
  ...MARKET_SEARCH_FLAG,
  ...PRICE_UNIT_FLAG,
  "try-refused": SHARED_FLAGS.store["try-refused"],
  allow: {
    type: "string",
    words: ALLOWABLE,
    describe: {
      tr: `Bu kez izin verilenler, virgülle: code-suspect, ${ROW_GUARDS.join(", ")}`,
      en: `Allowed this time, separated by commas: code-suspect, ${ROW_GUARDS.join(", ")}`,
    },
  },
  report: {
    type: "string",
    default: "catalog-results/{run}",
    describe: { tr: "Sonuç dosyalarının klasörü", en: "Folder of the result files" },
  },
  ...groupFlags(IMAGES, IMAGE_FLAGS),
  ...groupFlags(SENDING, PACE_FLAGS),
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
      tr: "Bundan çok satır hatalıysa hiçbir şey gönderme (sayı ya da yüzde)",
      en: "Send nothing if more rows than this are bad (a number or a percentage)",
    },
  },
};

/** How a plan is sent, once it is made. */
export const groupSending = (flags: FlagTable): FlagTable => groupFlags(SENDING, flags);

/** Rows that are sent first. */
export const CANARY_FLAG: FlagTable = {
  canary: {
    type: "number",
    describe: {
      tr: "Önce bu kadar satır gönder ve geri oku; farklı görünürse dur",
      en: "Send this many rows first and read them back; stop if they differ",
    },
  },
};

/** Whether sent rows are read back. */
export const VERIFY_FLAG: FlagTable = {
  "no-verify": {
    type: "boolean",
    describe: {
      tr: "Gönderilenleri mağazadan okuyup denetleme yapma",
      en: "Don't read back what was sent",
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

/** Leaves the sending to a worker. */
export const QUEUE_FLAG: FlagTable = {
  queue: {
    type: "boolean",
    describe: {
      tr: "Gönderimi bir worker'a bırak ve izle; pencere kapansa da sürer",
      en: "Leave the sending to a worker and show its progress; it continues without this window",
    },
  },
};

/** When the run is sent and taken back by itself. */
export const PERIOD_FLAGS: FlagTable = {
  "start-at": {
    type: "string",
    describe: {
      tr: "Bu zamanda gönder: 2026-12-01T09:00 (now: hemen)",
      en: "Send at this time: 2026-12-01T09:00 (now: at once)",
    },
  },
  "undo-at": {
    type: "string",
    describe: {
      tr: "Bu zamanda geri al: 2026-12-07T00:00 (never: alma)",
      en: "Undo at this time: 2026-12-07T00:00 (never: do not)",
    },
  },
};

/** Writes no result files; `catalog report` writes them at any time. */
export const FILES_FLAG: FlagTable = {
  "no-files": {
    type: "boolean",
    describe: { tr: "Sonuç dosyalarını yazma", en: "Write no result files" },
  },
};

/** Sends nothing; the plan can be applied later. */
export const PLAN_FLAG: FlagTable = {
  plan: {
    type: "boolean",
    describe: {
      tr: "Yalnız planla, hiçbir şey gönderme",
      en: "Plan only, and send nothing",
    },
  },
};

/** For commands that send a plan whose question was answered, or that nobody has to be asked about. */
export const NO_QUESTION_FLAG: FlagTable = {
  yes: {
    type: "boolean",
    describe: {
      tr: "Hiçbir şey sorma; karar isteyen satırlar bekler",
      en: "Ask nothing; rows that need a decision wait",
    },
  },
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
  "undo",
  "share",
  "unshare",
  "price",
  "costs",
  "try",
] as const;

/** Results of `catalog lookup` without a limit. */
export const MAX_LOOKUP_RESULTS = 20;

/** The argument that names a run. */
export const RUN_POSITIONAL: Command["positionals"][number] = {
  name: "run",
  word: { tr: "çalıştırma", en: "run" },
  required: true,
  describe: { tr: "Çalıştırma kimliği", en: "Id of the run" },
};

/** Reads the unit of the listing's prices. */
export const priceUnitFlag = (flags: Flags): "minor" | "major" | undefined =>
  readFlag.word(flags, "price-unit", ["minor", "major"]);

/** Reads the names of `--allow`. */
export const allowFlag = (flags: Flags): ReadonlySet<string> =>
  readFlag.words(flags, "allow", ALLOWABLE);

/** Reads the id of the run that the flags name; empty where they name none. */
export const runFlag = (flags: Flags): string => readFlag.text(flags, "run") ?? "";
