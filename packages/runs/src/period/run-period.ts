/**
 * The period of a run: when it is sent by itself, and when it is taken back by itself. Times are
 * those of a person's clock in a time zone, and are stored as moments.
 */

import { formatDateTime, InputError, type Lang, type Localized } from "@catalog/i18n";

/** When a run is sent and taken back. */
export interface RunPeriod {
  /** Zone of the clock by which the times were given. */
  readonly timeZone: string;
  /** @default it is sent at once, or by hand */
  readonly startAtMs?: number | undefined;
  /** @default it is not taken back by itself */
  readonly endAtMs?: number | undefined;
  /** What the end takes back, by the marketplace's names. @default all that the run has changed */
  readonly fields?: readonly string[] | undefined;
  /** When a person approved it. @default nobody has: it is a wish, and nothing happens by itself */
  readonly approvedAtMs?: number | undefined;
  /** When a process began to leave the sending to the queue. @default none has */
  readonly begunAtMs?: number | undefined;
  /** Whether the queue has got it. @default false */
  readonly isQueued?: boolean | undefined;
  /** Whether a person has taken back the start, so that the queue must not begin it. @default false */
  readonly isWithdrawn?: boolean | undefined;
  /** What the end came to. @default it is ahead, or under way */
  readonly end?: PeriodEnd | undefined;
  /** Why its end is carried out once more. @default it is carried out once */
  readonly again?: PeriodAgain | undefined;
}

/**
 * The end of another run has brought back values that this one had sent, and that its own end had left
 * alone, as those of the other run stood there.
 */
export interface PeriodAgain {
  readonly atMs: number;
  /** The run that has taken back the other one. */
  readonly undo: string;
  /** The runs that have taken back this one before, the first one first. */
  readonly before: readonly string[];
}

/** The end of a period that a process has carried out, or has found nothing to do for. */
export interface PeriodEnd {
  readonly atMs: number;
  /** The run that takes back the one of the period. @default nothing was to be taken back */
  readonly run?: string | undefined;
  /** Rows of which others have changed values, which stay. @default 0 */
  readonly kept?: number | undefined;
}

/** The times of a period as a person gives them. */
export interface PeriodWish {
  /** Such as `2026-12-01T09:00`; a day alone is its 00:00; `null` is at once. */
  readonly start: string | null;
  /** `null` is never. */
  readonly end: string | null;
  /** @default Europe/Istanbul */
  readonly timeZone?: string | undefined;
  readonly fields?: readonly string[] | undefined;
}

const MARKET_ZONE = "Europe/Istanbul";

interface ResolveOptions {
  readonly nowMs: number;
  /** The period that is changed: a time that stays as it is may have passed. @default a new one */
  readonly known?: RunPeriod | undefined;
}

/**
 * Resolves the times of a wish. Throws {@link InputError} for a time that is none, has passed, or
 * that the clock skips or shows twice, and for an end that is not after the start.
 */
export function resolvePeriod(wish: PeriodWish, { nowMs, known }: ResolveOptions): RunPeriod {
  const { timeZone = known?.timeZone ?? MARKET_ZONE, fields } = wish;
  const read = (text: string | null, knownMs: number | undefined): number | undefined => {
    if (text === null) return undefined;
    const atMs = parseLocalTime(text, timeZone);
    if (atMs <= nowMs && atMs !== knownMs) throw hasPassed(text);
    return atMs;
  };
  const startAtMs = read(wish.start, known?.startAtMs);
  const endAtMs = read(wish.end, known?.endAtMs);
  if ((endAtMs ?? Infinity) <= (startAtMs ?? -Infinity)) throw isReversed(wish);
  return {
    timeZone,
    ...(startAtMs !== undefined && { startAtMs }),
    ...(endAtMs !== undefined && { endAtMs }),
    ...(fields !== undefined && { fields }),
  };
}

const isReversed = ({ start, end }: PeriodWish): InputError =>
  new InputError({
    tr: `Geri alma zamanı (${end}) başlangıçtan (${start}) sonra olmalı.`,
    en: `The time of taking back (${end}) must be after the start (${start}).`,
  });

const hasPassed = (text: string): InputError =>
  new InputError({
    tr: `${text} geçmiş bir zaman. Gelecek bir zaman verin.`,
    en: `${text} has passed. Give a time that is ahead.`,
  });

/** Whether a wish or a period says anything. */
export const hasTimes = ({ startAtMs, endAtMs }: RunPeriod): boolean =>
  startAtMs !== undefined || endAtMs !== undefined;

/** Not the last year of four digits, of which a moment may fall into the next one elsewhere. */
const LOCAL_TIME =
  /^(?<year>(?!9999)\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2}))?$/u;

const DAY_MS = 86_400_000;

