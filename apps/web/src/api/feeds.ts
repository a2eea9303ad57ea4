/** Feeds: files and addresses from which stock and prices are synced, and their schedules. */

import { z } from "zod";

import type { Problem } from "./problem.ts";

/** A feed, with its schedule and its latest run. */
export interface FeedView {
  readonly key: string;
  /** The name of the file, or the address without its secret parts. */
  readonly name: string;
  /** The whole path; the same as the name for an address and where it is not known. */
  readonly place: string;
  /** `null` for a feed that was synced by hand. */
  readonly schedule: ScheduleView | null;
  /** `null` for a feed that was never read. */
  readonly run: FeedRunView | null;
}

/** The latest run of a feed. */
export interface FeedRunView {
  readonly id: string;
  readonly at: string;
  /** The state in words. */
  readonly stateText: string;
  readonly updated: number;
  readonly held: number;
  readonly failed: number;
}

/** When a feed is synced, and how that goes. */
export interface ScheduleView {
  readonly id: string;
  /** The times in words. */
  readonly timesText: string;
  readonly cron: string;
  readonly timeZone: string;
  /** Schedules of a command can be paused here, and are changed there. */
  readonly madeBy: "command" | "page";
  readonly isPaused: boolean;
  readonly isRunning: boolean;
  /** Whether a program is open that starts it. */
  readonly isServed: boolean;
  /** The next start; `null` for a paused schedule. */
  readonly nextAt: string | null;
  /** When it was tried last, and why that failed; `null` where it did not. */
  readonly triedAt: string | null;
  readonly problem: Problem | null;
  /** When the feed was taken last. */
  readonly succeededAt: string | null;
  /** When the feed itself was changed last; `null` where that is not known. */
  readonly dataAt: string | null;
  readonly options: FeedOptions;
}

/** How a feed is read. An empty text stands for what the program finds out by itself. */
export interface FeedOptions {
  /** Names of sheets, with slashes between them. */
  readonly sheet: string;
  readonly decimal: "" | "comma" | "point";
  /** Unit of the prices in the store's listing. */
  readonly priceUnit: "" | "minor" | "major";
  /** An older feed is refused, in hours; 0 takes a feed of any age. */
  readonly maxAgeHours: number;
  /** Own server in a private network, as `host` or `host:port`. */
  readonly allowHost: string;
}

const short = z.string().max(200);

const optionsSchema: z.ZodType<FeedOptions> = z.object({
  sheet: z.string().max(2_000),
  decimal: z.enum(["", "comma", "point"]),
  priceUnit: z.enum(["", "minor", "major"]),
  maxAgeHours: z.number().int().min(0).max(10_000),
  allowHost: short,
});

const place = z.string().trim().min(1).max(4_000);

export interface FeedCheckBody {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly options: FeedOptions;
}

export const feedCheckBody: z.ZodType<FeedCheckBody> = z.object({
  feed: place,
  options: optionsSchema,
});

/** The beginning of a feed, as a sync would read it. */
export interface FeedSampleView {
  readonly name: string;
  /** When the file was last changed; `null` where that is not known. */
  readonly dataAt: string | null;
  readonly columns: readonly {
    readonly header: string;
    /** What is taken from the column, in words; `null` for one that is not used. */
    readonly label: string | null;
  }[];
  readonly rows: readonly (readonly string[])[];
}

export interface TimesBody {
  readonly cron: string;
  readonly timeZone: string;
}

const times = { cron: z.string().trim().min(1).max(100), timeZone: z.string().min(1).max(60) };

export const timesBody: z.ZodType<TimesBody> = z.object(times);

/** Times in words, and the first ones. */
export interface TimesView {
  readonly text: string;
  readonly next: readonly string[];
}

export interface NewScheduleBody extends TimesBody, FeedCheckBody {}

export const newScheduleBody: z.ZodType<NewScheduleBody> = z.object({
  ...times,
  feed: place,
  options: optionsSchema,
});

/** What changes in a schedule; its feed stays. */
export interface ScheduleBody extends TimesBody {
  readonly options: FeedOptions;
}

export const scheduleBody: z.ZodType<ScheduleBody> = z.object({
  ...times,
  options: optionsSchema,
});
