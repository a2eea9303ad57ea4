/** The options of a scheduled sync, as a schedule stores them. */

import { z } from "zod";

/** The flags of `catalog sync` that a schedule keeps. */
export const SYNC_OPTIONS = [
  "allow",
  "allow-host",
  "decimal",
  "delimiter",
  "encoding",
  "header-row",
  "ignore-unknown-codes",
  "lang",
  "map",
  "max-age",
  "notify",
  "platform",
  "price-unit",
  "profile",
  "reconcile",
  "report",
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

/** The stored options that are flags of a single sync. */
export const toSyncFlags = (stored: SyncOptions): SyncOptions =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => name !== UNHEALTHY_AFTER));

/** After how many milliseconds without a sync a schedule is unhealthy; `undefined` for no answer. */
export function readUnhealthyAfterMs(stored: unknown): number | undefined {
  const { [UNHEALTHY_AFTER]: after } = parseSyncOptions(stored);
  return typeof after === "number" ? after : undefined;
}

const WORD = "schedule:";

/** The word that stands for the feed of a schedule, so that no address is on a command line. */
export const toScheduleWord = (id: string): string => `${WORD}${id}`;

/** Id of the schedule that a word names; `undefined` for a path or an address. */
export const readScheduleWord = (word: string): string | undefined =>
  word.startsWith(WORD) ? word.slice(WORD.length) : undefined;
