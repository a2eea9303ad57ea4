/**
 * What people do with the schedules of a store, on the page and on the command line alike. The page
 * and the workers start such a schedule; one of `sync --every` is run by its own command, which also
 * sets its times.
 */

import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { CatalogError, type Connection } from "@catalog/connection";

import type { ScheduleOwner, ScheduleRecord, ScheduleSettings } from "./queue.ts";
import { parseSyncOptions, type SyncOptions } from "./schedule-health.ts";
import { createTimetable } from "./timetable.ts";

/** The members of a connection that are needed. */
interface EditTools {
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
  readonly locks: Pick<Connection["locks"], "scheduleHolder">;
}

/** What a person sets of a schedule. */
interface ScheduleTimes {
  readonly cron: string;
  readonly timeZone: string;
  readonly options: SyncOptions;
  /**
   * Whether it starts some minutes after its times, so that not all stores start at once.
   * @default the times are ones that people choose from a list
   */
  readonly isSpread?: boolean | undefined;
}

const ID_BYTES = 12;

/** Times that need not be kept to the minute, so that not all stores start at once. */
const SPREAD_TIMES: ReadonlySet<string> = new Set(["*/15 * * * *", "*/30 * * * *", "0 * * * *"]);

/**
 * Adds a schedule of a feed: an absolute path or an address. Throws `InputError` for times that
 * cannot be read, and {@link CatalogError} `E_SCHEDULE_KNOWN` where the feed has one already.
 */
export async function addSchedule(
  { memory }: Pick<EditTools, "memory">,
  {
    feed,
    owner,
    ...times
  }: ScheduleTimes & Pick<ScheduleRecord, "feed"> & Pick<ScheduleSettings, "owner">,
): Promise<ScheduleRecord> {
  createTimetable(times.cron, times.timeZone);
  const known = (await memory.schedules.list()).find(
    (one) => one.madeBy === "page" && one.feed === feed,
  );
  if (known !== undefined) throw new CatalogError("E_SCHEDULE_KNOWN", known.id);
  const id = randomBytes(ID_BYTES).toString("hex");
  return await saveSchedule({ memory }, { id, feed, owner }, times);
}

/**
 * Changes the times and options of a schedule; new times count from now on. Throws what
 * {@link addSchedule} throws for times, and `E_SCHEDULE_COMMAND` for the schedule of a command.
 */
export async function changeSchedule(
  { memory }: Pick<EditTools, "memory">,
  { id, feed, madeBy, ...before }: EditedSchedule,
  times: ScheduleTimes,
): Promise<void> {
  if (madeBy === "command") throw new CatalogError("E_SCHEDULE_COMMAND", id);
  createTimetable(times.cron, times.timeZone);
  const isSpread = times.cron === before.cron ? before.isSpread : times.isSpread;
  await saveSchedule({ memory }, { id, feed }, { ...times, isSpread });
}

type EditedSchedule = Pick<ScheduleRecord, "id" | "feed" | "madeBy" | "cron" | "isSpread">;

/**
 * Lets a schedule in shadow send; its times stay, and the next one is the first that sends. Throws
 * {@link CatalogError} `E_SCHEDULE_UNKNOWN` where it was removed since it was read, and
 * `E_SCHEDULE_CHANGED` where its options are others, as its plans were made with those.
 */
export async function goLive(
  tools: Pick<EditTools, "memory">,
  { id, options: shown }: Pick<ScheduleRecord, "id" | "options">,
): Promise<void> {
  const schedule = await tools.memory.schedules.read(id);
  if (schedule === undefined) throw new CatalogError("E_SCHEDULE_UNKNOWN", id);
  if (!isDeepStrictEqual(schedule.options, shown)) throw new CatalogError("E_SCHEDULE_CHANGED", id);
  const { shadow: _, ...options } = parseSyncOptions(schedule.options);
  await changeSchedule(tools, schedule, { ...schedule, options });
}

async function saveSchedule(
  { memory }: Pick<EditTools, "memory">,
  { id, feed, owner }: Pick<ScheduleSettings, "id" | "feed" | "owner">,
  { cron, timeZone, options, isSpread = SPREAD_TIMES.has(cron) }: ScheduleTimes,
): Promise<ScheduleRecord> {
  const { schedules } = memory;
  // Its times count from now on, whenever a program is there to start it: the first one is not lost.
  await schedules.save({ id, feed, owner, options, cron, timeZone, isSpread, madeBy: "page" });
  await schedules.update(id, { progress: countFromNow(memory) });
  const stored = await schedules.read(id);
  if (stored === undefined) throw new Error(`schedule ${id} was stored and is gone`);
  return stored;
}

const countFromNow = ({ jobs }: EditTools["memory"]): NonNullable<ScheduleRecord["progress"]> => ({
  dueMs: jobs.nowMs(),
  state: "done",
});

/** Starts no sync of the schedule any more; one under way goes on. */
export async function pauseSchedule(
  { memory }: Pick<EditTools, "memory">,
  { id }: Pick<ScheduleRecord, "id">,
): Promise<void> {
  await memory.schedules.update(id, { state: "paused" });
}

/** Starts syncs again; the times of the pause are not made up for. */
export async function resumeSchedule(
  { memory }: Pick<EditTools, "memory">,
  { id }: Pick<ScheduleRecord, "id">,
): Promise<void> {
  await memory.schedules.update(id, { state: "active", progress: countFromNow(memory) });
}

/**
 * Removes a schedule. Throws {@link CatalogError} `E_SCHEDULE_COMMAND` while a command runs it, as
 * its end is what removes it.
 */
export async function removeSchedule(
  { memory, locks }: EditTools,
  { id, madeBy }: Pick<ScheduleRecord, "id" | "madeBy">,
): Promise<void> {
  const isRun = madeBy === "command" && (await locks.scheduleHolder(id)) !== undefined;
  if (isRun) throw new CatalogError("E_SCHEDULE_COMMAND", id);
  await memory.schedules.remove(id);
}

/** Has another person answer for a schedule. */
export async function handOverSchedule(
  { memory }: Pick<EditTools, "memory">,
  { id }: Pick<ScheduleRecord, "id">,
  owner: Pick<ScheduleOwner, "person" | "name">,
): Promise<void> {
  await memory.schedules.update(id, { owner: { person: owner.person, name: owner.name } });
}

interface OwnerTools {
  readonly memory: Pick<Connection["memory"], "schedules">;
  readonly clock: Pick<Connection["clock"], "now">;
}

/** What is known of an owner now. */
interface KnownOwner {
  readonly name: string;
  /** Whether the person may still have the store send by itself. */
  readonly mayOwn: boolean;
}

/**
 * Notes which owners of the store's schedules may not own them any more, and which may again; their
 * schedules go on. So every process that looks for trouble finds the same.
 */
export async function noteOwners(
  { memory, clock }: OwnerTools,
  find: (person: number) => Promise<KnownOwner>,
): Promise<void> {
  for (const { id, owner } of await memory.schedules.list()) {
    if (owner === undefined) continue;
    const { person, goneSinceMs = clock.now() } = owner;
    const { name, mayOwn } = await find(person);
    const now: ScheduleOwner = mayOwn ? { person, name } : { person, name, goneSinceMs };
    if (now.name === owner.name && now.goneSinceMs === owner.goneSinceMs) continue;
    await memory.schedules.update(id, { owner: now });
  }
}
