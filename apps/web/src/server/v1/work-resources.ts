/** Exports, schedules, names and webhooks, as programs see them. */

import { isAddress, type Lang } from "@catalog/i18n";
import { FetchError } from "@catalog/images";
import { findByName, nameOfFeed } from "@catalog/importer";
import {
  addSchedule,
  changeSchedule,
  parseSyncOptions,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  type ScheduleRecord,
  type Webhooks,
} from "@catalog/jobs";

import type { ScheduleView } from "../../api/feeds.ts";
import { readFeeds, toSyncOptions } from "../feeds/feed-list.ts";
import { assertFeed, openTimes, readSchedule, toOwner } from "../feeds/feed-routes.ts";
import { sendFile } from "../files.ts";
import { fileGone, RequestError } from "../site.ts";
import type { ProgramStore } from "./program-store.ts";
import { NOTHING, programRoute, type ProgramRoute } from "./route.ts";
import {
  changeScheduleBody,
  lookupsQuery,
  newScheduleV1Body,
  newWebhookBody,
  type ScheduleDocument,
  v1ExportBody,
} from "./schemas.ts";

const STORE = "/stores/{store}";

const listExports = programRoute(
  {
    method: "get",
    path: `${STORE}/exports`,
    id: "listExports",
    needs: "viewer",
    summary: "Exports, the newest first",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: "Exports" },
  },
  async ({ store, lang }) => ({ status: 200, body: { exports: store.exports.list(lang) } }),
);

const startExport = programRoute(
  {
    method: "post",
    path: `${STORE}/exports`,
    id: "createExport",
    needs: "editor",
    summary: "Write products, comments, orders, questions or payments to a file",
    query: NOTHING,
    body: v1ExportBody,
    answers: { 202: "Export" },
    audit: "export.create",
  },
  async ({ store, body, lang, by, base }) => {
    await store.site.store.connection();
    const started = store.exports.start(body, lang, by);
    const location = `${base}/exports/${started.id}`;
    return { status: 202, body: started, location };
  },
);

const findExport = (store: ProgramStore, id: string, lang: Lang) => {
  const found = store.exports.list(lang).find((each) => each.id === id);
  if (found === undefined) throw fileGone();
  return found;
};

const readExport = programRoute(
  {
    method: "get",
    path: `${STORE}/exports/{export}`,
    id: "readExport",
    needs: "viewer",
    summary: "An export and its state",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: "Export" },
  },
  async ({ store, params, lang }) => ({
    status: 200,
    body: findExport(store, params["export"] ?? "", lang),
  }),
);

const downloadExport = programRoute(
  {
    method: "get",
    path: `${STORE}/exports/{export}/file`,
    id: "downloadExport",
    needs: "editor",
    summary: "The file of a finished export",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: null },
    type: "application/octet-stream",
  },
  async ({ store, params, lang, reply }) => {
    const { id, state } = findExport(store, params["export"] ?? "", lang);
    const found = state === "done" ? store.exports.find(id) : undefined;
    if (found === undefined) throw fileGone();
    await sendFile(reply, found);
    return { status: "sent" };
  },
);

const removeExport = programRoute(
  {
    method: "delete",
    path: `${STORE}/exports/{export}`,
    id: "removeExport",
    needs: "editor",
    summary: "Remove an export, which is stopped if it runs",
    query: NOTHING,
    body: NOTHING,
    answers: { 204: null },
    audit: "export.remove",
  },
  async ({ store, params, lang }) => {
    store.exports.remove(findExport(store, params["export"] ?? "", lang).id);
    return { status: 204 };
  },
);

async function readSchedules(
  store: ProgramStore,
  lang: Lang,
): Promise<readonly ScheduleDocument[]> {
  const connection = await store.site.store.connection();
  const feeds = await readFeeds(connection, { lang, isRunning: () => false });
  return feeds.flatMap(({ place, schedule }) =>
    schedule === null ? [] : [toSchedule(place, schedule)],
  );
}

