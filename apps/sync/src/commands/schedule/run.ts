/** Runs `catalog schedule`: lists schedules, changes them, or runs one of them now. */

import { existsSync } from "node:fs";
import { basename } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { InputError, isAddress } from "@catalog/i18n";
import { nameOfFeed } from "@catalog/importer";
import {
  addSchedule,
  pauseSchedule,
  type Post,
  recordOwnSync,
  removeSchedule,
  resumeSchedule,
  type ScheduleRecord,
  toSyncOptions,
} from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { toFailedOutcome } from "../sync/outcome.ts";
import { syncStored, toStoredSync } from "../sync/run.ts";
import { describeFailure } from "../sync/schedule-loop.ts";
import { textsFor } from "../sync/texts.ts";
import {
  ACTION_FLAGS,
  DEFAULT_CRON,
  SCHEDULE_ACTIONS,
  type ScheduleAction,
  type ScheduleParts,
} from "./flags.ts";
import { runHistory } from "./history.ts";
import { readSchedule, runList, showSchedules, toDocument } from "./list.ts";
import { runLive, runShadow } from "./shadow.ts";
import { scheduleTexts } from "./texts.ts";

interface RunParts extends ScheduleParts {
  /** Sends notifications. */
  readonly post: Post;
}

/** Returns the exit code: that of the sync for `run`, else whether the command was carried out. */
export async function runScheduleCommand(
  context: CommandContext,
  flags: Flags,
  parts: RunParts,
): Promise<number> {
  const action = readFlag.word(flags, "action", SCHEDULE_ACTIONS) ?? "list";
  const word = readFlag.text(flags, "schedule");
  readFlag.assertOf(flags, { command: "schedule", action, tables: ACTION_FLAGS });
  if (action === "list") {
    if (word !== undefined) throw new UsageError(scheduleTexts.noWord);
    return await runList(context, readFlag.text(flags, "stores"), parts);
  }
  if (word === undefined) throw new UsageError(scheduleTexts.noSchedule(action));
  return await ACTIONS[action](context, flags, { word, post: parts.post });
}

type Act = (context: CommandContext, flags: Flags, named: NamedAct) => Promise<number>;

interface NamedAct extends Pick<RunParts, "post"> {
  /** The schedule, or the feed to add. */
  readonly word: string;
}

const ACTIONS: Readonly<Record<Exclude<ScheduleAction, "list">, Act>> = {
  add: (context, flags, { word }) => runAdd(context, { ...flags, feed: word }),
  run: (context, flags, named) => runNow(context, flags, named),
  pause: (context, _, { word }) => runEdit(context, "pause", word),
  resume: (context, _, { word }) => runEdit(context, "resume", word),
  remove: (context, _, { word }) => runEdit(context, "remove", word),
  history: (context, flags, { word }) => showHistory(context, flags, word),
  async shadow(context, flags, { word }) {
    const out = readFlag.text(flags, "out");
    const path = out === undefined ? undefined : context.resolve(out);
    const days = readFlag.count(flags, "days") ?? SHADOW_DAYS;
    await using connection = await context.openConnection();
    const schedule = await findSchedule(context, connection, word);
    return await runShadow(context, connection, { schedule, days, out: path });
  },
  async live(context, flags, { word }) {
    await using connection = await context.openConnection();
    const schedule = await findSchedule(context, connection, word);
    const isSure = flags["yes"] === true;
    return await runLive(context, connection, { schedule, isSure });
  },
};

/** Days of a shadow that are listed where no number is given. */
const SHADOW_DAYS = 7;

/** Syncs shown where no number is given. */
const DEFAULT_LIMIT = 50;

/** The history of a feed that has no schedule is found by its path or address. */
async function showHistory(context: CommandContext, flags: Flags, word: string): Promise<number> {
  const limit = readFlag.count(flags, "limit") ?? DEFAULT_LIMIT;
  await using connection = await context.openConnection();
  const found = await findSchedules(context, connection, word);
  const [only] = found;
  if (only === undefined && (isAddress(word) || existsSync(context.resolve(word)))) {
    const feed = isAddress(word) ? word : context.resolve(word);
    return await runHistory(context, connection, { feed, timeZone: "Europe/Istanbul", limit });
  }
  const { id, feed, timeZone } = pickOne(found, word);
  return await runHistory(context, connection, { feed, schedule: id, timeZone, limit });
}

async function runAdd(context: CommandContext, flags: Flags): Promise<number> {
  const given = readFlag.text(flags, "cron");
  const { feed, flags: kept } = toStoredSync(context, flags);
  const timeZone = readFlag.text(flags, "time-zone") ?? "Europe/Istanbul";
  await using connection = await context.openConnection();
  const options = toSyncOptions(kept);
  // A person who writes a pattern means its minutes; the times that nobody has chosen are spread.
  const times = { options, cron: given ?? DEFAULT_CRON, timeZone, isSpread: given === undefined };
  const { id } = await addSchedule(connection, { feed, ...times });
  await tell(context, connection, { action: "add", id });
  if (given === undefined && !context.json) {
    context.terminal.out(`${scheduleTexts.defaultTimes[context.lang]}\n`);
  }
  return EXIT.done;
}

