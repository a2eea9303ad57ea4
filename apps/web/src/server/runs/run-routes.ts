/** Routes of runs: history, plan, sending, report. */

import { createReadStream } from "node:fs";

import { type Connection, priceUnitOf } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  approvePeriod,
  assertDraftCurrent,
  assertPlanCurrent,
  type DecidedRow,
  findUncompared,
  lockForRelease,
  mergeSettings,
  readRun,
  readWholeRun,
  type ReleasedRows,
  releaseRows,
  setAside,
  toSending,
} from "@catalog/importer";
import { leaveToWorkers, removeFromQueue, stopSending } from "@catalog/jobs";
import { listResultFiles } from "@catalog/report";
import { type RowRecord, type RunRecord, toCounts } from "@catalog/runs";
import type { FastifyInstance } from "fastify";

import {
  type ApproveBody,
  approveBody,
  changePeriodBody,
  type DecisionResult,
  type RefusedRow,
  releaseBody,
  type ResumeBody,
  resumeBody,
  runOrderQuery,
  runsQuery,
  type RunView,
  undoBody,
} from "../../api/runs.ts";
import { toProblem, toRefusal } from "../failures.ts";
import { needs } from "../needs.ts";
import { readNumbers, sendNumbers } from "../numbers.ts";
import { plainText } from "../plain-advice.ts";
import {
  type AddRoutes,
  parseInput,
  RequestError,
  requestLang,
  type Site,
  type Topic,
} from "../site.ts";
import type { RunJobs } from "./run-jobs.ts";
import { changeRunPeriod, readApproval } from "./run-period.ts";
import { createReadRunOrder, readRunRows } from "./run-rows.ts";
import { nameRunsIn, readRunList } from "./run-summary.ts";
import { createReadRunView, type ReadRunView } from "./run-view.ts";

interface OpenedRun {
  readonly connection: Connection;
  readonly run: RunRecord;
}

/** Throws `CatalogError` `E_RUN_UNKNOWN` where the store has no such run. */
async function openRun({ store }: Pick<Site, "store">, id: string): Promise<OpenedRun> {
  const connection = await store.connection();
  return { connection, run: await readRun(connection, id) };
}

interface SendOnOptions {
  readonly lang: Lang;
  /** The command that sends the run, with its flags, where the workers do not. */
  readonly words: readonly string[];
  /** Approves a plan of which nothing was sent. @default the run is gone on with */
  readonly approval?: { readonly canary: number | undefined } | undefined;
}

/**
 * Sends the rows of a run by what sent it before: a run that was left to the workers stays theirs
 * until it is taken out of the queue, any other one is sent by a command of the page, never by both.
 * Returns whether it was started or queued; `false` where a command of the page is at work.
 */
async function sendOn(
  { connection, jobs }: { readonly connection: Connection; readonly jobs: RunJobs },
  run: RunRecord,
  { lang, words, approval }: SendOnOptions,
): Promise<boolean> {
  const job = { kind: "apply", key: run.id } as const;
  // Its end, such as a stop, is kept for a week; taking it out of the queue removes it.
  if ((await connection.memory.jobs.read(job)) === undefined) return jobs.send(run.id, words);
  if (approval !== undefined) await assertPlanCurrent(connection, run);
  jobs.forget(run.id);
  const settings = approval === undefined ? run.settings : mergeSettings(run.settings, approval);
  await leaveToWorkers(connection, run, { settings, lang });
  return true;
}

const BATCH_ROWS = 500;

interface Decisions {
  readonly run: RunRecord;
  /** Held rows that are sent. */
  readonly release: readonly number[];
  /** Held rows that are given up. */
  readonly cancel: readonly number[];
  /** Planned rows that are not sent. */
  readonly hold: readonly number[];
  readonly by: string;
  readonly lang: Lang;
}

interface Decided {
  readonly refused: readonly RefusedRow[];
  /** What sends the released rows. */
  readonly sentBy: ReleasedRows["sentBy"];
}

/**
 * Records the decisions under the lock of the store. Rows that are not held any more are left out.
 * Throws `DatabaseError` `E_STORE_BUSY`.
 */