/**
 * The moment of a time on the clock of a zone. Throws {@link InputError} for what is no time, or is
 * none or two on that clock.
 */
export function parseLocalTime(text: string, timeZone: string): number {
  const groups = LOCAL_TIME.exec(text.trim())?.groups;
  if (groups === undefined) throw notTime(text);
  const { year, month, day, hour = "00", minute = "00" } = groups;
  const wanted = `${year}-${month}-${day}T${hour}:${minute}`;
  const asUtcMs = Date.parse(`${wanted}:00Z`);
  // A day that the calendar does not have, such as 31 June, is no time, or another one.
  if (Number.isNaN(asUtcMs) || formatLocalTime(asUtcMs, "UTC") !== wanted) throw notTime(text);
  // The offset of the moment is that of a day before or after it: no clock changes twice in two days.
  const found = new Set(
    [asUtcMs - DAY_MS, asUtcMs + DAY_MS]
      .map((nearMs) => asUtcMs - offsetAt(nearMs, timeZone))
      .filter((atMs) => formatLocalTime(atMs, timeZone) === wanted),
  );
  const [atMs, second] = found;
  if (atMs !== undefined && second === undefined) return atMs;
  const isSkipped = atMs === undefined;
  throw new InputError({
    tr: `${text} ${timeZone} saatinde ${isSkipped ? "yok: saatler ileri alınıyor" : "iki kez geçiyor: saatler geri alınıyor"}. Başka bir saat verin.`,
    en: `${text} ${isSkipped ? "does not exist" : "comes twice"} in ${timeZone}: the clocks ${isSkipped ? "go forward" : "go back"}. Give another hour.`,
  });
}

const notTime = (text: string): InputError =>
  new InputError({
    tr: `"${text}" bir tarih ve saat değil. Örneğin: 2026-12-07T00:00 (saatsiz tarih o günün 00.00'ıdır).`,
    en: `"${text}" is no date and time. For example: 2026-12-07T00:00 (a date alone is 00:00 of that day).`,
  });

const offsetAt = (atMs: number, timeZone: string): number =>
  Date.parse(`${formatLocalTime(atMs, timeZone)}:00Z`) - Math.floor(atMs / 60_000) * 60_000;

