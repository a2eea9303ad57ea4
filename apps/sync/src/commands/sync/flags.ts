/** The flags of a sync and their descriptions. */

import {
  type FlagDefinition,
  type Flags,
  parseLoginReference,
  readFlag,
  resolveLoginReference,
  SHARED_FLAGS,
} from "@catalog/console";
import { type GuardName, GUARDS } from "@catalog/runs/guards";

/** Times of a schedule are local times of day; a feed made by hand comes about once a day. */
const DEFAULTS = { reconcile: "24h", maxAge: "48h", timeZone: "Europe/Istanbul" } as const;

/** What becomes of products that the store does not have. */
export const ADD_POLICIES = ["draft", "send", "never"] as const;

/** What becomes of products that are absent from a feed. */
export const ABSENT_POLICIES = ["keep", "zero", "hold"] as const;

const text = (tr: string, en: string): FlagDefinition => ({ type: "string", describe: { tr, en } });

const number = (tr: string, en: string): FlagDefinition => ({
  type: "number",
  describe: { tr, en },
});

export const FLAGS: Readonly<Record<string, FlagDefinition>> = {
  every: text(
    'Sürekli çalış ve bu cron zamanlamasıyla eşitle: "*/15 * * * *"',
    'Keep running and sync on this cron schedule: "*/15 * * * *"',
  ),
  "time-zone": {
    ...text("--every için saat dilimi", "Time zone of --every"),
    default: DEFAULTS.timeZone,
  },
  reconcile: {
    ...text(
      "Mağazanın tamamının ne sıklıkla okunacağı (24h, 7d; 0: her seferinde)",
      "How often to read the whole store (24h, 7d; 0: every time)",
    ),
    default: DEFAULTS.reconcile,
  },
  "max-age": {
    ...text(
      "Bundan eski beslemeyi alma (0: sınır yok)",
      "Refuse a feed older than this (0: never)",
    ),
    default: DEFAULTS.maxAge,
  },
  allow: {
    ...text(
      `Bu kez izin verilenler, virgülle: ${GUARDS.ofFeeds.join(", ")}`,
      `Allowed this time, separated by commas: ${GUARDS.ofFeeds.join(", ")}`,
    ),
    words: GUARDS.ofFeeds,
  },
  "accept-change": {
    type: "boolean",
    describe: {
      tr: "Biçimi değişmiş beslemeyi al; sonraki eşitlemeler yeni biçimi bekler",
      en: "Take a feed whose form has changed; later syncs expect the new form",
    },
  },
  "dry-run": {
    type: "boolean",
    describe: {
      tr: "Gönderme: neyin gönderileceğini ve bekletileceğini göster, plan.xlsx yaz",
      en: "Send nothing: show what would be sent and held, and write plan.xlsx",
    },
  },
  absent: {
    ...text(
      "Beslemenin daha önce verip artık vermediği ürünler: keep dokunmaz, zero stoklarını 0 yapar, hold onayınızı bekler",
      "Products that the feed gave before and gives no more: keep leaves them alone, zero sets their stock to 0, hold waits for your approval",
    ),
    choices: ABSENT_POLICIES,
    default: "keep",
  },
  shadow: {
    type: "boolean",
    describe: {
      tr: "Gölge: gönderme, yalnızca ne gönderileceğini göster ve sonraki eşitleme için hatırla",
      en: "Shadow: send nothing, only show what would be sent, and remember it for the next sync",
    },
  },
  adds: {
    ...text(
      "Mağazada olmayan ürünler: never yalnız bildirir, draft bekleyen bir taslağa koyar, send sorusu kalmayanları ekler",
      "Products that the store does not have: never only reports them, draft puts them into a draft that waits, send adds those without open questions",
    ),
    choices: ADD_POLICIES,
    default: "never",
  },
  "ignore-unknown-codes": {
    type: "boolean",
    describe: {
      tr: "Mağazada olmayan kodları bildir ama çıkış kodu bu yüzden 5 olmasın",
      en: "Report codes that the store does not have, but don't change the exit code",
    },
  },
  ...SHARED_FLAGS.store,
  ...SHARED_FLAGS.reading,
  profile: text(
    "import ile bu adla kaydedilmiş sütun eşlemesini kullan",
    "Use the columns that an import saved under this name",
  ),
  report: text("Sonuç dosyalarının klasörü", "Folder of the result files"),
  health: text(
    "--every ile: her eşitlemeden sonra ve beklerken yazılan durum dosyası",
    "With --every: file for the status, written after each sync and while waiting",
  ),
  "status-port": number(
    "--every ile: durumu bu makinede JSON olarak ver: http://127.0.0.1:PORT/",
    "With --every: serve the status as JSON on this machine: http://127.0.0.1:PORT/",
  ),
  "unhealthy-after": text(
    "Bu süre boyunca işini yapan eşitleme olmazsa durum dosyası “sağlıksız” der (2h, 1d) [varsayılan: iki eşitleme arasının iki katı ve 15 dakika]",
    "Report the schedule as unhealthy when no sync has done its job for this long (2h, 1d) [default: twice the time between syncs, and 15 minutes]",
  ),
  "log-format": SHARED_FLAGS.logFormat,
  notify: text(
    "Her eşitlemeden sonra sayıların gönderileceği adres (JSON POST)",
    "Address to post the counts to after each sync (JSON)",
  ),
  "allow-host": SHARED_FLAGS.allowHost,
  concurrency: SHARED_FLAGS.concurrency,
  wait: SHARED_FLAGS.wait,
};

/** Flags of one sync, and of a command that keeps running. */
const OF_THE_COMMAND: ReadonlySet<string> = new Set([
  "accept-change",
  "concurrency",
  "dry-run",
  "every",
  "health",
  "log-format",
  "requests-per-hour",
  "status-port",
  "time-zone",
  "wait",
]);

/** The flags that a schedule keeps for each of its syncs. */
export const SCHEDULE_FLAGS: Readonly<Record<string, FlagDefinition>> = Object.fromEntries(
  Object.entries(FLAGS).filter(([name]) => !OF_THE_COMMAND.has(name)),
);

/** Reads a whole number in a range. Throws {@link UsageError} for anything else. */
export function rangeFlag(flags: Flags, name: string, max?: number): number | undefined {
  const range = max === undefined ? "1, 2, 3, …" : `1-${max}`;
  const complaint = {
    tr: `--${name} için bir tam sayı verin: ${range}.`,
    en: `Give --${name} a whole number: ${range}.`,
  };
  return readFlag.count(flags, name, { max, complaint });
}

/** The guards that `--allow` names. */
export const allowedGuards = (flags: Flags): readonly GuardName[] => [
  ...readFlag.words(flags, "allow", GUARDS.ofFeeds),
];

/**
 * Where the login of a feed is, to be stored: never the login itself, and a file by its whole path.
 * Throws {@link UsageError}, and repeats nothing of what was given.
 */
export function feedAuthFlag(flags: Flags, resolve: (path: string) => string): string | undefined {
  const given = readFlag.text(flags, "feed-auth");
  if (given === undefined) return undefined;
  parseLoginReference(given);
  return resolveLoginReference(given, resolve);
}
