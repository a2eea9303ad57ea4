/** Feeds: files and addresses from which stock and prices are synced, and their schedules. */

import type { FeedSample } from "@catalog/importer/feed-views";
import { z } from "zod";

import type { Shown } from "./drafts.ts";
import type { Problem } from "./session.ts";

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

export interface FeedRunView {
  readonly id: string;
  readonly at: string;
  /** The state in words. */
  readonly stateText: string;
  readonly updated: number;
  readonly held: number;
  readonly failed: number;
  /** Whether nothing of it was sent: the numbers say what would have been. */
  readonly isDryRun: boolean;
}

/** One sync of a feed, or several in a row that found it unchanged. */
export interface FeedSyncView {
  readonly kind: "sync" | "dry-run" | "shadow" | "refused" | "unchanged";
  readonly at: string;
  /** `null` where it was cut off, or is going on. */
  readonly endAt: string | null;
  readonly times: number;
  /** Its run; `null` where the feed was unchanged. */
  readonly run: string | null;
  /** When the feed was written; `null` where that is not known. */
  readonly dataAt: string | null;
  /** Why the feed was refused; `null` where it was not. */
  readonly problem: string | null;
  readonly counts: Readonly<
    Record<"rows" | "updated" | "unchanged" | "held" | "failed", number>
  > | null;
}

export interface FeedHistoryView {
  /** The newest first. */
  readonly syncs: readonly FeedSyncView[];
  readonly hasMore: boolean;
}

/** A change that a schedule in shadow would have sent or held. */
interface ShadowChangeView {
  readonly code: string;
  readonly field: string;
  readonly old: string;
  readonly new: string;
  readonly isHeld: boolean;
  readonly reason: string;
  /** When the first and the last sync of the day planned it. */
  readonly first: string;
  readonly last: string;
}

/** One day in shadow. */
export interface ShadowDayView {
  readonly day: string;
  readonly syncs: number;
  /** Products of which something would have been sent, and those with something held. */
  readonly updated: number;
  readonly held: number;
  readonly wrong: number;
  readonly refused: readonly { readonly at: string; readonly message: string }[];
  readonly changes: readonly ShadowChangeView[];
  /** Number of further changes. */
  readonly more: number;
}

export interface ShadowView {
  readonly isShadow: boolean;
  /** The newest first. */
  readonly days: readonly ShadowDayView[];
  /** What going live sends, if feed and store stay as they are; `null` before the first plan. */
  readonly plan: (ShadowDayView & { readonly at: string }) | null;
}

export interface ScheduleOwnerView {
  readonly person: number;
  readonly name: string;
  /** Whether the person may not approve in the store any more. */
  readonly isGone: boolean;
}

/** When a feed is synced, and how that goes. */
export interface ScheduleView {
  readonly id: string;
  readonly timesText: string;
  readonly cron: string;
  readonly timeZone: string;
  /** The person of a server who answers for it; `null` for one that was added at a terminal. */
  readonly owner: ScheduleOwnerView | null;
  /** Schedules of a command can be paused here, and are changed there. */
  readonly madeBy: "command" | "page";
  readonly isPaused: boolean;
  /** Whether it sends nothing, and shows what it would send. */
  readonly isShadow: boolean;
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
  readonly health: ScheduleHealthView;
  /** Whether the last sync was refused for what the form of the schedule asks. */
  readonly isAsking: boolean;
  /** What a person can allow where the last sync was refused for it; `null` where it was not. */
  readonly doubt: FeedDoubt | null;
  readonly options: FeedOptions;
}

/** Why a feed was refused that may be right all the same. */
export type FeedDoubt = "few-rows" | "zero-stock" | "moved-values" | "no-rules" | "form";

/** Whether syncs do their job: most of the rows were sent or needed no sending. */
interface ScheduleHealthView {
  readonly isHealthy: boolean;
  /** From this time on it is unhealthy, unless a sync does its job before. */
  readonly unhealthyAt: string;
  /** Syncs since the last success that did not do their job. */
  readonly failuresInRow: number;
}

export interface FeedAlarmView {
  readonly unhealthy: number;
}

