/** Plans and runs, as programs see them. */

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import { type Lang, makeFolder } from "@catalog/i18n";
import { listResultFiles } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { RunView } from "../../api/runs.ts";
import {
  approveRun,
  type Decider,
  openRun,
  resumeRun,
  stopRun,
  undoRun,
} from "../runs/run-decisions.ts";
import { readRunRows } from "../runs/run-rows.ts";
import { readRunList } from "../runs/run-summary.ts";
import { fileGone, notUnderstood, unknownId } from "../site.ts";
import { toFileName } from "../uploads.ts";
import type { PlanRequest } from "./plan-requests.ts";
import { rowsRefused } from "./problems.ts";
import type { ProgramStore } from "./program-store.ts";
import {
  NOTHING,
  type ProgramAnswer,
  type ProgramCall,
  programRoute,
  type ProgramRoute,
} from "./route.ts";
import {
  planQuery,
  rowsBody,
  rowsQuery,
  type RunDocument,
  v1ApproveBody,
  v1CommentBody,
  v1ResumeBody,
  v1RunsQuery,
  v1UndoBody,
} from "./schemas.ts";

/** Longest time for which a request waits for its plan, in seconds. */
const MAX_WAIT_SECONDS = 60;

const STORE = "/stores/{store}";

/** Makes a plan: writes the request, begins, and waits where the program wants to (`Prefer: wait=10`). */
const planRoute = programRoute(
  {
    method: "post",
    path: `${STORE}/plans`,
    id: "createPlan",
    needs: "editor",
    summary: "Plan a file, or rows as JSON; nothing is sent",
    query: planQuery,
    body: rowsBody.optional(),
    takesFile: true,
    answers: { 201: "Run", 202: "Run" },
    audit: "plan.create",
    bodyLimit: 32 * 1024 * 1024,
  },
  async ({ store, query, body, lang, by, base, request, repeated, file }) => {
    // Without a store there is nobody to plan for, so nothing is kept.
    await store.site.store.connection();
    const known = repeated.subject;
    const id = known ?? store.plans.chooseId();
    if (known === undefined) repeated.note(id);
    const kept = file?.path ?? (body && (await writeRows(store, body)));
    if (kept === undefined) throw notUnderstood();
    const name = toFileName(query.name ?? "", file === undefined ? "rows.json" : "file.csv");
    const { mode, profile } = query;
    try {
      store.plans.create(id, kept, { name, mode, profile, lang, by });
    } finally {
      await rm(kept, { force: true });
    }
    const waitMs = readWait(request.headers["prefer"]) * 1_000;
    if (waitMs > 0) await store.plans.settled(id, waitMs);
    const document = await readRunDocument(store, { id, lang, base });
    const status = document.state === "planning" ? 202 : 201;
    return { status, body: document, location: document.links.self };
  },
);

/** The seconds of `Prefer: wait=10`, and 0 for none. */
export function readWait(prefer: string | readonly string[] | undefined): number {
  const seconds = /(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])/iu.exec(String(prefer ?? ""))?.[1];
  return Math.min(MAX_WAIT_SECONDS, Number(seconds ?? 0));
}

/** Rows of JSON are a table as any other. */
async function writeRows(
  { site }: ProgramStore,
  { rows }: { readonly rows: readonly unknown[] },
): Promise<string> {
  const folder = join(site.folder, "programs", "incoming");
  makeFolder(folder);
  const path = join(folder, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(rows), { mode: 0o600 });
  return path;
}

interface AskedRun {
  readonly id: string;
  readonly lang: Lang;
  /** Address of the store. */
  readonly base: string;
}

/** Reads the run, or what is known of it before there is one. Throws 404 `E_RUN_UNKNOWN`. */
async function readRunDocument(store: ProgramStore, asked: AskedRun): Promise<RunDocument> {
  const connection = await store.site.store.connection();
  const run = await connection.runs.read(asked.id);
  const request = store.plans.read(asked.id);
  if (run !== undefined) {
    const view = await store.desk.readView(connection, run, asked.lang);
    return toDocument(view, { asked, cut: await findCut(connection, run, request) });
  }
  if (request === undefined) throw unknownId("E_RUN_UNKNOWN");
  return toOpenDocument(request, asked);
}

/** Why a run has no plan and gets none any more; `undefined` where it has one or is being planned. */
async function findCut(
  { locks }: Connection,
  { id, state }: Pick<RunRecord, "id" | "state">,
  request: PlanRequest | undefined,
): Promise<RunDocument["problem"] | undefined> {
  if (state !== "planning" || (await locks.holderOf(id)) !== undefined) return undefined;
  if (request === undefined || !request.isEnded) return undefined;
  return request.problem ?? { code: "E_PLAN_CUT", message: "The plan was cut off; plan it again." };
}

