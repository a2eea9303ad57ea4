/**
 * What the syncs of a feed in shadow would have changed and held, day by day. A change that several
 * syncs of a day planned is listed once, with the times of the first and the last of them.
 */

import { type Connection, fieldLabel } from "@catalog/connection";
import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";
import { createReadFieldTexts, type FieldTexts } from "@catalog/report";
import {
  countFileRows,
  readAllRows,
  type RowRecord,
  type RunRecord,
  sendsStock,
  toCounts,
} from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxColumn } from "@catalog/sheets";

import { readPricesStamp } from "../pricing/price-rules.ts";
import { feedKey } from "./feed-name.ts";

/** A change of one field of a product. */
export interface ShadowChange {
  readonly code: string | null;
  /** Key of the field. */
  readonly field: string;
  /** The values as they are stored, prices in minor units. */
  readonly old: unknown;
  readonly new: unknown;
  readonly oldText: string;
  readonly newText: string;
  readonly isHeld: boolean;
  /** Why it would have been held. */
  readonly reasons: readonly Localized[];
  /** When the first and the last sync planned it, in milliseconds since 1970. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Number of syncs that did. */
  readonly syncs: number;
}

/** A sync that would not have taken its feed. */
interface RefusedShadow {
  readonly atMs: number;
  readonly code: string;
  readonly message: Localized;
}

/** One day of a schedule in shadow. */
export interface ShadowDay {
  /** Such as `2026-11-29`, in the time zone of the schedule. */
  readonly day: string;
  readonly syncs: number;
  readonly refused: readonly RefusedShadow[];
  /** Products of which something would have been sent, and those with something held. */
  readonly updated: number;
  readonly held: number;
  /** The highest number of invalid and repeated rows in one sync. */
  readonly wrong: number;
  readonly changes: readonly ShadowChange[];
}

/** The last plan of a shadow: what going live sends, if feed and store stay as they are. */
export interface ShadowPlanView {
  readonly run: RunRecord;
  readonly day: ShadowDay;
}

interface ShadowOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly timeZone: string;
  readonly lang: Lang;
}

/** Runs of the history that are looked at: a week of a sync every five minutes. */
const MAX_RUNS = 2_100;

const isShadowRun = ({ progress }: RunRecord): boolean => progress.sync?.isShadow === true;

const toDay = (ms: number, timeZone: string): string =>
  formatDateTime(ms, "en", { dateStyle: "short", timeZone });

/** Reads the days of a shadow, the newest first. */
export async function readShadowDays(
  connection: Connection,
  { sinceMs, ...options }: ShadowOptions & { readonly sinceMs: number },
): Promise<readonly ShadowDay[]> {
  const runs = (await connection.runs.list(MAX_RUNS, { feed: feedKey(options.feed) })).filter(
    (run) => isShadowRun(run) && run.createdAtMs >= sinceMs,
  );
  const days: ShadowDay[] = [];
  const byDay = Map.groupBy(runs, ({ createdAtMs }) => toDay(createdAtMs, options.timeZone));
  for (const [day, some] of byDay) days.push(await readDay(connection, options, day, some));
  return days;
}

/** Reads the last plan; `undefined` where no sync in shadow has made one with the present price rules. */
export async function readShadowPlan(
  connection: Connection,
  options: ShadowOptions,
): Promise<ShadowPlanView | undefined> {
  const runs = await connection.runs.list(MAX_RUNS, { feed: feedKey(options.feed) });
  const run = runs.find((one) => isShadowRun(one) && one.facts !== null);
  if (run === undefined || run.progress.prices !== (await readPricesStamp(connection)))
    return undefined;
  const day = toDay(run.createdAtMs, options.timeZone);
  return { run, day: await readDay(connection, options, day, [run]) };
}

/** The syncs of a day that planned the same. */
interface SamePlans {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly syncs: number;
}

