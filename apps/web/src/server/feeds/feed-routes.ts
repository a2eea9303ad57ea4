/** Routes of feeds and their schedules, and the schedules that run while the server is open. */

import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

import type { Connection } from "@catalog/connection";
import { InputError, isAddress, isTableFileName, type Lang } from "@catalog/i18n";
import { assertFeedAddress, nameOfFeed, openFeedForm } from "@catalog/importer";
import {
  addSchedule,
  type Alerts,
  changeSchedule,
  createTimetable,
  describeTimes,
  goLive,
  parseSyncOptions,
  pauseSchedule,
  recordSync,
  removeSchedule,
  resumeSchedule,
  runWork,
  type ScheduleRecord,
  type ScheduleOwner,
  type StartCommand,
  type SyncOptions,
  type StartedCommand,
  startSync,
} from "@catalog/jobs";
import type { NamedPerson } from "@catalog/runs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import {
  type FeedAlarmView,
  feedLogin,
  type FeedOptions,
  feedPlace,
  type FeedSampleView,
  type FeedView,
  type FolderEntry,
  type FolderView,
  newScheduleBody,
  optionsSchema,
  scheduleBody,
  type TimesBody,
  timesBody,
  type TimesView,
} from "../../api/feeds.ts";
import { noteChange } from "../audit.ts";
import { sendFile } from "../files.ts";
import { makerOf, needs } from "../needs.ts";
import {
  type AddRoutes,
  noSchedule,
  parseInput,
  RequestError,
  requestLang,
  type Site,
} from "../site.ts";
import {
  checkFeed,
  countUnhealthy,
  mergeSyncOptions,
  readFeeds,
  toSyncOptions,
} from "./feed-list.ts";
import { readHistoryView, readShadowView, writeShadowFile } from "./feed-past.ts";

const badFeed = (): RequestError =>
  new RequestError(400, "E_FEED_PLACE", {
    tr: "Dosyanın ya da klasörün tam yolunu yazın (/ ile başlar) ya da https:// ile başlayan bağlantıyı yapıştırın.",
    en: "Write the whole path of the file or folder (it starts with /), or paste a link that starts with https://.",
  });

const badTimes = (error: InputError): RequestError =>
  new RequestError(400, "E_SCHEDULE_TIMES", error.localized, { cause: error });

const isRunningNow = (): RequestError =>
  new RequestError(409, "E_SCHEDULE_RUNNING", {
    tr: "Bu kaynak şu an eşitleniyor. Bitince sonucu burada görünür.",
    en: "This source is being synced now. Its result appears here when it is done.",
  });

const noFolder = (folder: string, cause?: unknown): RequestError =>
  new RequestError(
    400,
    "E_FOLDER",
    {
      tr: `Bu klasör açılamıyor: ${folder}. Silinmiş ya da izniniz olmayabilir; başka bir klasör seçin.`,
      en: `This folder cannot be opened: ${folder}. It may have been deleted, or you may have no permission; choose another one.`,
    },
    { cause },
  );

const MAX_ENTRIES = 500;

/** Runs of the history in which files are looked for, and files that are proposed. */
const MAX_RUNS = 100;
const MAX_RECENT = 5;

interface ReadFolderOptions {
  /** Absolute path; empty for the folder of the file that was used last. */
  readonly folder: string;
  readonly home: string;
  /** Folder of the page, whose files are copies. */
  readonly own: string;
}

/** Lists a folder. Throws `RequestError` 400 `E_FOLDER` for one that cannot be read. */
async function readFolder(
  connection: Connection,
  { folder: asked, home, own }: ReadFolderOptions,
): Promise<FolderView> {
  const recent = await listRecent(connection, own);
  const [last] = recent;
  const folder = asked === "" ? (last === undefined ? home : dirname(last)) : asked;
  if (!isAbsolute(folder)) throw noFolder(folder);
  const parent = dirname(folder);
  return {
    folder,
    parent: parent === folder ? null : parent,
    entries: listEntries(folder),
    recent: recent.map((path) => ({ name: basename(path), path })),
  };
}

function listEntries(folder: string): readonly FolderEntry[] {
  const entries = readNames(folder).flatMap((entry) => toEntry(folder, entry) ?? []);
  const collator = new Intl.Collator("tr", { numeric: true });
  return entries
    .toSorted((a, b) => Number(b.isFolder) - Number(a.isFolder) || collator.compare(a.name, b.name))
    .slice(0, MAX_ENTRIES);
}

