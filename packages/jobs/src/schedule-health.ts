/**
 * Says whether a schedule still does its job. A sync that took its feed and then held, refused or
 * could not read most of its rows has not: the store keeps selling what the feed does not have.
 */

import { z } from "zod";

import type { ScheduleRecord, ScheduleResult } from "./queue.ts";
import { openTimetable } from "./timetable.ts";

/** The flags of `catalog sync` that a schedule keeps. */
const SYNC_OPTIONS = [
  "absent",
  "adds",
  "allow",
  "allow-host",
  "decimal",
  "delimiter",
  "encoding",
  "feed-auth",
  "header-row",
  "host-key",
  "ignore-unknown-codes",
  "lang",
  "map",
  "max-age",
  "notify",
  "platform",
  "price-unit",
  "profile",
  "reconcile",
  "record",
  "report",
  "shadow",
  "sheet",
  "try-refused",
] as const;

/** When a schedule becomes unhealthy, in milliseconds; it is no option of a single sync. */
const UNHEALTHY_AFTER = "unhealthy-after";

/** Values by the names of the flags; a path is absolute, and a time is in milliseconds. */
export type SyncOptions = Partial<
  Readonly<
    Record<
      (typeof SYNC_OPTIONS)[number] | typeof UNHEALTHY_AFTER,
      string | number | boolean | readonly string[]
    >
  >
>;

const schema: z.ZodType<SyncOptions> = z.partialRecord(
  z.enum([...SYNC_OPTIONS, UNHEALTHY_AFTER]),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** Reads stored options. Throws a `ZodError` for what no version of this program has stored. */
export const parseSyncOptions = (stored: unknown): SyncOptions => schema.parse(stored);

/** The options among the flags of a command line. */
export function toSyncOptions(flags: Readonly<Record<string, unknown>>): SyncOptions {
  const given = [...SYNC_OPTIONS, UNHEALTHY_AFTER].map((name) => [name, flags[name]] as const);
  return parseSyncOptions(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
}

/** The stored options that are flags of a single sync. Throws as {@link parseSyncOptions}. */
export function toSyncFlags(stored: unknown): SyncOptions {
  const { [UNHEALTHY_AFTER]: _, ...flags } = parseSyncOptions(stored);
  return flags;
}

/** Whether the syncs of a schedule only show what they would send. */
export const isShadow = ({ options }: Pick<ScheduleRecord, "options">): boolean =>
  parseSyncOptions(options).shadow === true;

/** After how many milliseconds without a sync a schedule is unhealthy; `undefined` for no answer. */
function readUnhealthyAfterMs(stored: unknown): number | undefined {
  const { [UNHEALTHY_AFTER]: after } = parseSyncOptions(stored);
  return typeof after === "number" ? after : undefined;
}

const WORD = "schedule:";

/** The word that stands for the feed of a schedule, so that no address is on a command line. */
export const toScheduleWord = (id: string): string => `${WORD}${id}`;

/** Id of the schedule that a word names; `undefined` for a path or an address. */
export const readScheduleWord = (word: string): string | undefined =>
  word.startsWith(WORD) ? word.slice(WORD.length) : undefined;

/** Counts of the rows of a sync, as far as its success depends on them. */
const countsSchema = z.object({
  rows: z.number(),
  /** Rows that a sync in shadow would have sent; any other sync with some has another exit code. */
  pending: z.number().default(0),
  updated: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
});

const ALL_DONE = 0;
const SOME_LEFT = 5;

/**
 * Whether a sync has done its job: all rows, or more than half of them, were sent or needed no
 * sending. `counts` are those of its document; a sync that rested on an unchanged feed has no rows.
 */
export function hasDoneItsJob(exit: number, counts: unknown): boolean {
  if (exit === ALL_DONE) return true;
  if (exit !== SOME_LEFT) return false;
  const known = countsSchema.safeParse(counts).data;
  if (known === undefined) return true;
  const { updated, pending, unchanged, skipped } = known;
  return updated + pending + unchanged + skipped > known.rows / 2;
}

/**
 * The result with the number of syncs in a row that did not do their job. A feed that was not read
 * has the fields and the run that it had before.
 */
export function countFailures(
  before: ScheduleResult | undefined,
  result: Omit<ScheduleResult, "failures">,
  isGood: boolean,
): ScheduleResult {
  const fields = result.fields ?? before?.fields;
  const latestRun = result.run ?? before?.latestRun;
  const known = { ...result, fields, latestRun };
  if (isGood) return { ...known, failures: 0 };
  const failures = (before?.failures ?? 0) + 1;
  const failingSinceMs = failures === 1 ? result.dueMs : before?.failingSinceMs;
  return { ...known, failures, ...(failingSinceMs !== undefined && { failingSinceMs }) };
}

/**
 * The order of syncs that are due at the same time: stock before price, as a product that is sold
 * out must not be sold on. A feed that was never accepted may give both.
 */
export const rankOfFeed = ({ result }: Pick<ScheduleRecord, "result">): number =>
  result?.fields === undefined || result.fields.includes("stock") ? 0 : 1;

/** How a schedule fares. */
export interface ScheduleHealth {
  readonly isHealthy: boolean;
  /** When it becomes unhealthy unless a sync does its job before, in milliseconds since 1970. */
  readonly unhealthyAtMs: number;
  /** When a sync last did its job; `undefined` for never. */
  readonly succeededAtMs: number | undefined;
  /** Syncs since then that did not. */
  readonly failuresInRow: number;
}

/**
 * Judges a schedule at a time: by the time that it was given without a good sync, or twice the
 * longest time between its next syncs and 15 minutes. The time of one that a person has paused does
 * not run out.
 */
export function readScheduleHealth(
  schedule: Pick<
    ScheduleRecord,
    "cron" | "timeZone" | "state" | "options" | "result" | "succeededAtMs" | "createdAtMs"
  >,
  { nowMs }: { readonly nowMs: number },
): ScheduleHealth {
  const { state, result, succeededAtMs, createdAtMs } = schedule;
  const givenMs = readUnhealthyAfterMs(schedule.options);
  const afterMs = givenMs ?? 2 * findLongestGap(schedule, nowMs) + GRACE_MS;
  const sinceMs = state === "paused" ? nowMs : (succeededAtMs ?? createdAtMs);
  const unhealthyAtMs = sinceMs + afterMs;
  return {
    isHealthy: nowMs < unhealthyAtMs,
    unhealthyAtMs,
    succeededAtMs,
    failuresInRow: result?.failures ?? 0,
  };
}

const GRACE_MS = 900_000;

/** Times looked at: enough for the weekend of a pattern that names the days of the week. */
const TIMES = 8;

const DAY_MS = 86_400_000;

function findLongestGap(
  { cron, timeZone }: Pick<ScheduleRecord, "cron" | "timeZone">,
  nowMs: number,
): number {
  const timetable = openTimetable(cron, timeZone);
  const times = timetable?.list(nowMs, TIMES) ?? [];
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return gaps.length === 0 ? DAY_MS : Math.max(...gaps);
}