async function readDay(
  connection: Connection,
  { lang }: ShadowOptions,
  day: string,
  runs: readonly RunRecord[],
): Promise<ShadowDay> {
  const planned = runs.filter(({ facts }) => facts !== null).toReversed();
  const list = createChangeList();
  for (const [runId, times] of joinSame(planned)) {
    const run = await connection.runs.read(runId);
    if (run === undefined) continue;
    const readTexts = createReadFieldTexts(connection, run);
    const states = ["ready", "held"] as const;
    for await (const rows of readAllRows(connection.journal, runId, { states })) {
      for (const row of rows) list.add(row, { texts: await readTexts(row), times, lang });
    }
  }
  const wrong = await countWrong(connection, planned);
  return { day, syncs: runs.length, refused: listRefused(runs), wrong, ...list.read() };
}

/** The times of each plan, by the run that has its rows; the oldest run comes first. */
function joinSame(planned: readonly RunRecord[]): ReadonlyMap<string, SamePlans> {
  const plans = new Map<string, SamePlans>();
  for (const { id, createdAtMs: atMs, progress } of planned) {
    const runId = progress.sync?.sameAs ?? id;
    const { firstMs = atMs, syncs = 0 } = plans.get(runId) ?? {};
    plans.set(runId, { firstMs, lastMs: atMs, syncs: syncs + 1 });
  }
  return plans;
}

const listRefused = (runs: readonly RunRecord[]): readonly RefusedShadow[] =>
  runs
    .toReversed()
    .flatMap(({ createdAtMs: atMs, facts, warnings: [failure] }) =>
      facts === null && failure !== undefined
        ? [{ atMs, code: failure.code, message: failure.message }]
        : [],
    );

async function countWrong(
  { journal }: Pick<Connection, "journal">,
  planned: readonly RunRecord[],
): Promise<number> {
  let wrong = 0;
  for (const run of planned) {
    const counts = countFileRows(run, toCounts(await journal.countRows(run.id)));
    wrong = Math.max(wrong, counts.invalid + counts.duplicate);
  }
  return wrong;
}

interface ListedRow {
  readonly texts: FieldTexts;
  readonly times: SamePlans;
  readonly lang: Lang;
}

interface ChangeList {
  add(row: RowRecord, options: ListedRow): void;
  read(): Pick<ShadowDay, "updated" | "held" | "changes">;
}

function createChangeList(): ChangeList {
  const changes = new Map<string, ShadowChange>();
  const updated = new Set<string | null>();
  const held = new Set<string | null>();
  return {
    add(row, options) {
      for (const change of toChanges(row, options)) {
        (change.isHeld ? held : updated).add(change.code);
        const { code, field, isHeld } = change;
        const key = JSON.stringify([code, field, change.old ?? null, change.new, isHeld]);
        changes.set(key, joinTimes(changes.get(key), change));
      }
    },
    read: () => ({
      updated: updated.size,
      held: held.size,
      changes: [...changes.values()].toSorted((a, b) => a.firstMs - b.firstMs),
    }),
  };
}

const joinTimes = (known: ShadowChange | undefined, change: ShadowChange): ShadowChange =>
  known === undefined
    ? change
    : {
        ...change,
        firstMs: Math.min(known.firstMs, change.firstMs),
        lastMs: Math.max(known.lastMs, change.lastMs),
        syncs: known.syncs + change.syncs,
      };

/** Of a row that is held the stock may be sent all the same. */
function toChanges(row: RowRecord, { texts, times, lang }: ListedRow): readonly ShadowChange[] {
  const isStockSent = row.state === "held" && sendsStock(row);
  return row.changes.map(({ field, old, new: wanted }) => {
    const isHeld = row.state === "held" && !(isStockSent && field === "stock_count");
    return {
      code: row.code,
      field,
      old,
      new: wanted,
      oldText: texts.replaced(row, field, old, lang),
      newText: texts.sent(row, field, wanted, lang),
      isHeld,
      reasons: isHeld ? row.issues.map(({ message }) => message) : [],
      ...times,
    };
  });
}