function readNames(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw noFolder(folder, error);
  }
}

/** A link counts as what it leads to; what cannot be looked at is left out. */
function toEntry(folder: string, { name }: Dirent): FolderEntry | undefined {
  if (name.startsWith(".")) return undefined;
  const path = join(folder, name);
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { name, path, isFolder: true, at: null };
    if (!stats.isFile() || !isTableFileName(name)) return undefined;
    return { name, path, isFolder: false, at: stats.mtime.toISOString() };
  } catch {
    // The file is gone, or a link leads nowhere.
    return undefined;
  }
}

/** The files of schedules and of the history, the newest first. */
async function listRecent({ memory, runs }: Connection, own: string): Promise<readonly string[]> {
  const schedules = await memory.schedules.list();
  const paths = [
    ...schedules.toReversed().map(({ feed }) => feed),
    ...(await runs.list(MAX_RUNS)).map(({ file }) => file.path),
  ];
  const isUsable = (path: string): boolean =>
    isAbsolute(path) && !path.startsWith(join(own, sep)) && existsSync(path);
  return [...new Set(paths)].filter(isUsable).slice(0, MAX_RECENT);
}

interface SchedulePath {
  readonly Params: { readonly schedule: string };
}

const folderQuery = z.object({
  /** Absolute path; empty for the folder of the file that was used last. */
  folder: z.string().max(4_000).default(""),
});

const feedCheckBody = z.object({ feed: feedPlace, options: optionsSchema, login: feedLogin });

const scheduleCheckBody = z.object({ options: optionsSchema, login: feedLogin });

const runScheduleBody = z.object({
  /** What this sync takes although it is doubtful. */
  allow: z.enum(["few-rows", "zero-stock", "moved-values", "no-rules", "form"]).optional(),
});

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

  app.get("/feeds", needs("viewer"), list);
  app.get("/feeds/alarm", needs("viewer"), async (): Promise<FeedAlarmView> => {
    return { unhealthy: await countUnhealthy(await open()) };
  });
  app.get("/feeds/folder", needs("approver"), async (request): Promise<FolderView> => {
    const { folder } = parseInput(folderQuery, request.query);
    if (site.hasOwnFiles === false) throw notOwnFile();
    return await readFolder(await open(), { folder, home: homedir(), own: site.folder });
  });
  app.post("/feeds/check", needs("editor"), async (request): Promise<FeedSampleView> => {
    const { login: given, ...body } = parseInput(feedCheckBody, request.body);
    assertFeed(site, body.feed, body.options);
    const findLogin = await site.feedLogins?.open({ given });
    return await checkFeed(await open(), { ...body, findLogin }, requestLang(request));
  });
  app.post<SchedulePath>(
    "/schedules/:schedule/check",
    needs("editor"),
    async (request): Promise<FeedSampleView> => {
      const { options, login: given } = parseInput(scheduleCheckBody, request.body);
      const connection = await open();
      const { feed, ...stored } = await readSchedule(connection.memory, request.params.schedule);
      assertHost(site, options, parseSyncOptions(stored.options));
      const { "feed-auth": auth, "host-key": hostKey } = parseSyncOptions(stored.options);
      const findLogin = await site.feedLogins?.open({
        given,
        ...(typeof auth === "string" && { auth }),
        ...(typeof hostKey === "string" && { hostKey }),
      });
      return await checkFeed(connection, { feed, options, findLogin }, requestLang(request));
    },
  );
  app.post("/feeds/times", needs("editor"), async (request): Promise<TimesView> => {
    const times = parseInput(timesBody, request.body);
    const next = openTimes(times).list(site.clock.now(), TIMES_SHOWN);
    const text = describeTimes(times.cron, requestLang(request));
    return { text, next: next.map((ms) => new Date(ms).toISOString()) };
  });
  addEdits(app, site, { open, list });
  addPast(app, site, { open, list });
  addActs(app, site, { open, list, running });
};

interface FeedRoutes {
  readonly open: () => Promise<Connection>;
  readonly list: (request: FastifyRequest) => Promise<readonly FeedView[]>;
}