const toSchedule = (feed: string, view: ScheduleView): ScheduleDocument => ({
  id: view.id,
  feed: isAddress(feed) ? nameOfFeed(feed) : feed,
  cron: view.cron,
  timeZone: view.timeZone,
  times: view.timesText,
  owner: view.owner?.name ?? null,
  isOwnerGone: view.owner?.isGone ?? false,
  state: view.isPaused ? "paused" : "active",
  isShadow: view.isShadow,
  isRunning: view.isRunning,
  nextAt: view.nextAt,
  succeededAt: view.succeededAt,
  isHealthy: view.health.isHealthy,
  problem: view.problem,
});

const listSchedules = programRoute(
  {
    method: "get",
    path: `${STORE}/schedules`,
    id: "listSchedules",
    needs: "viewer",
    summary: "Feeds that are synced at set times",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: "Schedules" },
  },
  async ({ store, lang }) => ({
    status: 200,
    body: { schedules: await readSchedules(store, lang) },
  }),
);

const showSchedule = async (
  store: ProgramStore,
  id: string,
  lang: Lang,
): Promise<ScheduleDocument> => {
  const found = (await readSchedules(store, lang)).find((each) => each.id === id);
  if (found === undefined) throw new Error(`schedule ${id} was stored and is gone`);
  return found;
};

const createSchedule = programRoute(
  {
    method: "post",
    path: `${STORE}/schedules`,
    id: "createSchedule",
    needs: "approver",
    summary: "Sync a feed at set times; it sends by itself unless it is in shadow",
    query: NOTHING,
    body: newScheduleV1Body,
    answers: { 201: "Schedule" },
    audit: "schedule.create",
  },
  async ({ store, body, lang, by }) => {
    const { feed, cron, timeZone, isShadow, maxAgeHours } = body;
    const connection = await store.site.store.connection();
    assertFeed(store.site, feed);
    openTimes({ cron, timeZone });
    const options = toSyncOptions({ ...FOUND_OUT, isShadow, maxAgeHours }, lang);
    const owner = toOwner(by);
    const added = await addSchedule(connection, { cron, timeZone, feed, owner, options });
    return { status: 201, body: await showSchedule(store, added.id, lang) };
  },
);

/** What a sync finds out by itself. A server in a private network is allowed at the terminal only. */
const FOUND_OUT: Parameters<typeof toSyncOptions>[0] = {
  sheet: "",
  record: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "",
  maxAgeHours: 0,
  adds: "never",
  absent: "keep",
  allowHost: "",
  isShadow: false,
};

const editSchedule = programRoute(
  {
    method: "patch",
    path: `${STORE}/schedules/{schedule}`,
    id: "changeSchedule",
    needs: "approver",
    summary: "Change the times of a schedule, pause it or let it go on",
    query: NOTHING,
    body: changeScheduleBody,
    answers: { 200: "Schedule" },
    audit: "schedule.change",
  },
  async ({ store, params, body, lang }) => {
    const connection = await store.site.store.connection();
    const schedule = await readSchedule(connection.memory, params["schedule"] ?? "");
    const { cron = schedule.cron, timeZone = schedule.timeZone, state } = body;
    if (cron !== schedule.cron || timeZone !== schedule.timeZone) {
      openTimes({ cron, timeZone });
      const options = parseSyncOptions(schedule.options);
      await changeSchedule(connection, schedule, { cron, timeZone, options });
    }
    await setState(connection, schedule, state);
    return { status: 200, body: await showSchedule(store, schedule.id, lang) };
  },
);

async function setState(
  { memory }: Parameters<typeof addSchedule>[0],
  schedule: ScheduleRecord,
  state: "active" | "paused" | undefined,
): Promise<void> {
  if (state === "paused" && schedule.state !== "paused") await pauseSchedule({ memory }, schedule);
  if (state === "active" && schedule.state === "paused") await resumeSchedule({ memory }, schedule);
}

