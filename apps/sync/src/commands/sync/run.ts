/** Runs `catalog sync`, once or on a schedule, and posts what came of it to the address of `--notify`. */

import type { Connection } from "@catalog/connection";
import { EXIT, type Flags, UsageError, readFlag } from "@catalog/console";
import { isAddress } from "@catalog/i18n";
import {
  assertFeedAddress,
  assertFeedExists,
  createFeedFetch,
  nameOfFeed,
  parsePlatform,
} from "@catalog/importer";
import {
  type Post,
  readScheduleWord,
  resolvePostAddress,
  type ScheduleRecord,
  toSyncFlags,
} from "@catalog/jobs";
import { toVisibleText } from "@catalog/sheets/visible-text";

import type { CommandContext } from "../../context.ts";
import { ABSENT_POLICIES, ADD_POLICIES, allowedGuards, feedAuthFlag, rangeFlag } from "./flags.ts";
import { type Outcome, toOutcomeKeys } from "./outcome.ts";
import { runScheduleLoop } from "./schedule-loop.ts";
import type { Status } from "./status.ts";
import { type OnceOptions, syncOnce } from "./sync-once.ts";
import { textsFor } from "./texts.ts";

export async function runSyncCommand(
  context: CommandContext,
  flags: Flags,
  post: Post,
): Promise<number> {
  const scheduleId = readScheduleWord(readFlag.text(flags, "feed") ?? "");
  if (scheduleId !== undefined) return await runStored(context, flags, { scheduleId, post });
  const given = readOptions(context, flags);
  const schedule = readSchedule(context, flags);
  if (schedule !== undefined && given.trial === "once") {
    throw new UsageError({
      tr: "--dry-run bir kez çalışan eşitleme içindir; --every ile verilmez.",
      en: "--dry-run is for a single sync; it does not go with --every.",
    });
  }
  // A scheduled sync waits for its feed; of any other one a mistyped path is reported first.
  if (schedule === undefined) assertFeedExists(given.feed);
  const notifyOutcome = createNotifier(context, { flags, feed: given.feed, post });
  await using connection = await context.openConnection({
    concurrency: readFlag.concurrency(flags),
    requestsPerHour: rangeFlag(flags, "requests-per-hour"),
    ...(schedule !== undefined && { origin: "schedule" }),
  });
  // The configuration file is confirmed once the connection is open.
  const options = await toOnceOptions(context, given, flags);
  if (schedule !== undefined) {
    await runScheduleLoop(context, connection, {
      ...options,
      ...schedule,
      stored: readStored(context, flags),
      onOutcome: notifyOutcome,
    });
    return EXIT.done;
  }
  const outcome = await syncOnce(context, connection, options);
  await notifyOutcome(outcome);
  return outcome.exit;
}

interface StoredSync {
  readonly scheduleId: string;
  readonly post: Post;
}

/** Runs one sync of a stored schedule, whose feed and options are not on the command line. */
async function runStored(
  context: CommandContext,
  flags: Flags,
  { scheduleId, post }: StoredSync,
): Promise<number> {
  await using connection = await context.openConnection({
    concurrency: readFlag.concurrency(flags),
    requestsPerHour: rangeFlag(flags, "requests-per-hour"),
  });
  const schedule = await connection.memory.schedules.read(scheduleId);
  if (schedule === undefined) {
    throw new UsageError({
      tr: `"${scheduleId}" adlı bir zamanlama yok; silinmiş olabilir.`,
      en: `There is no schedule "${scheduleId}"; it may have been removed.`,
    });
  }
  return (await syncStored(context, connection, { schedule, flags, post })).exit;
}

interface StoredSchedule extends Pick<StoredSync, "post"> {
  readonly schedule: Pick<ScheduleRecord, "id" | "feed" | "options">;
  /** Flags of this sync alone. */
  readonly flags: Flags;
}

/** Syncs the feed of a schedule with its options, and notifies its receiver. */
export async function syncStored(
  context: CommandContext,
  connection: Connection,
  { schedule, flags, post }: StoredSchedule,
): Promise<Outcome> {
  const stored = { ...toSyncFlags(schedule.options), feed: schedule.feed };
  const all = { ...flags, ...stored, ...joinAllowed(stored, flags) };
  const given = readOptions(context, all);
  const options = await toOnceOptions(context, given, all);
  const outcome = await syncOnce(context, connection, { ...options, schedule: schedule.id });
  await createNotifier(context, { flags: all, feed: given.feed, post })(outcome);
  return outcome;
}

/**
 * The feed and options of a schedule, checked as those of a sync are. Throws {@link UsageError} for
 * a value that a sync refuses, and `CatalogError` `E_FEED_MISSING` for a path without a feed.
 */
export function toStoredSync(
  context: CommandContext,
  flags: Flags,
): { readonly feed: string; readonly flags: Flags } {
  const { feed } = readOptions(context, flags);
  notifyFlag(flags);
  assertFeedExists(feed);
  return { feed, flags: readStored(context, flags) };
}

/** What the schedule always allows, and what is allowed for this sync alone. */
function joinAllowed(...all: readonly Flags[]): Flags {
  const allowed = all.flatMap((flags) => readFlag.text(flags, "allow") ?? []);
  return allowed.length === 0 ? {} : { allow: allowed.join(",") };
}

/** The options that the schedule keeps; paths are absolute, as other programs start it. */
function readStored({ resolve, lang }: CommandContext, flags: Flags): Flags {
  const report = readFlag.text(flags, "report");
  return {
    ...flags,
    lang,
    report: report === undefined ? undefined : resolve(report),
    "feed-auth": feedAuthFlag(flags, resolve),
    "unhealthy-after": readFlag.duration(flags, "unhealthy-after"),
  };
}