function addEdits(app: FastifyInstance, site: Site, { open, list }: FeedRoutes): void {
  app.post("/schedules", needs("approver"), async (request, reply) => {
    const { feed, options, login, dropped, ...times } = parseInput(newScheduleBody, request.body);
    noteChange(request, { after: { feed: nameOfFeed(feed), ...times } });
    const connection = await open();
    assertFeed(site, feed, options);
    openTimes(times);
    const stored = toSyncOptions(options, requestLang(request));
    const owner = toOwner(makerOf(request));
    const added = await addSchedule(connection, { ...times, feed, owner, options: stored });
    // Not before: a feed that has a schedule already is refused, and keeps its login.
    try {
      if (login && isAddress(feed)) await site.feedLogins?.save(feed, login);
    } catch (error) {
      await removeSchedule(connection, added);
      throw error;
    }
    await openFeedForm(connection, feed).dropFields(dropped);
    return await reply.status(201).send(await list(request));
  });
  app.put<SchedulePath>("/schedules/:schedule", needs("approver"), async (request) => {
    const { options, login, dropped, ...times } = parseInput(scheduleBody, request.body);
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    const { cron, timeZone } = schedule;
    noteChange(request, { before: { cron, timeZone }, after: times });
    openTimes(times);
    const before = parseSyncOptions(schedule.options);
    assertHost(site, options, before);
    const merged = mergeSyncOptions(before, options, requestLang(request));
    const hasLogin = login !== null && login !== undefined && isAddress(schedule.feed);
    const stored = hasLogin ? withoutLogin(merged) : merged;
    await changeSchedule(connection, schedule, { ...times, options: stored });
    try {
      if (hasLogin) await site.feedLogins?.save(schedule.feed, login);
    } catch (error) {
      await changeSchedule(connection, schedule, { ...schedule, options: before });
      throw error;
    }
    await openFeedForm(connection, schedule.feed).dropFields(dropped);
    return await list(request);
  });
  app.delete<SchedulePath>("/schedules/:schedule", needs("approver"), async (request) => {
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    noteChange(request, { before: { feed: nameOfFeed(schedule.feed), cron: schedule.cron } });
    await removeSchedule(connection, schedule);
    return await list(request);
  });
}

/** Who has made a schedule answers for it; on the page of one person nobody else could. */
export const toOwner = ({ id, name }: NamedPerson): ScheduleOwner | undefined =>
  id === undefined ? undefined : { person: id, name };

/** A sync uses a stored login only where the schedule names none. */
const withoutLogin = ({
  "feed-auth": _auth,
  "host-key": _hostKey,
  ...options
}: SyncOptions): SyncOptions => options;

/** The history of a schedule, and a shadow that may go live. */
function addPast(app: FastifyInstance, site: Site, { open, list }: FeedRoutes): void {
  app.get<SchedulePath>("/schedules/:schedule/history", needs("viewer"), async (request) => {
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    return await readHistoryView(connection, schedule, requestLang(request));
  });
  app.get<SchedulePath>("/schedules/:schedule/shadow", needs("viewer"), async (request) => {
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    return await readShadowView(connection, schedule, requestLang(request));
  });
  app.get<SchedulePath>(
    "/schedules/:schedule/shadow/file",
    needs("viewer"),
    async (request, reply) => {
      const connection = await open();
      const schedule = await readSchedule(connection.memory, request.params.schedule);
      const { folder } = site;
      const file = { lang: requestLang(request), folder };
      return await sendFile(reply, await writeShadowFile(connection, schedule, file));
    },
  );
  app.post<SchedulePath>("/schedules/:schedule/live", needs("approver"), async (request) => {
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    await goLive(connection, schedule);
    return await list(request);
  });
}

interface ActRoutes extends FeedRoutes {
  /** Syncs that the page has started. */
  readonly running: Map<string, StartedCommand>;
}

function addActs(app: FastifyInstance, site: Site, { open, list, running }: ActRoutes): void {
  app.post<SchedulePath>("/schedules/:schedule/pause", needs("approver"), async (request) => {
    const { memory } = await open();
    await pauseSchedule({ memory }, await readSchedule(memory, request.params.schedule));
    return await list(request);
  });
  app.post<SchedulePath>("/schedules/:schedule/resume", needs("approver"), async (request) => {
    const { memory } = await open();
    await resumeSchedule({ memory }, await readSchedule(memory, request.params.schedule));
    return await list(request);
  });
  app.post<SchedulePath>("/schedules/:schedule/run", needs("editor"), async (request, reply) => {
    const { allow } = parseInput(runScheduleBody, request.body);
    const connection = await open();
    const schedule = await readSchedule(connection.memory, request.params.schedule);
    if (running.has(schedule.id)) throw isRunningNow();
    const taken = allow === "form" ? { acceptsChange: true } : { allow };
    const by = makerOf(request);
    const startCommand: StartCommand = (words) => site.startCommand(words, by);
    const started = startSync({ startCommand, ...taken, lang: requestLang(request) }, schedule);
    running.set(schedule.id, started);
    void settle(connection, { schedule, started }).finally(() => running.delete(schedule.id));
    return await reply.status(202).send(await list(request));
  });
}