/** The moment on the clock of the zone, such as `2026-12-07T00:00`. Throws {@link InputError} for an unknown zone. */
export function formatLocalTime(atMs: number, timeZone: string): string {
  const parts = Object.fromEntries(
    openFormat(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const { year = "", month, day, hour, minute } = parts;
  return `${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}`;
}

function openFormat(timeZone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  const shown = { year: "numeric", month: two, day: two, hour: two, minute: two } as const;
  try {
    return new Intl.DateTimeFormat("en", { ...shown, timeZone, hourCycle: "h23" });
  } catch (error) {
    const message = {
      tr: `"${timeZone}" bilinen bir saat dilimi değil. Örneğin: Europe/Istanbul.`,
      en: `"${timeZone}" is no known time zone. For example: Europe/Istanbul.`,
    };
    throw new InputError(message, { cause: error });
  }
}

/** A time of a period in words, always with the day of the week and the hour. */
export function formatPeriodTime(atMs: number, timeZone: string, lang: Lang): string {
  const shown = formatDateTime(atMs, lang, { dateStyle: "full", timeStyle: "short", timeZone });
  return timeZone === MARKET_ZONE ? shown : `${shown} (${timeZone})`;
}

/**
 * - `proposed`: nobody has approved it; nothing happens by itself.
 * - `scheduled`: it is approved, and the sending has not begun.
 * - `started`: it had a start only, which is over.
 * - `open`: the run is being sent or was, and its end is ahead.
 * - `late`: its start or its end has passed, and nothing has come of it.
 * - `ending`: the run is being taken back; a failed attempt is made again.
 * - `ended`: all that could be taken back was.
 * - `left`: rows stay that were changed since, that are held or that failed.
 * - `idle`: there was nothing to take back.
 * - `failed`: a person must decide how taking it back goes on.
 */
export type PeriodState =
  | "proposed"
  | "scheduled"
  | "started"
  | "open"
  | "late"
  | "ending"
  | "ended"
  | "left"
  | "idle"
  | "failed";

/** States in which something needs a person. */
const UNHEALTHY: ReadonlySet<PeriodState> = new Set(["late", "left", "failed"]);

/** What the state of a period depends on, besides the period. */
export interface PeriodFacts {
  readonly nowMs: number;
  /** State of the run. */
  readonly run: "planning" | "planned" | "running" | "stopped" | "finished";
  /** The run that takes it back, once it is planned. @default none is */
  readonly undo?:
    | {
        readonly isFinished: boolean;
        /** Rows that it has changed, and those that are held, refused, unknown or given up. */
        readonly updated: number;
        readonly failed: number;
      }
    | undefined;
}

/** The state of a period, and the numbers that its sentence names. */
export interface JudgedPeriod {
  readonly state: PeriodState;
  /** Whether nothing needs a person. */
  readonly isHealthy: boolean;
  /** What it is late with, and since when. */
  readonly late?: { readonly of: "start" | "end"; readonly sinceMs: number } | undefined;
  /** Rows that stay as others have changed them, and rows that are held or failed. */
  readonly kept: number;
  readonly failed: number;
  readonly restored: number;
}

/** A start or an end is late after this time; until then a process may still begin it. */
const LATE_MS = 10 * 60_000;

/** Judges how a period fares. */
export function judgePeriod(period: RunPeriod, facts: PeriodFacts): JudgedPeriod {
  const judged = judgeState(period, facts);
  return { ...judged, isHealthy: !UNHEALTHY.has(judged.state) };
}

function judgeState(period: RunPeriod, facts: PeriodFacts): Omit<JudgedPeriod, "isHealthy"> {
  const { undo } = facts;
  const counts = {
    kept: period.end?.kept ?? 0,
    failed: undo?.failed ?? 0,
    restored: undo?.updated ?? 0,
  };
  if (period.approvedAtMs === undefined) return { ...counts, state: "proposed" };
  if (period.end !== undefined) return { ...counts, state: judgeEnd(period.end, facts) };
  return { ...counts, ...judgeOpen(period, facts) };
}

function judgeEnd({ run, kept = 0 }: PeriodEnd, { undo }: PeriodFacts): PeriodState {
  if (run === undefined || undo === undefined) return "idle";
  if (!undo.isFinished) return "failed";
  if (kept + undo.failed > 0) return "left";
  return undo.updated === 0 ? "idle" : "ended";
}

function judgeOpen(period: RunPeriod, facts: PeriodFacts): Pick<JudgedPeriod, "state" | "late"> {
  const { endAtMs, again } = period;
  const { nowMs, run } = facts;
  if (endAtMs !== undefined && nowMs >= endAtMs) {
    const sinceMs = Math.max(endAtMs, again?.atMs ?? 0);
    if (nowMs - sinceMs <= LATE_MS) return { state: "ending" };
    return { state: "late", late: { of: "end", sinceMs } };
  }
  if (run === "planned" || run === "planning") return judgeStart(period, facts);
  return { state: endAtMs === undefined ? "started" : "open" };
}

function judgeStart(
  { startAtMs = Infinity, isWithdrawn = false }: RunPeriod,
  { nowMs }: PeriodFacts,
): Pick<JudgedPeriod, "state" | "late"> {
  const isLate = nowMs - startAtMs > LATE_MS && !isWithdrawn;
  return isLate
    ? { state: "late", late: { of: "start", sinceMs: startAtMs } }
    : { state: "scheduled" };
}

/** When a process must next look at a period; `undefined` where nothing is to be done any more. */
export function nextOfPeriod(period: RunPeriod): number | undefined {
  const { approvedAtMs, startAtMs, endAtMs, isQueued, isWithdrawn, end } = period;
  if (approvedAtMs === undefined || end !== undefined) return undefined;
  const isStartAhead = startAtMs !== undefined && isQueued !== true && isWithdrawn !== true;
  const ahead = [isStartAhead ? startAtMs : undefined, endAtMs].filter((ms) => ms !== undefined);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

/** The period and its state in one sentence. */
export function describePeriod(period: RunPeriod, judged: JudgedPeriod, nowMs: number): Localized {
  return {
    tr: describeIn("tr", period, judged, nowMs),
    en: describeIn("en", period, judged, nowMs),
  };
}

function describeIn(
  lang: Lang,
  { startAtMs, endAtMs, timeZone, isWithdrawn, end, again }: RunPeriod,
  judged: JudgedPeriod,
  nowMs: number,
): string {
  const texts = TEXTS[lang];
  const time = (atMs: number | undefined): string | undefined =>
    atMs === undefined ? undefined : formatPeriodTime(atMs, timeZone, lang);
  const [start, until] = [isWithdrawn === true ? undefined : time(startAtMs), time(endAtMs)];
  const dueMs = Math.max(endAtMs ?? Infinity, again?.atMs ?? 0);
  const lateBy = end === undefined ? 0 : end.atMs - dueMs;
  const late = lateBy > LATE_MS ? texts.lateBy(toHours(lateBy, lang)) : "";
  const at = time(end?.atMs) ?? "";
  const { of, sinceMs } = judged.late ?? { of: "end", sinceMs: nowMs };
  const sentences: Readonly<Record<PeriodState, () => string>> = {
    proposed: () => texts.proposed(start, until),
    scheduled: () => texts.scheduled(start, until),
    started: () => texts.started(start ?? ""),
    open: () => texts.open(until ?? ""),
    late: () => texts.late[of](time(sinceMs) ?? "", toHours(nowMs - sinceMs, lang)),
    ending: () => texts.ending(until ?? ""),
    ended: () => `${texts.ended(at, judged.restored)}${late}`,
    left: () => `${texts.left(at, judged)}${late}`,
    idle: () => texts.idle(at),
    failed: () => texts.failed(end?.run ?? ""),
  };
  return sentences[judged.state]();
}

const HOUR_MS = 3_600_000;

function toHours(ms: number, lang: Lang): string {
  if (ms < HOUR_MS)
    return `${Math.max(1, Math.floor(ms / 60_000))} ${lang === "tr" ? "dk" : "min"}`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} ${lang === "tr" ? "saat" : "h"}`;
  return `${Math.floor(ms / DAY_MS)} ${lang === "tr" ? "gün" : "days"}`;
}

interface PeriodTexts {
  readonly proposed: (start: string | undefined, end: string | undefined) => string;
  readonly scheduled: (start: string | undefined, end: string | undefined) => string;
  readonly started: (start: string) => string;
  readonly open: (end: string) => string;
  readonly late: Readonly<Record<"start" | "end", (time: string, by: string) => string>>;
  readonly ending: (end: string) => string;
  readonly ended: (at: string, rows: number) => string;
  readonly left: (at: string, rows: Pick<JudgedPeriod, "kept" | "failed" | "restored">) => string;
  readonly idle: (at: string) => string;
  readonly failed: (run: string) => string;
  readonly lateBy: (by: string) => string;
}

const timesTr = (start: string, end: string | undefined): string =>
  `Gönderilecek: ${start}.${end === undefined ? "" : ` Geri alınacak: ${end}.`}`;

const rowsEn = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

const TEXTS: Readonly<Record<Lang, PeriodTexts>> = {
  tr: {
    proposed: (start, end) => `Onaylanınca geçerli olur. ${timesTr(start ?? "hemen", end)}`,
    scheduled: (start, end) => timesTr(start ?? "elle", end),
    started: (start) => `Gönderim zamanı: ${start}; başladı.`,
    open: (end) => `Geri alınacak: ${end}.`,
    late: {
      start: (time, by) => `Gönderim zamanı ${time} idi; ${by} geçti, gönderilmedi.`,
      end: (time, by) => `Geri alma zamanı ${time} idi; ${by} geçti, geri alınmadı.`,
    },
    ending: (end) => `Geri alma zamanı geldi (${end}); geri alınıyor.`,
    ended: (at, rows) => `Geri alındı: ${at}, ${rows} satır.`,
    left: (at, { kept, failed, restored }) =>
      [
        `Geri alma: ${at}, ${restored} satır geri alındı`,
        kept > 0 ? `${kept} satır o zamandan beri yeniden değişmiş, dokunulmadı` : "",
        failed > 0 ? `${failed} satır geri alınamadı` : "",
      ]
        .filter((part) => part !== "")
        .join("; ")
        .concat("."),
    idle: (at) => `Geri alma: ${at}; geri alınacak bir şey yoktu.`,
    failed: (run) => `Geri alma kendini durdurdu, kararınızı bekliyor: catalog runs ${run}`,
    lateBy: (by) => ` ${by} gecikti.`,
  },
  en: {
    proposed: (start, end) =>
      `Once approved, it is sent ${start === undefined ? "at once" : `on ${start}`}${end === undefined ? "" : ` and taken back on ${end}`}.`,
    scheduled: (start, end) =>
      `It is sent ${start === undefined ? "when a person sends it" : `on ${start}`}${end === undefined ? "" : ` and taken back on ${end}`}.`,
    started: (start) => `It was set to be sent on ${start}, and has begun.`,
    open: (end) => `It is taken back on ${end}.`,
    late: {
      start: (time, by) => `It should have been sent on ${time}; it is ${by} late.`,
      end: (time, by) => `It should have been taken back on ${time}; it is ${by} late.`,
    },
    ending: (end) => `${end} has come; it is being taken back.`,
    ended: (at, rows) => `Taken back on ${at} (${rowsEn(rows)}).`,
    left: (at, { kept, failed, restored }) =>
      `On ${at} ${rowsEn(restored)} ${restored === 1 ? "was" : "were"} taken back; ${[kept > 0 ? `${rowsEn(kept)} changed since and stayed` : "", failed > 0 ? `${rowsEn(failed)} could not be` : ""].filter((part) => part !== "").join(", ")}.`,
    idle: (at) => `Looked at on ${at}; there was nothing to take back.`,
    failed: (run) =>
      `Taking it back stopped itself and waits for your decision: catalog runs ${run}`,
    lateBy: (by) => ` It was ${by} late.`,
  },
};