async function runEdit(
  context: CommandContext,
  action: "pause" | "resume" | "remove",
  word: string,
): Promise<number> {
  await using connection = await context.openConnection();
  const schedule = await findSchedule(context, connection, word);
  if (action === "remove") {
    const listed = await readSchedule(connection, schedule);
    await removeSchedule(connection, schedule);
    const { terminal, lang } = context;
    if (context.json) {
      const removed = { command: "schedule", action, exit: EXIT.done };
      printJson(terminal, { ...removed, schedule: toDocument(listed) });
    } else terminal.out(`${scheduleTexts.done[action][lang]}: ${nameOfFeed(schedule.feed)}\n`);
    return EXIT.done;
  }
  await (action === "pause" ? pauseSchedule : resumeSchedule)(connection, schedule);
  await tell(context, connection, { action, id: schedule.id });
  return EXIT.done;
}

/** Shows the schedule as it is now. */
async function tell(
  context: CommandContext,
  connection: Connection,
  { action, id }: { readonly action: "add" | "pause" | "resume"; readonly id: string },
): Promise<void> {
  const { terminal, lang, json } = context;
  const record = await connection.memory.schedules.read(id);
  if (record === undefined) throw new CatalogError("E_SCHEDULE_UNKNOWN", id);
  const listed = await readSchedule(connection, record);
  if (json) {
    const changed = { command: "schedule", action, exit: EXIT.done };
    printJson(terminal, { ...changed, schedule: toDocument(listed) });
    return;
  }
  terminal.out(`${scheduleTexts.done[action][lang]}:\n`);
  showSchedules(context, [listed]);
}

/** Finds a schedule by its id or feed, whole or by an unambiguous beginning. */
const findSchedule = async (
  context: CommandContext,
  connection: Connection,
  word: string,
): Promise<ScheduleRecord> => pickOne(await findSchedules(context, connection, word), word);

function pickOne(found: readonly ScheduleRecord[], word: string): ScheduleRecord {
  const [first, ...others] = found;
  if (first === undefined) throw new CatalogError("E_SCHEDULE_UNKNOWN", word);
  if (others.length === 0) return first;
  const list = found.map(({ id, feed }) => `${id} (${nameOfFeed(feed)})`).join(", ");
  throw new CatalogError("E_SCHEDULE_SEVERAL", list);
}

async function findSchedules(
  { resolve }: Pick<CommandContext, "resolve">,
  { memory }: Pick<Connection, "memory">,
  word: string,
): Promise<readonly ScheduleRecord[]> {
  const all = await memory.schedules.list();
  const named = all.map((record) => {
    const place = nameOfFeed(record.feed);
    return { record, place, name: basename(place) };
  });
  const ways = [
    named.filter(({ record }) => record.id === word || record.feed === word),
    named.filter(({ place, name }) => place === word || place === resolve(word) || name === word),
    named.filter(({ record, name }) => record.id.startsWith(word) || name.startsWith(word)),
  ];
  const found = ways.find((each) => each.length > 0) ?? [];
  return found.map(({ record }) => record);
}

/** Syncs now, whether the schedule is paused or not, and stores the result with the schedule. */
async function runNow(
  context: CommandContext,
  flags: Flags,
  { word, post }: NamedAct,
): Promise<number> {
  const { lang, clock, stop } = context;
  await using connection = await context.openConnection({
    concurrency: readFlag.concurrency(flags),
    requestsPerHour: readFlag.count(flags, "requests-per-hour"),
  });
  const schedule = await findSchedule(context, connection, word);
  const due = { id: schedule.id, dueMs: clock.now() };
  // What a dry run comes to says nothing of the schedule.
  const isRecorded = flags["dry-run"] !== true;
  try {
    const outcome = await syncStored(context, connection, { schedule, flags, post });
    if (isRecorded && !stop.aborted) await recordAndTell(context, connection, { due, outcome });
    return outcome.exit;
  } catch (error) {
    // An option that the feed or the program does not take any more fails at each of its times.
    const failure =
      error instanceof InputError
        ? { exit: EXIT.usage, code: error.code, text: error.localized[lang] }
        : describeFailure(error, { lang, texts: textsFor(lang) });
    if (isRecorded && !stop.aborted && failure !== undefined) {
      const { exit, code, text } = failure;
      const outcome = { ...toFailedOutcome(exit, code), message: text };
      await recordAndTell(context, connection, { due, outcome });
    }
    throw error;
  }
}

interface OwnSync {
  readonly due: Parameters<typeof recordOwnSync>[1];
  readonly outcome: Parameters<typeof recordOwnSync>[2];
}

/** Stores what a sync came to, and tells those who are to know. */
async function recordAndTell(
  { openAlerts, stop }: CommandContext,
  connection: Connection,
  { due, outcome }: OwnSync,
): Promise<void> {
  await recordOwnSync(connection, due, outcome);
  await (await openAlerts?.())?.tell(connection, stop);
}