interface Shown {
  readonly asked: AskedRun;
  readonly cut: RunDocument["problem"] | undefined;
}

const linksOf = ({ id, base }: AskedRun): RunDocument["links"] => ({
  self: `${base}/plans/${id}`,
  rows: `${base}/plans/${id}/rows`,
  events: `${base}/runs/${id}/events`,
  approve: `${base}/plans/${id}/approve`,
  comments: `${base}/plans/${id}/comments`,
  page: `${base.replace("/v1/stores/", "/s/")}/r/${id}/preview`,
});

function toDocument(view: RunView, { asked, cut }: Shown): RunDocument {
  return {
    ...view,
    state: cut === undefined ? view.state : "failed",
    planHash: view.state === "planning" || cut !== undefined ? null : view.planHash,
    held: view.guards,
    problem: cut ?? view.problem,
    can: {
      approve: view.can.send,
      resume: view.can.resume,
      stop: view.can.stop,
      undo: view.can.undo,
    },
    links: linksOf(asked),
  };
}

const NO_COUNTS: RunDocument["counts"] = {
  rows: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  invalid: 0,
  duplicate: 0,
  held: 0,
  rejected: 0,
  waiting: 0,
  cancelled: 0,
};

const NO_PLAN: RunDocument["plan"] = {
  adds: 0,
  updates: 0,
  unchanged: 0,
  held: 0,
  invalid: 0,
  duplicate: 0,
  calls: 0,
};

/** A plan that has no run yet, or got none. */
function toOpenDocument(
  { name, by, createdAtMs, isEnded, problem }: PlanRequest,
  asked: AskedRun,
): RunDocument {
  const at = new Date(createdAtMs).toISOString();
  return {
    id: asked.id,
    kind: "import",
    name,
    by: by.name,
    approvedBy: null,
    state: isEnded ? "failed" : "planning",
    createdAt: at,
    updatedAt: at,
    of: null,
    counts: NO_COUNTS,
    planHash: null,
    plan: NO_PLAN,
    held: [],
    reasons: [],
    notes: [],
    warnings: [],
    problem,
    files: [],
    can: { approve: false, resume: false, stop: false, undo: false },
    links: linksOf(asked),
  };
}

type RunCall<Query = unknown, Body = unknown> = ProgramCall<Query, Body>;

const askedOf = ({ params, lang, base }: RunCall): AskedRun => ({
  id: params["run"] ?? "",
  lang,
  base,
});

const showRun = async (call: RunCall, status: 200 | 202 = 200): Promise<ProgramAnswer> => ({
  status,
  body: await readRunDocument(call.store, askedOf(call)),
});

const deciderOf = ({ by, lang }: RunCall): Decider => ({ by, lang });

const readRoute = (path: string, id: string, summary: string): ProgramRoute =>
  programRoute(
    {
      method: "get",
      path,
      id,
      needs: "viewer",
      summary,
      query: NOTHING,
      body: NOTHING,
      answers: { 200: "Run" },
    },
    (call) => showRun(call),
  );

const rowsRoute = programRoute(
  {
    method: "get",
    path: `${STORE}/plans/{run}/rows`,
    id: "listRows",
    needs: "viewer",
    summary: "Rows of a plan or run, with old and new values and what is wrong",
    query: rowsQuery,
    body: NOTHING,
    answers: { 200: "Rows" },
  },
  async ({ store, params, query, lang }) => {
    const { connection, run } = await openRun(store.site, params["run"] ?? "");
    const { after, limit, ...filter } = query;
    const order = await store.readOrder(connection, run, { filter, sort: undefined });
    const numbers = Array.from(order.subarray(after, after + limit));
    const rows =
      numbers.length === 0 ? [] : await readRunRows(connection, run, { rows: numbers, lang });
    const end = after + numbers.length;
    const next = end < order.length ? end : null;
    return { status: 200, body: { rows, total: order.length, next } };
  },
);

const approveRoute = programRoute(
  {
    method: "post",
    path: `${STORE}/plans/{run}/approve`,
    id: "approvePlan",
    needs: "approver",
    summary: "Send exactly the plan that was seen",
    query: NOTHING,
    body: v1ApproveBody,
    answers: { 202: "Run" },
    audit: "run.approve",
    bodyLimit: 4 * 1024 * 1024,
  },
  async (call) => {
    const { store, params, body, repeated } = call;
    const id = params["run"] ?? "";
    const { run } = await openRun(store.site, id);
    // An approval that was carried out before the server was killed is not refused as a second one.
    const isDone = repeated.subject === body.planHash && run.state !== "planned";
    if (isDone) return await showRun(call, 202);
    repeated.note(body.planHash);
    const { refused } = await approveRun(
      store.desk,
      id,
      { ...body, period: null },
      deciderOf(call),
    );
    if (refused.length > 0) throw rowsRefused(refused);
    return await showRun(call, 202);
  },
);

