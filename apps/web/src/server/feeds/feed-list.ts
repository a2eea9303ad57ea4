/** The feeds of the store with their schedules, and what a feed's beginning leaves open for a person. */

import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { Connection } from "@catalog/connection";
import { EXIT, readFlag } from "@catalog/console";
import { isAddress, type Lang, type Localized } from "@catalog/i18n";
import {
  createFeedFetch,
  feedKey,
  type FindLogin,
  nameOfFeed,
  openFeedForm,
} from "@catalog/importer";
import {
  describeTimes,
  isShadow,
  parseSyncOptions,
  readNextStart,
  readScheduleHealth,
  type ScheduleRecord,
} from "@catalog/jobs";
import { countFileRows, type RunRecord, toCounts } from "@catalog/runs";

import type {
  FeedCheckBody,
  FeedDoubt,
  FeedOptions,
  FeedRunView,
  FeedSampleView,
  FeedView,
  ScheduleView,
} from "../../api/feeds.ts";
import type { Problem } from "../../api/session.ts";
import { plainText, toShown } from "../plain-advice.ts";
import { describeState, toRunState } from "../runs/run-summary.ts";

type SyncOptions = ReturnType<typeof parseSyncOptions>;

/** Converts what a person has chosen; what is left out is found out by the sync. */
export function toSyncOptions(options: FeedOptions, lang: Lang): SyncOptions {
  const { sheet, record, encoding, columns, decimal, priceUnit } = options;
  const { maxAgeHours, adds, absent, allowHost, isShadow: inShadow } = options;
  const map = Object.entries(columns).map(([header, to]) => `${header}=${to}`);
  return {
    lang,
    "max-age": maxAgeHours === 0 ? "0" : `${maxAgeHours}h`,
    ...readSheets(sheet),
    ...(record !== "" && { record }),
    ...(encoding !== "" && { encoding }),
    ...(map.length > 0 && { map }),
    ...(decimal !== "" && { decimal }),
    ...(priceUnit !== "" && { "price-unit": priceUnit }),
    ...(adds !== "never" && { adds }),
    ...(absent !== "keep" && { absent }),
    ...(allowHost !== "" && { "allow-host": [allowHost] }),
    ...(inShadow && { shadow: true }),
  };
}

/**
 * Changes stored options as a form was changed. A command may have stored what the form cannot show
 * as it is, so an option that the person left alone stays as it is stored.
 */
export function mergeSyncOptions(stored: SyncOptions, form: FeedOptions, lang: Lang): SyncOptions {
  const before = toSyncOptions(fromSyncOptions(stored), lang);
  const after = toSyncOptions(form, lang);
  const names = new Set([...Object.keys(stored), ...Object.keys(after)]);
  const merged = [...names].map((name) => {
    const isLeft = isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name));
    return [name, Reflect.get(isLeft ? stored : after, name)] as const;
  });
  const given = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  return { ...parseSyncOptions(given), lang };
}

/** The sheets of a form, with slashes between them, as no name of a sheet has one. */
function readSheets(text: string): { readonly sheet?: string | readonly string[] } {
  const names = text.split("/").map((name) => name.trim());
  const [only, ...others] = names.filter((name) => name !== "");
  if (only === undefined) return {};
  return { sheet: others.length === 0 ? only : [only, ...others] };
}

/** What is opened; the path of the records takes the place of the sheets. */
const toSheets = (sheets: string, record: string): ReturnType<typeof readSheets> =>
  record === "" ? readSheets(sheets) : { sheet: record };

const ADD_POLICIES = ["never", "draft", "send"] as const;
const ABSENT_POLICIES = ["keep", "zero", "hold"] as const;

/** The other way round, for a form. */
export function fromSyncOptions(stored: SyncOptions): FeedOptions {
  const { sheet, decimal, "price-unit": unit, "allow-host": hosts } = stored;
  return {
    sheet: Array.isArray(sheet) ? sheet.join(" / ") : String(sheet ?? ""),
    record: textOf(stored.record),
    encoding: textOf(stored.encoding),
    columns: readColumns(stored.map),
    decimal: decimal === "comma" || decimal === "point" ? decimal : "",
    priceUnit: unit === "minor" || unit === "major" ? unit : "",
    maxAgeHours: readHours(stored),
    adds: ADD_POLICIES.find((policy) => policy === stored.adds) ?? "never",
    absent: ABSENT_POLICIES.find((policy) => policy === stored.absent) ?? "keep",
    isShadow: stored.shadow === true,
    allowHost: Array.isArray(hosts) ? String(hosts[0] ?? "") : "",
  };
}

