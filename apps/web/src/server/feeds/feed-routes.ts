/** Routes of feeds and their schedules. */

import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

import type { Connection } from "@catalog/connection";
import type { ScheduleRecord } from "@catalog/database";
import { dropFields, isAddress } from "@catalog/feed-sync";
import { InputError } from "@catalog/i18n";
import {
  createTimetable,
  describeTimes,
  listNext,
  recordSync,
  type StartedCommand,
  startSync,
  type Timetable,
} from "@catalog/jobs";
import type { FastifyInstance, FastifyRequest } from "fastify";

import {
  type FeedAlarmView,
  feedCheckBody,
  type FeedSampleView,
  type FeedView,
  folderQuery,
  type FolderView,
  newScheduleBody,
  runScheduleBody,
  scheduleBody,
  scheduleCheckBody,
  type TimesBody,
  timesBody,
  type TimesView,
} from "../../api/feeds.ts";
import { requestLang } from "../access/request-lang.ts";
import { parseInput } from "../parse-input.ts";
import type { AddRoutes, Site } from "../site.ts";
import { checkFeed } from "./feed-check.ts";
import { readFolder } from "./feed-folders.ts";
import { countUnhealthy, readFeeds } from "./feed-list.ts";
import { toSyncOptions } from "./feed-options.ts";
import {
  badFeed,
  badTimes,
  isRunningNow,
  knownFeed,
  noSchedule,
  ofCommand,
} from "./feed-refusals.ts";

interface SchedulePath {
  readonly Params: { readonly schedule: string };
}

/** Times that are shown before they are taken. */
const TIMES_SHOWN = 3;

/** Adds the routes; each change answers with the whole list. */
export const addFeedRoutes: AddRoutes = (app, site) => {
  const running = new Map<string, StartedCommand>();
  const open = async (): Promise<Connection> => await site.store.connection();
  const list = async (request: FastifyRequest): Promise<readonly FeedView[]> =>
    await readFeeds(await open(), {
      lang: requestLang(request),
      isRunning: (id) => running.has(id),
    });

  app.get("/feeds", list);
  app.get("/feeds/alarm", async (): Promise<FeedAlarmView> => {
    return { unhealthy: await countUnhealthy(await open()) };
  });
  app.get("/feeds/folder", async (request): Promise<FolderView> => {
    const { folder } = parseInput(folderQuery, request.query);
    return await readFolder(await open(), { folder, home: homedir(), own: site.folder });
  });
  app.post("/feeds/check", async (request): Promise<FeedSampleView> => {
    const body = parseInput(feedCheckBody, request.body);
    assertFeed(body.feed);
    return await checkFeed(await open(), body, requestLang(request));
  });
  app.post<SchedulePath>("/schedules/:schedule/check", async (request): Promise<FeedSampleView> => {
    const { options } = parseInput(scheduleCheckBody, request.body);
    const connection = await open();
    const { feed } = await readSchedule(connection.memory, request.params.schedule);
    return await checkFeed(connection, { feed, options }, requestLang(request));
  });
  app.post("/feeds/times", async (request): Promise<TimesView> => {
    const times = parseInput(timesBody, request.body);
    const next = listNext(openTimes(times), site.clock.now(), TIMES_SHOWN);
    const text = describeTimes(times.cron, requestLang(request));
    return { text, next: next.map((ms) => new Date(ms).toISOString()) };
  });
  addEdits(app, { open, list });
  addActs(app, site, { open, list, running });
};

/** What the routes of schedules share. */
interface FeedRoutes {
  readonly open: () => Promise<Connection>;
  /** The answer to a change. */
  readonly list: (request: FastifyRequest) => Promise<readonly FeedView[]>;
}

