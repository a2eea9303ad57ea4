/** The flags of a sync and their descriptions. */

import {
  CONCURRENCY_FLAG,
  type FlagDefinition,
  type Flags,
  UsageError,
  countFlag,
  pairsFlag,
  textFlag,
  wordsFlag,
} from "@catalog/console";
import { GUARD_NAMES, type GuardName } from "@catalog/runs/guards";

/** Times of a schedule are local times of day; a feed made by hand comes about once a day. */
const DEFAULTS = { reconcile: "24h", maxAge: "48h", timeZone: "Europe/Istanbul" } as const;

const text = (tr: string, en: string): FlagDefinition => ({ type: "string", describe: { tr, en } });

const number = (tr: string, en: string): FlagDefinition => ({
  type: "number",
  describe: { tr, en },
});

export const FLAGS: Readonly<Record<string, FlagDefinition>> = {
  every: text(
    'Sürekli çalış ve bu cron deseninde eşitle: "*/15 * * * *"',
    'Keep running and sync at this cron pattern: "*/15 * * * *"',
  ),
  "time-zone": {
    ...text("--every için saat dilimi", "Time zone of --every"),
    default: DEFAULTS.timeZone,
  },
  reconcile: {
    ...text(
      "Mağazanın tümü bu sürede bir okunur (24h, 7d; 0 her seferinde)",
      "The whole store is read once in this time (24h, 7d; 0 is every time)",
    ),
    default: DEFAULTS.reconcile,
  },
  "max-age": {
    ...text("Daha eski besleme alınmaz (0: sınırsız)", "An older feed is refused (0: no limit)"),
    default: DEFAULTS.maxAge,
  },
  allow: text(
    `Bu çalıştırmada izin verilen korumalar, virgülle: ${GUARD_NAMES.join(", ")}`,
    `Guards that are allowed in this run, with commas: ${GUARD_NAMES.join(", ")}`,
  ),
  "price-unit": {
    ...text(
      "Pazaryerinin fiyatları hangi birimle yanıtladığı: minor (kuruş), major (lira)",
      "Unit in which the marketplace answers prices: minor (kuruş), major (lira)",
    ),
    choices: ["minor", "major"],
  },
  "try-refused": {
    type: "boolean",
    describe: {
      tr: "Mağazanın almadığı görülen alanları yine de gönder",
      en: "Send fields that the store was seen not to take all the same",
    },
  },
  map: {
    ...text('Başlığı alana bağla: --map "Qty=stock"', 'Header to field: --map "Qty=stock"'),
    many: true,
  },
  platform: text(
    "Beslemeyi yazan platform, başlıklardan anlaşılmıyorsa: shopify, trendyol … ya da none",
    "Platform that wrote the feed, where its headers mislead: shopify, trendyol … or none",
  ),
  decimal: {
    ...text("Metin fiyatlarda ondalık ayırıcı", "Decimal sign of prices in text"),
    choices: ["comma", "point"],
  },
  sheet: text(
    "XLSX: sayfanın adı ya da sırası; all: aynı başlıklı sayfaların hepsi",
    "XLSX: name or number of the sheet; all: every sheet with the same headers",
  ),
  "header-row": number("Başlıkların satırı", "Row of the headers"),
  encoding: text("CSV: karakter kodlaması", "CSV: character encoding"),
  delimiter: text("CSV: ayırıcı", "CSV: delimiter"),
  report: text("Sonuç dosyalarının klasörü", "Folder for result files"),
  health: text(
    "Her eşitlemeden sonra ve beklerken yazılan durum dosyası",
    "File with the state, written after each sync and while waiting",
  ),
  "status-port": number(
    "Durumu bu makinede JSON olarak ver: http://127.0.0.1:PORT/",
    "Answer the state as JSON on this machine: http://127.0.0.1:PORT/",
  ),
  notify: text(
    "Her eşitlemeden sonra sayıların gönderileceği adres (JSON POST)",
    "Address to which the counts are posted after each sync (JSON)",
  ),
  "allow-host": {
    ...text(
      "Özel ağda olabilen kendi sunucunuz: sunucu ya da sunucu:port",
      "Own server that may be in a private network: host or host:port",
    ),
    many: true,
  },
  concurrency: CONCURRENCY_FLAG,
  "requests-per-hour": number("Bir saatte en çok istek", "Most calls in an hour"),
};

/** Reads a whole number in a range. Throws {@link UsageError} for anything else. */
export function rangeFlag(flags: Flags, name: string, max?: number): number | undefined {
  const range = max === undefined ? "1, 2, 3, …" : `1-${max}`;
  const complaint = {
    tr: `--${name} için bir tam sayı verin: ${range}.`,
    en: `Give --${name} a whole number: ${range}.`,
  };
  return countFlag(flags, name, { max, complaint });
}

/** The guards that `--allow` names. Throws {@link UsageError} for an unknown one. */
export function allowedGuards(flags: Flags): readonly GuardName[] {
  const list = GUARD_NAMES.join(", ");
  const given = wordsFlag(flags, "allow", {
    words: GUARD_NAMES,
    complain: (name) => ({
      tr: `--allow "${name}" diye bir koruma yok; olanlar: ${list}.`,
      en: `--allow knows no guard "${name}"; there are: ${list}.`,
    }),
  });
  return [...given];
}

/** Field by header. Throws {@link UsageError} for a text without an equals sign. */
export const mapFlag = (flags: Flags): ReadonlyMap<string, string> =>
  pairsFlag(flags, "map", (pair) => ({
    tr: `--map "${pair}" anlaşılamadı. Şöyle yazın: --map "Başlık=alan".`,
    en: `--map "${pair}" is not understood. Write it like --map "Header=field".`,
  }));

/** Reads an address for notifications. Throws {@link UsageError} for one that is not allowed. */
export function notifyFlag(flags: Flags): URL | undefined {
  const given = textFlag(flags, "notify");
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))) return url;
  throw new UsageError({
    tr: "--notify için bir https adresi verin (http yalnızca bu makine içindir).",
    en: "Give --notify an https address (http is for this machine only).",
  });
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