const commentRoute = programRoute(
  {
    method: "post",
    path: `${STORE}/plans/{run}/comments`,
    id: "commentRun",
    needs: "editor",
    summary: "Say something of a plan or a row of it to the people who decide on it",
    query: NOTHING,
    body: v1CommentBody,
    answers: { 201: "Comment" },
    audit: "run.comment",
  },
  async ({ store, params, body, comment }) => {
    const { run } = await openRun(store.site, params["run"] ?? "");
    const { id, row, text, atMs } = await comment({ run: run.id, ...body });
    return { status: 201, body: { id, row, text, at: new Date(atMs).toISOString() } };
  },
);

const stopRoute = programRoute(
  {
    method: "post",
    path: `${STORE}/plans/{run}/stop`,
    id: "stopRun",
    needs: "approver",
    summary: "Stop sending at the next safe point",
    query: NOTHING,
    body: NOTHING,
    answers: { 202: "Run" },
    audit: "run.stop",
  },
  async (call) => {
    await stopRun(call.store.desk, call.params["run"] ?? "", call);
    return await showRun(call, 202);
  },
);

const resumeRoute = programRoute(
  {
    method: "post",
    path: `${STORE}/plans/{run}/resume`,
    id: "resumeRun",
    needs: "approver",
    summary: "Go on with a run that was stopped",
    query: NOTHING,
    body: v1ResumeBody,
    answers: { 202: "Run" },
    audit: "run.resume",
  },
  async (call) => {
    const id = call.params["run"] ?? "";
    const { connection, run } = await openRun(call.store.site, id);
    const { left } = await call.store.desk.readView(connection, run, call.lang);
    await resumeRun(call.store.desk, id, { ...call.body, rows: left.rows }, deciderOf(call));
    return await showRun(call, 202);
  },
);

const undoRoute = programRoute(
  {
    method: "post",
    path: `${STORE}/plans/{run}/undo`,
    id: "undoRun",
    needs: "approver",
    summary: "Plan what takes a run back, as a plan of its own; nothing is sent",
    query: NOTHING,
    body: v1UndoBody.optional(),
    answers: { 201: "Run" },
    audit: "run.undo",
  },
  async ({ store, params, body = { zeroStock: false }, lang, by, base }) => {
    const decider = { by, lang };
    const { run: id } = await undoRun(store.desk, params["run"] ?? "", body, decider);
    const document = await readRunDocument(store, { id, lang, base });
    return { status: 201, body: document, location: document.links.self };
  },
);

const listRoute = programRoute(
  {
    method: "get",
    path: `${STORE}/runs`,
    id: "listRuns",
    needs: "viewer",
    summary: "Runs, the newest first",
    query: v1RunsQuery,
    body: NOTHING,
    answers: { 200: "Runs" },
  },
  async ({ store, query, lang }) => {
    const connection = await store.site.store.connection();
    return { status: 200, body: await readRunList({ connection, jobs: store.jobs }, query, lang) };
  },
);

const fileRoute = programRoute(
  {
    method: "get",
    path: `${STORE}/runs/{run}/files/{name}`,
    id: "downloadRunFile",
    needs: "viewer",
    summary: "A result file of a run, such as result.xlsx",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: null },
    type: "application/octet-stream",
  },
  async ({ store, params, reply }) => {
    const { run } = await openRun(store.site, params["run"] ?? "");
    const found = listResultFiles(run).find(({ name }) => name === params["name"]);
    if (found === undefined) throw fileGone();
    await reply
      .header("content-type", "application/octet-stream")
      .header("content-length", found.bytes)
      .header("content-disposition", `attachment; filename="${run.id}-${found.name}"`)
      .send(createReadStream(found.path));
    return { status: "sent" };
  },
);

const eventsRoute = programRoute(
  {
    method: "get",
    path: `${STORE}/runs/{run}/events`,
    id: "watchRun",
    needs: "viewer",
    summary: "How far a run is, as server-sent events; each is a Progress",
    query: NOTHING,
    body: NOTHING,
    answers: { 200: "Progress" },
    type: "text/event-stream",
  },
  async ({ store, params, lang, reply, watch }) => {
    const id = params["run"] ?? "";
    await openRun(store.site, id);
    watch(reply, { topic: store.progress, id, lang });
    return { status: "sent" };
  },
);

export const RUN_ROUTES: readonly ProgramRoute[] = [
  planRoute,
  readRoute(
    `${STORE}/plans/{run}`,
    "readPlan",
    "A plan: counts, warnings, and the hash to approve",
  ),
  rowsRoute,
  approveRoute,
  commentRoute,
  stopRoute,
  resumeRoute,
  undoRoute,
  listRoute,
  readRoute(`${STORE}/runs/{run}`, "readRun", "A run, from its plan to its report"),
  fileRoute,
  eventsRoute,
];