const textOf = (option: SyncOptions[keyof SyncOptions]): string => String(option ?? "");

/** Pairs as `--map` takes them; a header may have an equals sign in it, and no field has. */
function readColumns(map: SyncOptions["map"]): FeedOptions["columns"] {
  const pairs = (Array.isArray(map) ? map : [map]).filter((pair) => typeof pair === "string");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

const HOUR_MS = 3_600_000;

/** The most that the form takes. */
const MAX_HOURS = 10_000;

/** Hours of a stored duration, rounded up, as 0 stands for no limit at all. */
const readHours = (stored: SyncOptions): number =>
  Math.min(MAX_HOURS, Math.ceil((readFlag.duration(stored, "max-age") ?? 0) / HOUR_MS));

const SAMPLE_ROWS = 5;

interface CheckedFeed extends Pick<FeedCheckBody, "feed" | "options"> {
  readonly findLogin: FindLogin | undefined;
}

/** Throws what the sync throws for a feed that cannot be read at all. */
export async function checkFeed(
  connection: Connection,
  { feed, options, findLogin }: CheckedFeed,
  lang: Lang,
): Promise<FeedSampleView> {
  const { sheet, record, encoding, columns, decimal, priceUnit, allowHost } = options;
  const sample = await openFeedForm(connection, feed).readSample({
    reading: {
      sheet: { ...toSheets(sheet, record), ...(encoding !== "" && { encoding }) },
      columns: new Map(Object.entries(columns)),
      decimal: decimal === "" ? undefined : decimal,
    },
    fetch: createFeedFetch({
      clock: connection.clock,
      allowHosts: allowHost === "" ? [] : [allowHost],
      findLogin,
      // A person waits for the answer, and can try again.
      retries: 0,
    }),
    maxRows: SAMPLE_ROWS,
  });
  return { ...toShown(sample, lang), isUnitOpen: sample.isUnitOpen && priceUnit === "" };
}

/** Runs of the history that are searched for feeds. */
const MAX_RUNS = 500;

interface FeedListOptions {
  readonly lang: Lang;
  /** Whether the page is running a sync of this schedule. */
  readonly isRunning: (id: string) => boolean;
}

/** Reads the list; schedules stand in the order in which they were made. */
export async function readFeeds(
  connection: Connection,
  options: FeedListOptions,
): Promise<readonly FeedView[]> {
  const latest = await readLatestRuns(connection);
  const views: FeedView[] = [];
  const scheduled = new Set<string>();
  for (const record of await connection.memory.schedules.list()) {
    const key = feedKey(record.feed);
    scheduled.add(key);
    const run = latest.get(key);
    const place = nameOfFeed(record.feed);
    views.push({
      key: record.id,
      name: isAddress(record.feed) ? place : basename(place),
      place,
      schedule: await toScheduleView(connection, options, record),
      run: run === undefined ? null : await toRunView(connection, run, options.lang),
    });
  }
  for (const [key, run] of latest) {
    // A source that was removed from the page is in the history only.
    if (scheduled.has(key) || !isOfTerminal(run)) continue;
    const { name } = run.file;
    const view = await toRunView(connection, run, options.lang);
    views.push({ key, name, place: name, schedule: null, run: view });
  }
  return views;
}

const isOfTerminal = ({ maker }: RunRecord): boolean =>
  maker === undefined || maker.origin === "terminal";

/** The latest run of each feed, by the feed's key. */
async function readLatestRuns({ runs }: Connection): Promise<ReadonlyMap<string, RunRecord>> {
  const latest = new Map<string, RunRecord>();
  for (const run of await runs.list(MAX_RUNS)) {
    const key = run.file.feed ?? run.file.path;
    if (run.kind === "sync" && !latest.has(key)) latest.set(key, run);
  }
  return latest;
}

async function toRunView(
  { journal, locks }: Connection,
  run: RunRecord,
  lang: Lang,
): Promise<FeedRunView> {
  const isDryRun = run.settings.isDryRun === true;
  const counts = countFileRows(run, toCounts(await journal.countRows(run.id)));
  const state = toRunState(run, await locks.holderOf(run.id));
  return {
    id: run.id,
    at: toIso(run.createdAtMs),
    stateText: describeState(run, { state, counts, lang }),
    updated: isDryRun ? counts.pending : counts.updated,
    isDryRun,
    held: counts.held,
    failed: counts.rejected + counts.invalid,
  };
}

async function toScheduleView(
  connection: Connection,
  { lang, isRunning }: FeedListOptions,
  record: ScheduleRecord,
): Promise<ScheduleView> {
  const { id, cron, timeZone, madeBy, state, progress, result, succeededAtMs } = record;
  const { locks, memory, clock } = connection;
  const health = readScheduleHealth(record, { nowMs: clock.now() });
  const holder = await (madeBy === "command" ? locks.scheduleHolder(id) : locks.schedulesHolder());
  const isServed = holder !== undefined;
  // In the queue of a server a time is begun before a worker has a place for it.
  const job = memory.jobs.isShared ? await memory.jobs.read({ kind: "sync", key: id }) : undefined;
  const isUnderWay = memory.jobs.isShared ? job?.isTaken === true : isServed;
  const isBegun = progress?.state === "begun" && result?.dueMs !== progress.dueMs;
  return {
    id,
    timesText: describeTimes(cron, lang),
    cron,
    timeZone,
    madeBy,
    owner: toOwnerView(record),
    isPaused: state === "paused",
    isShadow: isShadow(record),
    isRunning: isRunning(id) || (isBegun && isUnderWay),
    isServed,
    nextAt: state === "paused" ? null : toOptionalIso(readNextStart(connection, record)),
    triedAt: toOptionalIso(result?.endedAtMs),
    problem: toProblem(record, lang),
    succeededAt: toOptionalIso(succeededAtMs),
    dataAt: toOptionalIso(await openFeedForm(connection, record.feed).readTime()),
    health: {
      isHealthy: health.isHealthy,
      unhealthyAt: toIso(health.unhealthyAtMs),
      failuresInRow: health.failuresInRow,
    },
    ...readQuestions(record),
    options: fromSyncOptions(parseSyncOptions(record.options)),
  };
}

const toOwnerView = ({ owner }: ScheduleRecord): ScheduleView["owner"] =>
  owner === undefined
    ? null
    : { person: owner.person, name: owner.name, isGone: owner.goneSinceMs !== undefined };

/** What the last sync was refused for that a person can answer. */
const readQuestions = ({
  madeBy,
  result,
}: ScheduleRecord): Pick<ScheduleView, "isAsking" | "doubt"> => ({
  isAsking: madeBy === "page" && ASKING.has(result?.code ?? ""),
  doubt: DOUBTS.get(result?.code ?? "") ?? null,
});

/** Refusals of a feed whose cause the form of its schedule asks about. */
const ASKING: ReadonlySet<string> = new Set([
  "E_ENCODING_UNSURE",
  "E_RECORD_CHOICE",
  "E_RECORD_UNKNOWN",
  "E_FEED_FEWER_COLUMNS",
  "E_FEED_FIELDS",
  "E_FILE_COLUMNS",
]);

/** Refusals of a feed that a person can overrule. */
const DOUBTS: ReadonlyMap<string, FeedDoubt> = new Map([
  ["E_FEED_FEW_ROWS", "few-rows"],
  ["E_FEED_ZERO_STOCK", "zero-stock"],
  ["E_FEED_MOVED_VALUES", "moved-values"],
  ["E_FEED_SHIFTED", "moved-values"],
  ["E_FEED_NEW_COLUMN", "moved-values"],
  ["E_FEED_CHANGED", "form"],
  ["E_FEED_NO_RULES", "no-rules"],
]);

/** Number of schedules whose syncs have not done their job for too long. */
export async function countUnhealthy({
  memory,
  clock,
}: Pick<Connection, "memory" | "clock">): Promise<number> {
  const nowMs = clock.now();
  const records = await memory.schedules.list();
  return records.filter((record) => !readScheduleHealth(record, { nowMs }).isHealthy).length;
}

function toProblem({ result }: ScheduleRecord, lang: Lang): Problem | null {
  if (result === undefined || result.code === null) return null;
  const { code, message, exit } = result;
  const text = (message ?? (exit === EXIT.nothingSent ? NONE_SENT[lang] : `(${exit})`)).replaceAll(
    LIST_MARK,
    " ",
  );
  return { code, message: plainText(text) };
}

/** The run of the sync has the reasons. */
const NONE_SENT: Localized = {
  tr: "satırların hiçbiri gönderilemedi; nedenleri raporunda.",
  en: "none of the rows could be sent; the report has the reasons.",
};

/** What a terminal puts in front of an issue and its advice: a mark and a cell, or an arrow. */
const LIST_MARK = /\n *(?:✗ [A-Z]{0,3}\d* +|→ )/gu;

const toIso = (ms: number): string => new Date(ms).toISOString();

const toOptionalIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : toIso(ms);