const deleteSchedule = programRoute(
  {
    method: "delete",
    path: `${STORE}/schedules/{schedule}`,
    id: "removeSchedule",
    needs: "approver",
    summary: "Remove a schedule",
    query: NOTHING,
    body: NOTHING,
    answers: { 204: null },
    audit: "schedule.remove",
  },
  async ({ store, params }) => {
    const connection = await store.site.store.connection();
    await removeSchedule(
      connection,
      await readSchedule(connection.memory, params["schedule"] ?? ""),
    );
    return { status: 204 };
  },
);

const lookups = programRoute(
  {
    method: "get",
    path: `${STORE}/lookups`,
    id: "lookUp",
    needs: "viewer",
    summary: "Ids for names: categories, brands, models, properties, templates, cities",
    query: lookupsQuery,
    body: NOTHING,
    answers: { 200: "Lookups" },
  },
  async ({ store, query }) => {
    const found = await findByName(await store.site.store.connection(), query);
    return { status: 200, body: found };
  },
);

const noWebhooks = (): RequestError =>
  new RequestError(501, "E_WEBHOOKS_OFF", {
    tr: "Bu sunucu webhook göndermiyor.",
    en: "This server sends no webhooks.",
  });

async function webhooksOf({ openWebhooks }: ProgramStore): Promise<Webhooks> {
  const webhooks = await openWebhooks();
  if (webhooks === undefined) throw noWebhooks();
  return webhooks;
}

/** The guard lets no message through to it. */
const badAddress = (cause: FetchError): RequestError =>
  new RequestError(
    400,
    cause.code,
    {
      tr: "Bu adrese ileti gönderilemez: https ile başlamalı, genel internette olmalı, içinde kullanıcı adı ya da özel port olmamalı. Kendi ağınızdaki bir sunucuya izni images.allowHosts ayarı verir.",
      en: "No message can be sent to this address: it must begin with https, be on the public internet, and name no user and no other port. The setting images.allowHosts allows a server of your own network.",
    },
    { cause },
  );

const listWebhooks = programRoute(
  {
    method: "get",
    path: `${STORE}/webhooks`,
    id: "listWebhooks",
    needs: "administrator",
    summary: "Addresses that are told what happens, and how that fares",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: "Webhooks" },
  },
  async ({ store, lang }) => {
    const connection = await store.site.store.connection();
    return {
      status: 200,
      body: { webhooks: await (await webhooksOf(store)).list(connection, lang) },
    };
  },
);

const createWebhook = programRoute(
  {
    method: "post",
    path: `${STORE}/webhooks`,
    id: "createWebhook",
    needs: "administrator",
    summary: "Tell an address what happens; its secret is shown once",
    query: NOTHING,
    body: newWebhookBody,
    answers: { 201: "NewWebhook" },
    audit: "webhook.create",
  },
  async ({ store, body, lang }) => {
    const connection = await store.site.store.connection();
    const webhooks = await webhooksOf(store);
    try {
      return { status: 201, body: await webhooks.add(connection, body, lang) };
    } catch (error) {
      throw error instanceof FetchError ? badAddress(error) : error;
    }
  },
);

const deleteWebhook = programRoute(
  {
    method: "delete",
    path: `${STORE}/webhooks/{webhook}`,
    id: "removeWebhook",
    needs: "administrator",
    summary: "Stop telling an address; its secret is forgotten",
    query: NOTHING,
    body: NOTHING,
    answers: { 204: null },
    audit: "webhook.remove",
  },
  async ({ store, params }) => {
    const connection = await store.site.store.connection();
    const isRemoved = await (await webhooksOf(store)).remove(connection, params["webhook"] ?? "");
    if (!isRemoved) throw fileGone();
    return { status: 204 };
  },
);

export const WORK_ROUTES: readonly ProgramRoute[] = [
  listExports,
  startExport,
  readExport,
  downloadExport,
  removeExport,
  listSchedules,
  createSchedule,
  editSchedule,
  deleteSchedule,
  lookups,
  listWebhooks,
  createWebhook,
  deleteWebhook,
];
