import type { Localized } from "@catalog/i18n";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Post } from "@catalog/jobs";

import type { Command } from "../../context.ts";
import {
  ACTION_FLAGS,
  SCHEDULE_ACTIONS,
  type ScheduleAction,
  type ScheduleParts,
} from "./flags.ts";

const ACTION_TEXTS: Readonly<Record<ScheduleAction, Localized>> = {
  list: {
    tr: "Zamanlanmış eşitlemeleri listeler: ne zaman, son sonuç, sıradaki zaman, sağlıklı mı",
    en: "Lists the scheduled syncs with their last result, next time and health",
  },
  add: {
    tr: "Bir beslemenin eşitlemesini zamanlar; sayfa (catalog web) ya da catalog worker çalıştırır",
    en: "Schedules the sync of a feed; the page (catalog web) or catalog worker runs it",
  },
  pause: { tr: "Bir zamanlamayı duraklatır", en: "Pauses a schedule" },
  resume: {
    tr: "Duraklatılmış bir zamanlamayı sürdürür; kaçırılan zamanlar yapılmaz",
    en: "Goes on with a paused schedule; times of the pause are not made up for",
  },
  remove: { tr: "Bir zamanlamayı kaldırır", en: "Removes a schedule" },
  history: {
    tr: "Bir beslemenin eşitlemelerini gösterir: ne zaman, kaç satır, ne kadar güncel, neden alınmadı",
    en: "Shows the syncs of a feed: when, how many rows, how fresh, why refused",
  },
  shadow: {
    tr: "Gölgedeki bir zamanlamanın gün gün ne göndereceğini ve bekleteceğini listeler",
    en: "Lists day by day what a schedule in shadow would have sent and held",
  },
  live: {
    tr: "Gölgedeki bir zamanlamanın planını gösterir ve göndermesini başlatır",
    en: "Shows the plan of a schedule in shadow, and lets it send",
  },
  run: {
    tr: "Bir zamanlamayı şimdi bir kez çalıştırır ve bitmesini bekler",
    en: "Runs a schedule once now, and waits for its end",
  },
};

const EXAMPLES: readonly (string | Localized)[] = [
  "schedule list",
  "schedule list --json",
  {
    tr: 'schedule add https://erp.example.com/stok.csv --cron "*/15 * * * *" --price-unit minor',
    en: 'schedule add https://erp.example.com/stock.csv --cron "*/15 * * * *" --price-unit minor',
  },
  {
    tr: 'schedule add stok.xlsx --cron "30 6 * * 1-5" --map "Kalan=Stok"',
    en: 'schedule add stock.xlsx --cron "30 6 * * 1-5" --map "Left=Stock"',
  },
  { tr: "schedule pause stok.xlsx", en: "schedule pause stock.xlsx" },
  { tr: "schedule resume stok.xlsx", en: "schedule resume stock.xlsx" },
  { tr: "schedule remove stok.xlsx", en: "schedule remove stock.xlsx" },
  { tr: "schedule run stok.xlsx --dry-run", en: "schedule run stock.xlsx --dry-run" },
  { tr: "schedule history stok.xlsx", en: "schedule history stock.xlsx" },
  {
    tr: 'schedule add stok.xlsx --cron "*/15 * * * *" --shadow',
    en: 'schedule add stock.xlsx --cron "*/15 * * * *" --shadow',
  },
  {
    tr: "schedule shadow stok.xlsx --out golge.xlsx",
    en: "schedule shadow stock.xlsx --out shadow.xlsx",
  },
  { tr: "schedule live stok.xlsx", en: "schedule live stock.xlsx" },
  "schedule list --stores stores.json",
];

const startOf = (example: string | Localized): string =>
  typeof example === "string" ? example : example.en;

const isAction = (word: string): word is ScheduleAction =>
  SCHEDULE_ACTIONS.some((action) => action === word);

const FEED: Command["positionals"][number] = {
  name: "schedule",
  word: { tr: "zamanlama", en: "schedule" },
  required: false,
  describe: {
    tr: "add için besleme (dosya, klasör ya da https adresi); ötekiler için kimliğin başı ya da beslemenin adı",
    en: "For add: the feed (file, folder or https address); for the others: the beginning of the id, or the name of the feed",
  },
};

/** `catalog schedule [ACTION] [SCHEDULE]`: what the page does with scheduled syncs, and their list. */
export function createScheduleCommand(
  readParts: () => Promise<ScheduleParts>,
  { fetch }: { readonly fetch: Post },
): Command {
  return {
    name: "schedule",
    isPatient: true,
    positionals: [
      {
        name: "action",
        word: { tr: "işlem", en: "action" },
        required: false,
        choices: SCHEDULE_ACTIONS,
        describe: {
          tr: "Ne yapılacağı (list); her birinin seçenekleri: catalog schedule add --help",
          en: "What to do (list); the options of each: catalog schedule add --help",
        },
      },
      FEED,
    ],
    describe: {
      tr: "Eşitlemeleri zamanlar, listeler, duraklatır ya da şimdi çalıştırır; geçmişlerini ve gölgede ne göndereceklerini gösterir (shadow), gölgeden çıkarıp gönderir (live)",
      en: "Schedules, lists, pauses or runs syncs, shows their history and what they would send in shadow (shadow), and lets those send (live)",
    },
    flags: Object.assign({}, ...Object.values(ACTION_FLAGS)),
    examples: EXAMPLES,
    helpFor(words) {
      const action = words.find(isAction);
      if (action === undefined) return { flags: ACTION_FLAGS.list };
      const usage = `schedule ${action}`;
      return {
        usage,
        positionals: action === "list" ? [] : [FEED],
        describe: ACTION_TEXTS[action],
        flags: ACTION_FLAGS[action],
        examples: EXAMPLES.filter((example) => `${startOf(example)} `.startsWith(`${usage} `)),
      };
    },
    run: async (context, flags) =>
      (await import("./run.ts")).runScheduleCommand(context, flags, {
        ...(await readParts()),
        post: fetch,
      }),
  };
}