async function recordDecisions(
  connection: Connection,
  { run, release, cancel, hold, by, lang }: Decisions,
): Promise<Decided> {
  await using _lock = await lockForRelease(connection, run, "catalog web");
  await setAside(connection, { run, rows: hold, by });
  const decided: DecidedRow[] = [];
  for await (const record of readHeld(connection, run, new Set([...release, ...cancel]))) {
    const isCancelled = cancel.includes(record.row);
    const isUncompared = (await findUncompared(connection, run, [record])).length > 0;
    // A price that was never compared may be 100 times off; it waits until the unit is known.
    const sending = isUncompared ? ({ kind: "resend" } as const) : toSending(record);
    decided.push({ record, release: isCancelled ? { kind: "cancel" } : sending });
  }
  const { released, sentBy } = await releaseRows(connection, { run, decided, by });
  const refused = released.flatMap((row) =>
    row.to === "held" ? [{ row: row.row, message: plainText(row.why[lang]) }] : [],
  );
  return { refused: await nameRunsIn(connection, refused, lang), sentBy };
}

async function* readHeld(
  { journal }: Connection,
  { id }: RunRecord,
  wanted: ReadonlySet<number>,
): AsyncGenerator<RowRecord> {
  let after = 0;
  while (wanted.size > 0) {
    const rows = await journal.readRows(id, { states: ["held"], after, limit: BATCH_ROWS });
    yield* rows.filter(({ row }) => wanted.has(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.row;
  }
}

interface RunPath {
  readonly Params: { readonly run: string };
}

function addUnsent(app: FastifyInstance, { site, readView }: RunRoutes): void {
  app.post<RunPath>("/runs/:run/unqueue", needs("approver"), async (request) => {
    const { connection, run } = await openRun(site, request.params.run);
    const removal = await removeFromQueue(connection, run.id);
    if (removal === "taken") throw taken();
    return await readView(connection, run, requestLang(request));
  });
  app.post<RunPath>("/runs/:run/cancel-rest", needs("approver"), async (request) => {
    const lang = requestLang(request);
    const { connection, run } = await openRun(site, request.params.run);
    const { can } = await readView(connection, run, lang);
    if (!can.cancelRest) throw changed();
    const words = ["release", "--cancel-rest", "--yes", `--lang=${lang}`, "--", run.id];
    const problem = toProblem(await site.startCommand(words).ended, lang);
    if (problem !== null) throw toRefusal(problem);
    const { run: now } = await openRun(site, run.id);
    return await readView(connection, now, lang);
  });
}

/** Moving or taking away the times of a run that was approved, or giving some to one that was sent. */
function addPeriod(app: FastifyInstance, { site, readView }: RunRoutes): void {
  app.post<RunPath>("/runs/:run/period", needs("approver"), async (request) => {
    const body = parseInput(changePeriodBody, request.body);
    const { connection, run } = await openRun(site, request.params.run);
    await changeRunPeriod(connection, run, body);
    return await readView(connection, run, requestLang(request));
  });
}

function taken(): RequestError {
  return new RequestError(409, "E_RUN_TAKEN", {
    tr: "Gönderim bu arada başladı; artık sıradan çıkarılamaz. Durdurmak için Duraklat'a basın.",
    en: "The sending has begun meanwhile and cannot be taken out of the queue any more. To stop it, press Pause.",
  });
}

function changed(): RequestError {
  return new RequestError(409, "E_RUN_CHANGED", {
    tr: "Gönderimin durumu bu arada değişti; hiçbir satırdan vazgeçilmedi.",
    en: "The run has changed meanwhile; no row was given up.",
  });
}

export function createRunRoutes(jobs: RunJobs, progress: Topic): AddRoutes {
  const readView = createReadRunView(jobs);
  return (app, site) => {
    addReads(app, { site, jobs, readView });
    addProgress(app, site, progress);
    addDecisions(app, { site, jobs, readView });
    addCommands(app, { site, jobs, readView });
    addUnsent(app, { site, jobs, readView });
    addPeriod(app, { site, jobs, readView });
  };
}

function addReads(app: FastifyInstance, { site, jobs, readView }: RunRoutes): void {
  app.get("/runs", needs("viewer"), async (request) =>
    readRunList(
      { connection: await site.store.connection(), jobs },
      parseInput(runsQuery, request.query),
      requestLang(request),
    ),
  );
  app.get<RunPath>("/runs/:run", needs("viewer"), async (request) => {
    const { connection, run } = await openRun(site, request.params.run);
    return await readView(connection, run, requestLang(request));
  });
  const readOrder = createReadRunOrder();
  app.get<RunPath>("/runs/:run/order", needs("viewer"), async (request, reply) => {
    const { connection, run } = await openRun(site, request.params.run);
    const listing = parseInput(runOrderQuery, request.query);
    return await sendNumbers(reply, await readOrder(connection, run, listing));
  });
  app.get<RunPath>("/runs/:run/rows", needs("viewer"), async (request) => {
    const { connection, run } = await openRun(site, request.params.run);
    const rows = readNumbers(request.query);
    return await readRunRows(connection, run, { rows, lang: requestLang(request) });
  });
  app.get<{ readonly Params: { readonly run: string; readonly name: string } }>(
    "/runs/:run/files/:name",
    needs("viewer"),
    async (request, reply) => {
      const { run } = await openRun(site, request.params.run);
      const { path, bytes } = findFile(run, request.params.name);
      return await reply
        .header("content-type", "application/octet-stream")
        .header("content-length", bytes)
        .header("content-disposition", `attachment; filename="${run.id}-${request.params.name}"`)
        .send(createReadStream(path));
    },
  );
}

/** What events report of a run, for pages that get none. */
function addProgress(app: FastifyInstance, site: Site, progress: Topic): void {
  app.get<RunPath>("/runs/:run/progress", needs("viewer"), async (request) => {
    const { run } = await openRun(site, request.params.run);
    return await progress.read(run.id, requestLang(request));
  });
}

/** Only files of a fixed list are served, so that no name reaches the file system. */
function findFile(run: RunRecord, name: string): ReturnType<typeof listResultFiles>[number] {
  const found = listResultFiles(run).find((file) => file.name === name);
  if (found === undefined) {
    throw new RequestError(404, "E_FILE_GONE", {
      tr: "Bu dosya artık yok; çalıştırmanın raporunu yeniden açın.",
      en: "This file is gone; open the report of the run again.",
    });
  }
  return found;
}

interface RunRoutes {
  readonly site: Site;
  readonly jobs: RunJobs;
  readonly readView: ReadRunView;
}

/** Sending a plan, and deciding on held rows. */
function addDecisions(app: FastifyInstance, { site, jobs, readView }: RunRoutes): void {
  app.post<RunPath>(
    "/runs/:run/send",
    { ...needs("approver"), ...LARGE },
    async (request, reply) => {
      const body = parseInput(approveBody, request.body);
      const lang = requestLang(request);
      const { connection, run } = await openRun(site, request.params.run);
      const view = await readView(connection, run, lang);
      await assertApproved(connection, { run, view, body });
      // The command of another approval would find the lock taken that these decisions are noted under.
      if (!view.can.send || jobs.isSending(run.id)) throw stale(run);
      const period = await readApproval(connection, run, body.period);
      const decisions = { run, release: body.release, hold: body.hold, cancel: [] };
      const { refused } = await recordDecisions(connection, { ...decisions, by: site.user, lang });
      const isStarted = refused.length === 0;
      const { canary } = body;
      if (isStarted) await approvePeriod(connection, run.id, period);
      const flags = canary === undefined ? [] : [`--canary=${canary}`];
      const sending = { lang, words: ["apply", "--yes", `--lang=${lang}`, ...flags] };
      const approved = { ...sending, approval: { canary } };
      // Another approval of the same plan may have come first.
      if (isStarted && period?.startAtMs !== undefined) {
        const settings = mergeSettings(run.settings, { canary });
        await leaveToWorkers(connection, run, { settings, lang, isLater: true });
      } else if (isStarted && !(await sendOn({ connection, jobs }, run, approved)))
        throw stale(run);
      const now = await readView(connection, await readRun(connection, run.id), lang);
      const result: DecisionResult = { run: now, refused, isStarted };
      return await reply.code(202).send(result);
    },
  );
  app.post<RunPath>(
    "/runs/:run/release",
    { ...needs("approver"), ...LARGE },
    async (request, reply) => {
      const { rows, decision } = parseInput(releaseBody, request.body);
      const lang = requestLang(request);
      const connection = await site.store.connection();
      const run = await readWholeRun(connection, request.params.run);
      const release = decision === "send" ? rows : [];
      const cancel = decision === "cancel" ? rows : [];
      const decisions = { run, release, cancel, hold: [], by: site.user, lang };
      const { refused, sentBy } = await recordDecisions(connection, decisions);
      const isToSend = run.state !== "planned" && (sentBy === "apply" || sentBy === "resume");
      const words = ["resume", "--yes", `--lang=${lang}`];
      const isStarted = isToSend && (await sendOn({ connection, jobs }, run, { lang, words }));
      const now = await readView(connection, await readRun(connection, run.id), lang);
      const result: DecisionResult = { run: now, refused, isStarted };
      return await reply.code(202).send(result);
    },
  );
}

/** Numbers of up to 200,000 rows. */
const LARGE = { bodyLimit: 4 * 1024 * 1024 } as const;

/** Commands that continue a run, stop it, or plan another run from it. */
function addCommands(app: FastifyInstance, { site, jobs, readView }: RunRoutes): void {
  app.post<RunPath>("/runs/:run/resume", needs("approver"), async (request, reply) => {
    const body = parseInput(resumeBody, request.body);
    const lang = requestLang(request);
    const { connection, run } = await openRun(site, request.params.run);
    const view = await readView(connection, run, lang);
    if (view.state === "sending") return await reply.code(202).send(view);
    await assertApproved(connection, { run, view, body });
    if (!canGoOn(run, view, body)) throw stale(run);
    const { priceUnit } = body;
    const unit = priceUnit === undefined ? [] : [`--price-unit=${priceUnit}`];
    // A plan whose approval was paused before its first row is sent as it was approved.
    const paused = run.state === "planned" && jobs.isPaused(run.id) ? jobs.wordsOf(run.id) : null;
    const words = paused ?? ["resume", "--yes", `--lang=${lang}`, ...unit];
    // A worker reads it from the store, a command from its flags.
    if (priceUnit !== undefined) await priceUnitOf(connection).save(priceUnit, "person");
    await sendOn({ connection, jobs }, run, { lang, words });
    return await reply.code(202).send(await readView(connection, run, lang));
  });
  app.post<RunPath>("/runs/:run/stop", needs("approver"), async (request, reply) => {
    const { connection, run } = await openRun(site, request.params.run);
    const view = await readView(connection, run, requestLang(request));
    if (view.can.stop && !jobs.pause(run.id)) await stopSending(connection, run.id);
    return await reply.code(202).send(view);
  });
  app.post<RunPath>("/runs/:run/undo", needs("approver"), async (request) => {
    const { zeroStock, fields } = parseInput(undoBody, request.body);
    const { connection, run } = await openRun(site, request.params.run);
    if (!zeroStock) await assertRestorable(connection, run);
    const words = [
      ...(zeroStock ? ["--zero-stock"] : []),
      ...(fields === undefined ? [] : [`--fields=${fields.join(",")}`]),
      "--",
      run.id,
    ];
    const lang = requestLang(request);
    return await jobs.prepare(site, { of: run.id, what: "undo", words, lang });
  });
  app.post<RunPath>("/runs/:run/retry", needs("editor"), async (request) => {
    const { run } = await openRun(site, request.params.run);
    const words = ["--", run.id];
    const lang = requestLang(request);
    return await jobs.prepare(site, { of: run.id, what: "retry", words, lang });
  });
}

interface Approved {
  readonly run: RunRecord;
  readonly view: RunView;
  readonly body: Pick<ApproveBody, "planHash">;
}

/** Throws where the run is not as the person has seen it who wants it sent. */
async function assertApproved(
  connection: Connection,
  { run, view, body }: Approved,
): Promise<void> {
  if (run.state === "planned") await assertDraftCurrent(connection, run);
  if (view.planHash !== body.planHash) throw stale(run);
}

/** Whether going on sends the rows that the person has agreed to, and no others. */
function canGoOn(run: RunRecord, { can, left }: RunView, { rows, priceUnit }: ResumeBody): boolean {
  const isUnitGiven = priceUnit !== undefined;
  const isPossible = can.resume || (run.state === "planned" ? can.send : isUnitGiven);
  return isPossible && rows === (isUnitGiven ? left.withUnit : left.rows);
}

/** Throws where the run has only added products, as there is no old value to go back to. */
async function assertRestorable({ journal }: Connection, { id }: RunRecord): Promise<void> {
  const { added, updated } = toCounts(await journal.countRows(id));
  if (added === 0 || updated > 0) return;
  throw new RequestError(409, "E_UNDO_ADDS", {
    tr: "Bu gönderim yalnızca ürün ekledi ve pazaryerinde ürün silinemez; eski hâline dönecek bir şey yok. Satışlarını durdurmak için stoklarını 0 yapmayı işaretleyin.",
    en: "This run has only added products, and the marketplace cannot delete them; there is nothing to go back to. To stop their sale, tick setting their stock to 0.",
  });
}

function stale({ state }: RunRecord): RequestError {
  if (state !== "planned") {
    return new RequestError(409, "E_RUN_CHANGED", {
      tr: "Gönderim bu arada değişti; kalan satırlara bakıp yeniden onaylayın. Başka bir şey gönderilmedi.",
      en: "The run has changed meanwhile; look at the rows that are left and approve them again. Nothing else was sent.",
    });
  }
  return new RequestError(409, "E_PLAN_STALE", {
    tr: "Plan bu arada değişti; yenisine bakıp yeniden onaylayın. Hiçbir şey gönderilmedi.",
    en: "The plan has changed meanwhile; look at the new one and approve it again. Nothing was sent.",
  });
}