/** Adds the limits of the configuration file and the logins of addresses. */
async function toOnceOptions(
  { clock, limits = {}, openFeedLogins }: CommandContext,
  { reading, ...given }: GivenOptions,
  flags: Flags,
): Promise<OnceOptions> {
  const sheet = { ...reading.sheet, limits };
  const allowHosts = readFlag.texts(flags, "allow-host");
  const findLogin = await openFeedLogins?.(
    readFlag.text(flags, "feed-auth"),
    readFlag.text(flags, "host-key"),
  );
  const fetch = createFeedFetch({ clock, allowHosts, limits, findLogin });
  return { ...given, reading: { ...reading, sheet }, fetch };
}

type GivenOptions = Omit<OnceOptions, "fetch">;

function readOptions({ lang, resolve }: CommandContext, flags: Flags): GivenOptions {
  const feed = readFlag.text(flags, "feed") ?? "";
  const reading = readFlag.reading(flags);
  const unit = readFlag.text(flags, "price-unit");
  const maxAgeMs = readFlag.duration(flags, "max-age");
  const report = readFlag.text(flags, "report");
  assertFeedAddress(feed);
  return {
    feed: isAddress(feed) ? feed : resolve(feed),
    lang,
    reading: { ...reading, platform: parsePlatform(reading.platform) },
    allowed: allowedGuards(flags),
    reconcileMs: readFlag.duration(flags, "reconcile") ?? 0,
    maxAgeMs: maxAgeMs === 0 ? undefined : maxAgeMs,
    adds: readFlag.word(flags, "adds", ADD_POLICIES),
    acceptsChange: flags["accept-change"] === true,
    absent: readFlag.word(flags, "absent", ABSENT_POLICIES),
    priceUnit: unit === "minor" || unit === "major" ? unit : undefined,
    tryRefused: flags["try-refused"] === true,
    ignoresUnknownCodes: flags["ignore-unknown-codes"] === true,
    trial: readTrial(flags),
    reportDir: resolve(report ?? "catalog-results/{run}"),
    writesFiles: report !== undefined,
  };
}

/** A dry run of a schedule in shadow remembers nothing either. */
function readTrial(flags: Flags): GivenOptions["trial"] {
  if (flags["dry-run"] === true) return "once";
  return flags["shadow"] === true ? "shadow" : undefined;
}

interface Schedule {
  readonly pattern: string;
  readonly timeZone: string;
  readonly healthPath: string | undefined;
  readonly statusPort: number | undefined;
}

const MAX_PORT = 65_535;

function readSchedule({ resolve }: CommandContext, flags: Flags): Schedule | undefined {
  const pattern = readFlag.text(flags, "every");
  const health = readFlag.text(flags, "health");
  const statusPort = rangeFlag(flags, "status-port", MAX_PORT);
  if (pattern !== undefined) {
    const timeZone = readFlag.text(flags, "time-zone") ?? "Europe/Istanbul";
    const healthPath = health === undefined ? undefined : resolve(health);
    return { pattern, timeZone, healthPath, statusPort };
  }
  if (
    [health, statusPort, readFlag.text(flags, "unhealthy-after")].every(
      (given) => given === undefined,
    )
  ) {
    return undefined;
  }
  throw new UsageError({
    tr: "--health, --status-port ve --unhealthy-after yalnızca --every ile kullanılır.",
    en: "--health, --status-port and --unhealthy-after go with --every only.",
  });
}

interface NotifyOptions {
  readonly flags: Flags;
  readonly feed: string;
  readonly post: Post;
}

function createNotifier(
  { terminal, lang }: CommandContext,
  { flags, feed, post }: NotifyOptions,
): (outcome: Outcome, status?: Status) => Promise<void> {
  const url = notifyFlag(flags);
  return async (outcome, status) => {
    // A dry run changes nothing that a receiver would have to know.
    if (url === undefined || flags["dry-run"] === true) return;
    const mode = flags["shadow"] === true ? "shadow" : "live";
    const isTold = await notify(post, url, { feed: nameOfFeed(feed), mode, outcome, status });
    if (!isTold) terminal.err(`! ${textsFor(lang).notifyFailed}\n`);
  };
}

/** Reads an address for notifications. Throws {@link UsageError} for one that is not allowed. */
export function notifyFlag(flags: Flags): URL | undefined {
  const given = readFlag.text(flags, "notify");
  if (given === undefined) return undefined;
  const url = resolvePostAddress(given);
  if (url !== undefined) return url;
  throw new UsageError({
    tr: "--notify için kullanıcı adı olmayan bir https adresi verin (http yalnızca bu makine içindir).",
    en: "Give --notify an https address without a user name (http is for this machine only).",
  });
}

/** Longest wait for the receiver of a notification. */
const TIMEOUT_MS = 10_000;

interface Notification {
  readonly feed: string;
  readonly mode: Status["mode"];
  readonly outcome: Outcome;
  /** How the schedule fares. @default the sync has none */
  readonly status?: Status | undefined;
}

/** Returns whether the notification was accepted. Never throws, as a sync does not depend on it. */
export async function notify(
  post: Post,
  url: URL,
  { feed, mode, outcome, status }: Notification,
): Promise<boolean> {
  const told = {
    command: "sync",
    feed,
    mode,
    ...toOutcomeKeys(outcome),
    ...(status && {
      healthy: status.healthy,
      last_success: status.last_success,
      failures_in_row: status.failures_in_row,
    }),
  };
  try {
    const answer = await post(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: toVisibleText(JSON.stringify(told)),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok;
  } catch {
    // The error's message is dropped, as it may hold the address and a key in it.
    return false;
  }
}
