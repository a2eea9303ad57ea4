/** Runs `catalog schedule list`; how a schedule is shown and written as a document. */

import { type Connection, shownStore } from "@catalog/connection";
import { EXIT, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import { nameOfFeed } from "@catalog/importer";
import {
  describeTimes,
  readNextStart,
  isShadow,
  readScheduleHealth,
  type ScheduleHealth,
  type ScheduleRecord,
} from "@catalog/jobs";
import { toCounts } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import type { ScheduleParts } from "./flags.ts";

/**
 * Lists the schedules of the stores of `list`, of the store that is named, or of all that are known.
 * Returns the exit code, which does not depend on how the schedules fare.
 */
export async function runList(
  context: CommandContext,
  list: string | undefined,
  { readStores }: ScheduleParts,
): Promise<number> {
  const found = await (list === undefined ? context.findStores("all") : readStores(list));
  // Without any store, opening it says which setting is missing.
  const stores = found.length === 0 ? [undefined] : found.map(({ environment }) => environment);
  const schedules: ListedSchedule[] = [];
  for (const given of stores) {
    await using connection = await context.openConnection(given === undefined ? {} : { given });
    schedules.push(...(await readSchedules(connection)));
  }
  if (context.json) {
    const documents = schedules.map(toDocument);
    printJson(context.terminal, { command: "schedule", exit: EXIT.done, schedules: documents });
  } else showSchedules(context, schedules);
  return EXIT.done;
}

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** The keys of a schedule in documents, which are a public contract. */
export function toDocument({
  record,
  store,
  health,
  isServed,
  nextMs,
  waitingRows,
}: ListedSchedule): object {
  const { id, feed, cron, timeZone, madeBy, state, result, owner } = record;
  return {
    id,
    feed: nameOfFeed(feed),
    store: {
      base_url: store.baseUrl,
      store_id: store.storeId,
      name: store.storeName ?? null,
    },
    cron,
    time_zone: timeZone,
    made_by: madeBy,
    owner: owner === undefined ? null : { name: owner.name, gone_since: toIso(owner.goneSinceMs) },
    mode: isShadow(record) ? "shadow" : "live",
    state,
    served: isServed,
    next: toIso(nextMs),
    last:
      result === undefined
        ? null
        : {
            due: toIso(result.dueMs),
            finished: toIso(result.endedAtMs),
            exit: result.exit,
            code: result.code,
            message: result.message,
            run: result.run,
          },
    waiting_rows: waitingRows,
    healthy: doesItsJob({ record, health, isServed }),
    unhealthy_at: toIso(health.unhealthyAtMs),
    last_success: toIso(health.succeededAtMs),
    failures_in_row: health.failuresInRow,
  };
}

/** One that nobody starts does not do its job, whatever its last sync came to. */
const doesItsJob = ({
  record,
  health,
  isServed,
}: Pick<ListedSchedule, "record" | "health" | "isServed">): boolean =>
  health.isHealthy && (isServed || record.state === "paused");

const INDENT = 4;

/** Shows the schedules, or how to add one. */
export function showSchedules(
  { terminal, lang }: CommandContext,
  schedules: readonly ListedSchedule[],
): void {
  const texts = SCHEDULE_TEXTS[lang];
  if (schedules.length === 0) {
    const columns = terminal.outColumns;
    terminal.out(`${wrapText(texts.none, { columns, indent: 0 })}\n`);
    return;
  }
  for (const listed of schedules) {
    const name = `${nameOfFeed(listed.record.feed)}  (${listed.shortId})`;
    terminal.out(`${terminal.shown(name)}\n`);
    for (const line of texts.describe(listed)) {
      const text = `${" ".repeat(INDENT)}${terminal.shown(line)}`;
      terminal.out(`${wrapText(text, { columns: terminal.outColumns, indent: INDENT })}\n`);
    }
  }
}

/** A schedule with what is known of it now. */
export interface ListedSchedule {
  readonly record: ScheduleRecord;
  /** The beginning of its id, which no other schedule of the store has. */
  readonly shortId: string;
  readonly store: Pick<Connection, "baseUrl" | "storeId" | "storeName">;
  readonly health: ScheduleHealth;
  /** Whether a program is running that starts it at its times. */
  readonly isServed: boolean;
  /** `undefined` while it is paused. */
  readonly nextMs: number | undefined;
  /** Rows of its last sync that wait for a decision. */
  readonly waitingRows: number;
}

/** Reads the schedules of a store, the oldest first. */
async function readSchedules(connection: Connection): Promise<readonly ListedSchedule[]> {
  const listed: ListedSchedule[] = [];
  const records = await connection.memory.schedules.list();
  for (const record of records) listed.push(await readSchedule(connection, record, records));
  return listed;
}

/** Reads what is known of a schedule now. `all` are the schedules of its store, read by default. */
export async function readSchedule(
  connection: Connection,
  record: ScheduleRecord,
  all?: readonly ScheduleRecord[],
): Promise<ListedSchedule> {
  const { memory, locks, clock, feedJournal, runs } = connection;
  const { id, madeBy, state, result } = record;
  const holder = await (madeBy === "command" ? locks.scheduleHolder(id) : locks.schedulesHolder());
  const run = result?.run ?? null;
  const isTried = run !== null && (await runs.read(run))?.settings.isDryRun === true;
  const others = (all ?? (await memory.schedules.list())).filter((other) => other.id !== id);
  return {
    record,
    shortId: shorten(
      id,
      others.map((other) => other.id),
    ),
    store: connection,
    health: readScheduleHealth(record, { nowMs: clock.now() }),
    isServed: holder !== undefined,
    nextMs: state === "paused" ? undefined : readNextStart(connection, record),
    // What a sync in shadow would have held waits for nobody.
    waitingRows: run === null || isTried ? 0 : toCounts(await feedJournal.countRows(run)).held,
  };
}

/** Enough characters for a store's schedules; more where two of them begin alike. */
const SHORT_ID = 6;

function shorten(id: string, others: readonly string[]): string {
  let length = SHORT_ID;
  while (others.some((other) => other.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}

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
  readonly neverRun: string;
  /** It is not unhealthy yet, and on the way to it. */
  readonly failing: (failures: string, since: string) => string;
  /** The schedule sends nothing. */
  readonly shadow: string;
  readonly shadowFine: string;
  readonly unserved: string;
  readonly unhealthy: (since: string) => string;
  readonly failures: (count: number) => string;
  readonly waiting: (rows: number) => string;
  readonly owner: (name: string) => string;
  readonly ownerGone: (name: string) => string;
}

const WORDS: Readonly<Record<Lang, Words>> = {
  tr: {
    store: (id) => `Mağaza: ${id}`,
    times: (times, zone) => `Ne zaman: ${times} (${zone})`,
    fromPage: "sayfa ya da worker çalıştırır",
    fromCommand: "kendi komutu çalıştırır (--every)",
    last: (time, exit) => `Son eşitleme: ${time}, çıkış kodu ${exit}`,
    never: "Son eşitleme: henüz yapılmadı",
    details: (run) => `ayrıntı: catalog runs ${run}`,
    paused: "Sıradaki: yok, duraklatıldı",
    next: (time) => `Sıradaki: ${time}`,
    unservedPage: "şu an zamanı gelince başlatacak program yok: catalog worker",
    unservedCommand: "bunu çalıştıran komut kapalı: catalog sync … --every",
    healthy: "Sağlıklı",
    neverRun: "Henüz çalışmadı; ilk eşitlemesini bekliyor",
    failing: (failures, since) => `Aksıyor: ${failures}; sağlıksız sayılacağı zaman: ${since}`,
    shadow: "GÖLGEDE: hiçbir şey göndermiyor, yalnızca ne göndereceğini gösteriyor",
    shadowFine: "Gölgede: besleme okunuyor, hiçbir şey gönderilmiyor",
    unserved: "Çalışmıyor: başlatacak program yok",
    unhealthy: (since) => `Sağlıksız: ${since} tarihinden beri işini yapmıyor`,
    failures: (count) => `üst üste ${formatNumber(count, "tr")} eşitleme işini yapmadı`,
    waiting: (rows) =>
      `Karar bekleyen satır: ${formatNumber(rows, "tr")} (catalog release --waiting)`,
    owner: (name) => `Sorumlusu: ${name}`,
    ownerGone: (name) => `SORUMLUSU YOK: ${name} artık bu mağazada onay veremiyor`,
  },
  en: {
    store: (id) => `Store: ${id}`,
    times: (times, zone) => `When: ${times} (${zone})`,
    fromPage: "run by the page or a worker",
    fromCommand: "run by its own command (--every)",
    last: (time, exit) => `Last sync: ${time}, exit code ${exit}`,
    never: "Last sync: none yet",
    details: (run) => `details: catalog runs ${run}`,
    paused: "Next: none, it is paused",
    next: (time) => `Next: ${time}`,
    unservedPage: "no program is running that starts it: catalog worker",
    unservedCommand: "the command that runs it is closed: catalog sync … --every",
    healthy: "Healthy",
    neverRun: "Not run yet: it waits for its first sync",
    failing: (failures, since) => `Failing: ${failures}; it counts as unhealthy from ${since}`,
    shadow: "IN SHADOW: it sends nothing, it only shows what it would send",
    shadowFine: "In shadow: the feed is read, nothing is sent",
    unserved: "Not running: no program starts it",
    unhealthy: (since) => `Unhealthy: it has not done its job since ${since}`,
    failures: (count) =>
      count === 1
        ? "the last sync did not do its job"
        : `${formatNumber(count, "en")} syncs in a row did not do their job`,
    waiting: (rows) =>
      `Rows waiting for a decision: ${formatNumber(rows, "en")} (catalog release --waiting)`,
    owner: (name) => `Owner: ${name}`,
    ownerGone: (name) => `NO OWNER: ${name} may not approve in this store any more`,
  },
};

const SCHEDULE_TEXTS: Readonly<Record<Lang, ScheduleTexts>> = {
  tr: {
    none: "Zamanlanmış eşitleme yok. Sayfadaki Eşitleme bölümünden (catalog web) ya da komutla ekleyin: catalog schedule add BESLEME",
    describe: (listed) => describe(listed, "tr"),
  },
  en: {
    none: "No sync is scheduled. Add one on the page, under Sync (catalog web), or by a command: catalog schedule add FEED",
    describe: (listed) => describe(listed, "en"),
  },
};

function describe(all: ListedSchedule, lang: Lang): readonly string[] {
  const { record, store, ...listed } = all;
  const words = WORDS[lang];
  const { cron, timeZone, madeBy } = record;
  const time = (ms: number): string =>
    formatDateTime(ms, lang, { dateStyle: "short", timeStyle: "short", timeZone });
  const maker = madeBy === "page" ? words.fromPage : words.fromCommand;
  const unserved = madeBy === "page" ? words.unservedPage : words.unservedCommand;
  const next =
    listed.nextMs === undefined
      ? [words.paused]
      : [words.next(time(listed.nextMs)), ...(listed.isServed ? [] : [unserved])];
  return [
    ...(isShadow(record) ? [words.shadow] : []),
    words.store(shownStore(store)),
    `${words.times(describeTimes(cron, lang), timeZone)}, ${maker}`,
    ...describeOwner(record, words),
    describeLast(record, words, time),
    next.join("; "),
    describeHealth(all, words, time),
    ...(listed.waitingRows > 0 ? [words.waiting(listed.waitingRows)] : []),
  ];
}

const describeOwner = ({ owner }: ScheduleRecord, words: Words): readonly string[] => {
  if (owner === undefined) return [];
  return [owner.goneSinceMs === undefined ? words.owner(owner.name) : words.ownerGone(owner.name)];
};

function describeHealth(
  all: Pick<ListedSchedule, "record" | "health" | "isServed">,
  words: Words,
  time: (ms: number) => string,
): string {
  const { record, health } = all;
  const { isHealthy, failuresInRow, unhealthyAtMs, succeededAtMs = record.createdAtMs } = health;
  const failures = failuresInRow > 0 ? words.failures(failuresInRow) : undefined;
  if (!isHealthy) {
    const since = words.unhealthy(time(succeededAtMs));
    return failures === undefined ? since : `${since}; ${failures}`;
  }
  if (!doesItsJob(all)) {
    return failures === undefined ? words.unserved : `${words.unserved}; ${failures}`;
  }
  if (failures !== undefined) return words.failing(failures, time(unhealthyAtMs));
  if (record.result === undefined) return words.neverRun;
  return isShadow(record) ? words.shadowFine : words.healthy;
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