function addEdits(app: FastifyInstance, { open, list }: FeedRoutes): void {
  app.post("/schedules", async (request, reply) => {
    const { feed, options, dropped, ...times } = parseInput(newScheduleBody, request.body);
    const { memory } = await open();
    assertFeed(feed);
    openTimes(times);
    const known = await memory.schedules.list();
    if (known.some((one) => one.madeBy === "page" && one.feed === feed)) throw knownFeed();
    const id = randomBytes(ID_BYTES).toString("hex");
    const stored = toSyncOptions(options, requestLang(request));
    await memory.schedules.save({ ...toTimes(times), id, feed, options: stored, madeBy: "page" });
    await dropFields(memory.feedState, feed, dropped);
    return await reply.status(201).send(await list(request));
  });
  app.put<SchedulePath>("/schedules/:schedule", async (request) => {
    const { options, dropped, ...times } = parseInput(scheduleBody, request.body);
    const { memory } = await open();
    const { id, feed, ...known } = await readSchedule(memory, request.params.schedule);
    if (known.madeBy === "command") throw ofCommand();
    openTimes(times);
    const stored = toSyncOptions(options, requestLang(request));
    await memory.schedules.save({ ...toTimes(times), id, feed, options: stored, madeBy: "page" });
    await dropFields(memory.feedState, feed, dropped);
    // New times count from now on.
    await memory.schedules.update(id, { progress: { dueMs: memory.jobs.nowMs(), state: "done" } });
    return await list(request);
  });
  app.delete<SchedulePath>("/schedules/:schedule", async (request) => {
    const { memory, locks } = await open();
    const { id, madeBy } = await readSchedule(memory, request.params.schedule);
    if (madeBy === "command" && (await locks.scheduleHolder(id)) !== undefined) throw ofCommand();
    await memory.schedules.remove(id);
    return await list(request);
  });
}

interface ActRoutes extends FeedRoutes {
  /** Syncs that the page has started. */
  readonly running: Map<string, StartedCommand>;
}

function addActs(app: FastifyInstance, site: Site, { open, list, running }: ActRoutes): void {
  app.post<SchedulePath>("/schedules/:schedule/pause", async (request) => {
    const { memory } = await open();
    const { id } = await readSchedule(memory, request.params.schedule);
    await memory.schedules.update(id, { state: "paused" });
    return await list(request);
  });
  app.post<SchedulePath>("/schedules/:schedule/resume", async (request) => {
    const { memory } = await open();
    const { id } = await readSchedule(memory, request.params.schedule);
    // The times of the pause are not made up for.
    const progress = { dueMs: memory.jobs.nowMs(), state: "done" } as const;
    await memory.schedules.update(id, { state: "active", progress });
    return await list(request);
  });
  app.post<SchedulePath>("/schedules/:schedule/run", async (request, reply) => {
    const { allow } = parseInput(runScheduleBody, request.body);
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    if (running.has(schedule.id)) throw isRunningNow();
    const started = startSync({ ...site, lang: requestLang(request), allow }, schedule);
    running.set(schedule.id, started);
    void settle(connection, { schedule, started }).finally(() => running.delete(schedule.id));
    return await reply.status(202).send(await list(request));
  });
}

const ID_BYTES = 12;

/** Times of the page that need not be kept to the minute. */
const SPREAD_TIMES: ReadonlySet<string> = new Set(["*/15 * * * *", "*/30 * * * *", "0 * * * *"]);

const toTimes = ({ cron, timeZone }: TimesBody): TimesBody & { readonly isSpread: boolean } => ({
  cron,
  timeZone,
  isSpread: SPREAD_TIMES.has(cron),
});

async function readSchedule(
  { schedules }: Pick<Connection["memory"], "schedules">,
  id: string,
): Promise<ScheduleRecord> {
  const found = await schedules.read(id);
  if (found === undefined) throw noSchedule();
  return found;
}

function assertFeed(feed: string): void {
  const isUsable = isAddress(feed) ? URL.canParse(feed) : isAbsolute(feed);
  if (!isUsable) throw badFeed();
}

function openTimes({ cron, timeZone }: TimesBody): Timetable {
  try {
    return createTimetable(cron, timeZone);
  } catch (error) {
    if (error instanceof InputError) throw badTimes(error);
    throw error;
  }
}

interface ManualSync {
  readonly schedule: ScheduleRecord;
  readonly started: StartedCommand;
}

/** Stores what a sync between the times came to. */
async function settle(connection: Connection, { schedule, started }: ManualSync): Promise<void> {
  const ended = await started.ended;
  try {
    await recordSync(connection, { schedule, dueMs: connection.clock.now() }, ended);
  } catch {
    // The page has gone to another store; the run itself is in the history.
  }
}
