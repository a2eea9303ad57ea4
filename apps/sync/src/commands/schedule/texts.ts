/** What `catalog schedule` says. */

import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import { describeTimes } from "@catalog/jobs";

import type { ListedSchedule } from "./read-schedules.ts";

interface ScheduleTexts {
  readonly none: string;
  /** The lines under the name of the feed. */
  readonly describe: (listed: ListedSchedule) => readonly string[];
}

/** The words from which the lines are made. */
interface Words {
  readonly store: (id: string) => string;
  readonly times: (times: string, zone: string) => string;
  readonly fromPage: string;
  readonly fromCommand: string;
  readonly last: (time: string, exit: number) => string;
  readonly never: string;
  readonly details: (run: string) => string;
  readonly paused: string;
  readonly next: (time: string) => string;
  readonly unservedPage: string;
  readonly unservedCommand: string;
  readonly healthy: string;
  readonly unhealthy: (since: string) => string;
  readonly failures: (count: number) => string;
  readonly waiting: (rows: number) => string;
}

const WORDS: Readonly<Record<Lang, Words>> = {
  tr: {
    store: (id) => `Mağaza: ${id}`,
    times: (times, zone) => `Ne zaman: ${times} (${zone})`,
    fromPage: "sayfadan eklendi",
    fromCommand: "komut satırından",
    last: (time, exit) => `Son eşitleme: ${time}, çıkış kodu ${exit}`,
    never: "Son eşitleme: henüz yapılmadı",
    details: (run) => `ayrıntı: catalog runs ${run}`,
    paused: "Sıradaki: yok, duraklatıldı",
    next: (time) => `Sıradaki: ${time}`,
    unservedPage: "şu an zamanı gelince başlatacak program yok: catalog worker",
    unservedCommand: "bunu çalıştıran komut kapalı: catalog sync … --every",
    healthy: "Sağlıklı",
    unhealthy: (since) => `Sağlıksız: ${since} tarihinden beri işini yapmıyor`,
    failures: (count) => `üst üste ${formatNumber(count, "tr")} eşitleme işini yapmadı`,
    waiting: (rows) =>
      `Karar bekleyen satır: ${formatNumber(rows, "tr")} (catalog release --waiting)`,
  },
  en: {
    store: (id) => `Store: ${id}`,
    times: (times, zone) => `When: ${times} (${zone})`,
    fromPage: "added on the page",
    fromCommand: "from the command line",
    last: (time, exit) => `Last sync: ${time}, exit code ${exit}`,
    never: "Last sync: none yet",
    details: (run) => `details: catalog runs ${run}`,
    paused: "Next: none, it is paused",
    next: (time) => `Next: ${time}`,
    unservedPage: "no program is running that starts it: catalog worker",
    unservedCommand: "the command that runs it is closed: catalog sync … --every",
    healthy: "Healthy",
    unhealthy: (since) => `Unhealthy: it has not done its job since ${since}`,
    failures: (count) =>
      count === 1
        ? "the last sync did not do its job"
        : `${formatNumber(count, "en")} syncs in a row did not do their job`,
    waiting: (rows) =>
      `Rows waiting for a decision: ${formatNumber(rows, "en")} (catalog release --waiting)`,
  },
};

export const SCHEDULE_TEXTS: Readonly<Record<Lang, ScheduleTexts>> = {
  tr: {
    none: 'Zamanlanmış eşitleme yok. Sayfadaki Eşitleme bölümünden (catalog web) ekleyin ya da komutla başlatın: catalog sync BESLEME --every "*/15 * * * *"',
    describe: (listed) => describe(listed, "tr"),
  },
  en: {
    none: 'No sync is scheduled. Add one on the page, under Sync (catalog web), or start one by a command: catalog sync FEED --every "*/15 * * * *"',
    describe: (listed) => describe(listed, "en"),
  },
};

function describe({ record, store, ...listed }: ListedSchedule, lang: Lang): readonly string[] {
  const words = WORDS[lang];
  const { cron, timeZone, madeBy, createdAtMs } = record;
  const time = (ms: number): string =>
    formatDateTime(ms, lang, { dateStyle: "short", timeStyle: "short", timeZone });
  const { isHealthy, failuresInRow, succeededAtMs = createdAtMs } = listed.health;
  const maker = madeBy === "page" ? words.fromPage : words.fromCommand;
  const unserved = madeBy === "page" ? words.unservedPage : words.unservedCommand;
  const next =
    listed.nextMs === undefined
      ? [words.paused]
      : [words.next(time(listed.nextMs)), ...(listed.isServed ? [] : [unserved])];
  const health = isHealthy ? words.healthy : words.unhealthy(time(succeededAtMs));
  return [
    words.store(store.storeId),
    `${words.times(describeTimes(cron, lang), timeZone)}, ${maker}`,
    describeLast(record, words, time),
    next.join("; "),
    [health, ...(failuresInRow > 0 ? [words.failures(failuresInRow)] : [])].join("; "),
    ...(listed.waitingRows > 0 ? [words.waiting(listed.waitingRows)] : []),
  ];
}

function describeLast(
  { result }: ListedSchedule["record"],
  words: Words,
  time: (ms: number) => string,
): string {
  if (result === undefined) return words.never;
  const last = words.last(time(result.endedAtMs), result.exit);
  if (result.run !== null) return `${last}; ${words.details(result.run)}`;
  return result.message === null ? last : `${last}; ${result.message.replaceAll(/\s+/gu, " ")}`;
}