/** How a feed is read. An empty text stands for what the program finds out by itself. */
export interface FeedOptions {
  /** Names of sheets, with slashes between them. */
  readonly sheet: string;
  /** Path of the records of XML or JSON. */
  readonly record: string;
  /** Encoding of a text file, such as `windows-1254`. */
  readonly encoding: string;
  /** What columns are: the key of a field by header, or `-` for one that is not taken. */
  readonly columns: Readonly<Record<string, string>>;
  readonly decimal: "" | "comma" | "point";
  /** Unit of the prices in the store's listing. */
  readonly priceUnit: "" | "minor" | "major";
  /** An older feed is refused, in hours; 0 takes a feed of any age. */
  readonly maxAgeHours: number;
  /** What becomes of products that the store does not have. */
  readonly adds: "never" | "draft" | "send";
  /** What becomes of products that the feed names no more. */
  readonly absent: "keep" | "zero" | "hold";
  /** Own server in a private network, as `host` or `host:port`. */
  readonly allowHost: string;
  /** Whether nothing is sent, and what would be is shown. */
  readonly isShadow: boolean;
}

const short = z.string().max(200);

export const optionsSchema: z.ZodType<FeedOptions> = z.object({
  sheet: z.string().max(2_000),
  record: z.string().max(2_000).default(""),
  encoding: z.string().max(40),
  columns: z.record(z.string().min(1).max(1_000), z.string().min(1).max(100)),
  decimal: z.enum(["", "comma", "point"]),
  priceUnit: z.enum(["", "minor", "major"]),
  maxAgeHours: z.number().int().min(0).max(10_000),
  adds: z.enum(["never", "draft", "send"]).default("never"),
  absent: z.enum(["keep", "zero", "hold"]).default("keep"),
  allowHost: short,
  isShadow: z.boolean().default(false),
});

export const feedPlace: z.ZodString = z.string().trim().min(1).max(4_000);

/** The login of an address; it is stored, and never shown again. */
export interface FeedLoginBody {
  readonly kind: "basic" | "bearer" | "header";
  /** The user, or the name of the header; empty for a token. */
  readonly name: string;
  readonly secret: string;
  /** Fingerprint by which an SFTP server is known; empty for other servers. */
  readonly hostKey: string;
}

interface WithLogin {
  /** @default the stored login, if there is one */
  readonly login?: FeedLoginBody | null | undefined;
}

export const feedLogin: z.ZodType<FeedLoginBody | null | undefined> = z
  .object({
    kind: z.enum(["basic", "bearer", "header"]),
    name: short,
    secret: z.string().min(1).max(8_000),
    hostKey: short,
  })
  .nullish();

export interface FeedCheckBody extends WithLogin {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly options: FeedOptions;
}

export type FeedSampleView = Shown<FeedSample>;
export type FeedColumnView = FeedSampleView["columns"][number];

/** A folder, or a file that a sync can read. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  /** When the file was last changed; `null` for a folder. */
  readonly at: string | null;
}

/** A folder of this computer, for choosing a feed. */
export interface FolderView {
  readonly folder: string;
  /** `null` for the topmost one. */
  readonly parent: string | null;
  /** Folders first. */
  readonly entries: readonly FolderEntry[];
  /** Files and folders that were used before, the newest first. */
  readonly recent: readonly { readonly name: string; readonly path: string }[];
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

/** Fields that were removed from the feed on purpose: its next sync does not miss them. */
interface DroppedFields {
  readonly dropped: readonly string[];
}

const dropped = z.array(z.string().max(100)).max(20);

export interface NewScheduleBody extends TimesBody, FeedCheckBody, DroppedFields {}

export const newScheduleBody: z.ZodType<NewScheduleBody> = z.object({
  ...times,
  feed: feedPlace,
  options: optionsSchema,
  login: feedLogin,
  dropped,
});

/** What changes in a schedule; its feed stays. */
export interface ScheduleBody extends TimesBody, DroppedFields, WithLogin {
  readonly options: FeedOptions;
}

export const scheduleBody: z.ZodType<ScheduleBody> = z.object({
  ...times,
  options: optionsSchema,
  login: feedLogin,
  dropped,
});