const HEADERS = {
  day: { tr: "Gün", en: "Day" },
  first: { tr: "İlk", en: "First" },
  last: { tr: "Son", en: "Last" },
  syncs: { tr: "Eşitleme", en: "Syncs" },
  code: { tr: "Ürün Kodu", en: "Product Code" },
  field: { tr: "Alan", en: "Field" },
  old: { tr: "Eski Değer", en: "Old Value" },
  new: { tr: "Yeni Değer", en: "New Value" },
  would: { tr: "Ne olurdu", en: "Would Have Been" },
  reason: { tr: "Neden", en: "Reason" },
  refused: { tr: "Alınmayan", en: "Refused" },
  updated: { tr: "Güncellenecek ürün", en: "Products to Update" },
  held: { tr: "Bekletilecek ürün", en: "Products to Hold" },
  wrong: { tr: "Hatalı satır", en: "Wrong Rows" },
} as const satisfies Readonly<Record<string, Localized>>;

const WORDS = {
  sent: { tr: "Gönderilirdi", en: "Sent" },
  held: { tr: "Bekletilirdi", en: "Held" },
  changes: { tr: "Değişiklikler", en: "Changes" },
  days: { tr: "Günler", en: "Days" },
} as const satisfies Readonly<Record<string, Localized>>;

/** The columns of the changes, each with its width. */
const CHANGE_COLUMNS = [
  ["day", 12],
  ["first", 8],
  ["last", 8],
  ["syncs", 10],
  ["code", 22],
  ["field", 16],
  ["old", 16],
  ["new", 16],
  ["would", 14],
  ["reason", 60],
] as const;

const DAY_COLUMNS = ["day", "syncs", "updated", "held", "wrong", "refused", "reason"] as const;

interface ShadowWorkbookOptions extends Pick<ShadowOptions, "timeZone" | "lang"> {
  readonly path: string;
}

/** Writes the days as a workbook: all changes, and a sheet with the counts of each day. */
export async function writeShadowWorkbook(
  days: readonly ShadowDay[],
  { path, timeZone, lang }: ShadowWorkbookOptions,
): Promise<void> {
  const time = (ms: number): string => formatDateTime(ms, lang, { timeStyle: "short", timeZone });
  const changes = days.flatMap(({ day, changes: listed }) =>
    listed.map((change): readonly OutCell[] => [
      day,
      time(change.firstMs),
      time(change.lastMs),
      change.syncs,
      change.code,
      fieldLabel(change.field, lang),
      change.oldText,
      change.newText,
      WORDS[change.isHeld ? "held" : "sent"][lang],
      change.reasons.map((reason) => reason[lang]).join("\n"),
    ]),
  );
  const counted = days.map((day): readonly OutCell[] => [
    day.day,
    day.syncs,
    day.updated,
    day.held,
    day.wrong,
    day.refused.length,
    day.refused.map(({ atMs, message }) => `${time(atMs)} ${message[lang]}`).join("\n"),
  ]);
  const dayColumns = DAY_COLUMNS.map((of): XlsxColumn => {
    return { header: HEADERS[of][lang], wraps: of === "reason" };
  });
  await writeXlsx({
    path,
    sheets: [
      {
        name: WORDS.changes[lang],
        columns: CHANGE_COLUMNS.map(([of, width]): XlsxColumn => {
          const header = HEADERS[of][lang];
          if (of === "code") return { header, width, kind: "text" };
          return { header, width, wraps: of === "reason" };
        }),
        rows: toRows(changes),
      },
      { name: WORDS.days[lang], columns: dayColumns, rows: toRows(counted) },
    ],
  });
}

async function* toRows(rows: readonly (readonly OutCell[])[]): AsyncGenerator<readonly OutCell[]> {
  yield* rows;
}
