/** The actions of `catalog schedule` and their flags, and what the program gives to the command. */

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { FoundStore } from "@catalog/connection";
import type { FlagDefinition } from "@catalog/console";
import { GUARDS } from "@catalog/runs/guards";

import { FLAGS as SYNC_FLAGS, SCHEDULE_FLAGS } from "../sync/flags.ts";

/** What the command may do. */
export const SCHEDULE_ACTIONS = [
  "list",
  "add",
  "pause",
  "resume",
  "remove",
  "run",
  "history",
  "shadow",
  "live",
] as const;

export type ScheduleAction = (typeof SCHEDULE_ACTIONS)[number];

/** The times of a schedule for which none are given: a choice of the page, and spread as it is there. */
export const DEFAULT_CRON = "*/30 * * * *";

/** What the program gives to the command besides its context. */
export interface ScheduleParts {
  /** Reads a list of stores; throws `UsageError` for one that cannot be used. */
  readonly readStores: (path: string) => Promise<readonly FoundStore[]>;
}

const ALLOWED = GUARDS.ofFeeds.join(", ");

type FlagTable = Readonly<Record<string, FlagDefinition>>;

const pick = (flags: FlagTable, names: readonly string[]): FlagTable =>
  Object.fromEntries(
    names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );

/** The flags of each action; those of a sync are taken from its own table. */
export const ACTION_FLAGS: Readonly<Record<ScheduleAction, FlagTable>> = {
  list: {
    stores: {
      type: "string",
      describe: {
        tr: "Mağazaların listesi (JSON), worker komutundaki gibi; verilmezse bilinen mağazalar",
        en: "List of stores (JSON), as for worker; without it, the known ones",
      },
    },
  },
  add: {
    cron: {
      type: "string",
      describe: {
        tr: 'Ne zaman: dakika saat gün ay haftanın-günü, örneğin "*/15 * * * *" ya da "30 6 * * 1-5" [varsayılan: 30 dakikada bir]',
        en: 'When: minute hour day month weekday, such as "*/15 * * * *" or "30 6 * * 1-5" [default: every 30 minutes]',
      },
    },
    "time-zone": {
      type: "string",
      describe: { tr: "--cron için saat dilimi", en: "Time zone of --cron" },
      default: SYNC_FLAGS["time-zone"]?.default ?? "",
    },
    ...SCHEDULE_FLAGS,
    allow: {
      type: "string",
      describe: {
        tr: `Her eşitlemede izin verilenler, virgülle; zamanlama kaldırılana dek geçerlidir: ${ALLOWED}`,
        en: `Allowed at each sync for as long as it is scheduled, separated by commas: ${ALLOWED}`,
      },
      words: GUARDS.ofFeeds,
    },
  },
  pause: {},
  resume: {},
  remove: {},
  history: {
    limit: {
      type: "number",
      describe: { tr: "En çok kaç eşitleme (50)", en: "Maximum number of syncs (50)" },
    },
  },
  shadow: {
    days: {
      type: "number",
      describe: { tr: "Son kaç gün (7)", en: "Number of days up to now (7)" },
    },
    out: {
      type: "string",
      describe: {
        tr: "Bütün değişiklikleri bu Excel dosyasına yaz",
        en: "Write all changes to this Excel file",
      },
    },
  },
  live: {
    yes: {
      type: "boolean",
      describe: {
        tr: "Sormadan başlat; gölgede henüz plan yapılmamışsa da",
        en: "Go live without asking, even if there was no plan in shadow yet",
      },
    },
  },
  run: pick(SYNC_FLAGS, [
    "dry-run",
    "accept-change",
    "allow",
    "concurrency",
    "requests-per-hour",
    "wait",
  ]),
};