export async function readSchedule(
  { schedules }: Pick<Connection["memory"], "schedules">,
  id: string,
): Promise<ScheduleRecord> {
  const found = await schedules.read(id);
  if (found === undefined) throw noSchedule();
  return found;
}

/** Files of a server are none of those who use its page from elsewhere. */
const notOwnFile = (): RequestError =>
  new RequestError(403, "E_FEED_FILE", {
    tr: "Bu sunucunun dosyaları ve iç ağı sayfadan kullanılamaz. Beslemenin internetteki https, ftp ya da sftp adresini verin, dosyayı sayfaya yükleyin ya da bu eşitlemeyi sunucunun terminalinde ekletin.",
    en: "Files and the network of this server cannot be used from the page. Give the feed's https, ftp or sftp address on the internet, upload the file to the page, or have the sync added at the server's terminal.",
  });

/** Addresses of other computers, and not `file:`. */
const REMOTE = /^(?:https?|ftps?|sftp):\/\//iu;

/** A host of the server's own network may be named on the terminal only; one that is known stays. */
function assertHost(
  { hasOwnFiles = true }: Pick<Site, "hasOwnFiles">,
  { allowHost }: Pick<FeedOptions, "allowHost">,
  known: SyncOptions = {},
): void {
  const { "allow-host": hosts = [] } = known;
  if (hasOwnFiles || allowHost === "" || [hosts].flat().includes(allowHost)) return;
  throw notOwnFile();
}

/** Throws where the feed cannot be one, or is not one of those that the page may name. */
export function assertFeed(
  site: Pick<Site, "hasOwnFiles">,
  feed: string,
  options: Pick<FeedOptions, "allowHost"> = { allowHost: "" },
): void {
  const { hasOwnFiles = true } = site;
  assertHost(site, options);
  if (!hasOwnFiles && !REMOTE.test(feed)) throw notOwnFile();
  const isUsable = isAddress(feed) ? URL.canParse(feed) : isAbsolute(feed);
  if (!isUsable) throw badFeed();
  assertFeedAddress(feed);
}

export function openTimes({ cron, timeZone }: TimesBody): ReturnType<typeof createTimetable> {
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

/** Syncs of a store exclude each other. */
const MAX_SYNCS = 1;

interface ServeSchedulesOptions {
  readonly startCommand: StartCommand;
  readonly lang: Lang;
  readonly onBug: (error: unknown) => void;
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: (() => Promise<Alerts>) | undefined;
}

/** Time after which it is tried again where an error has ended it, in milliseconds. */
const AGAIN_MS = 30_000;

/**
 * Starts the store's syncs until `stop` aborts, unless a worker does. A sync under way continues by
 * itself. Never rejects.
 */
export async function serveSchedules(
  connection: Connection,
  options: ServeSchedulesOptions,
  stop: AbortSignal,
): Promise<void> {
  await using beside = new AsyncDisposableStack();
  beside.use((await options.openAlerts?.())?.watch(() => [connection]));
  while (!stop.aborted) {
    try {
      await serveOnce(connection, options, stop);
    } catch (error) {
      options.onBug(error);
      await connection.clock.sleep(AGAIN_MS, stop).catch(() => undefined);
    }
  }
}

async function serveOnce(
  connection: Connection,
  { startCommand, lang }: ServeSchedulesOptions,
  stop: AbortSignal,
): Promise<void> {
  const { baseUrl, storeId, clock } = connection;
  const open = async (): Promise<Connection> => ({
    ...connection,
    [Symbol.asyncDispose]: async () => undefined,
  });
  await runWork(connection, [{ baseUrl, storeId, startCommand, open }], {
    command: "catalog web",
    clock,
    // Runs that a person has left to the workers stay theirs.
    kinds: new Set(["sync", "period"]),
    lang,
    stop,
    stopsCommands: false,
    maxCommands: MAX_SYNCS,
    yieldsTo: "catalog worker",
  });
}
