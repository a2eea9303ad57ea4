/** Routes of runs: history, plan, sending, report. */

import { createReadStream } from "node:fs";

import { removeFromQueue } from "@catalog/jobs";
import { listResultFiles } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";
import type { FastifyInstance, FastifyRequest } from "fastify";

import {
  approveBody,
  changePeriodBody,
  releaseBody,
  resumeBody,
  runOrderQuery,
  runsQuery,
  undoBody,
} from "../../api/runs.ts";
import { noteChange } from "../audit.ts";
import { toProblem, toRefusal } from "../failures.ts";
import { makerOf, needs } from "../needs.ts";
import { readNumbers, sendNumbers } from "../numbers.ts";
import {
  type AddRoutes,
  parseInput,
  RequestError,
  requestLang,
  type Site,
  type Topic,
} from "../site.ts";
import {
  approveRun,
  type Decider,
  openRun,
  releaseHeld,
  resumeRun,
  type RunDesk,
  stopRun,
  undoRun,
} from "./run-decisions.ts";
import type { RunJobs } from "./run-jobs.ts";
import { changeRunPeriod } from "./run-period.ts";
import { createReadRunOrder, readRunRows } from "./run-rows.ts";
import { readRunList } from "./run-summary.ts";
import { createReadRunView } from "./run-view.ts";

const deciderOf = (request: FastifyRequest): Decider => ({
  by: makerOf(request),
  lang: requestLang(request),
});

interface RunPath {
  readonly Params: { readonly run: string };
}

function addUnsent(app: FastifyInstance, { site, readView }: RunDesk): void {
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
    const problem = toProblem(await site.startCommand(words, makerOf(request)).ended, lang);
    if (problem !== null) throw toRefusal(problem);
    const { run: now } = await openRun(site, run.id);
    return await readView(connection, now, lang);
  });
}

/** Moving or taking away the times of a run that was approved, or giving some to one that was sent. */
function addPeriod(app: FastifyInstance, { site, readView }: RunDesk): void {
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

function addReads(app: FastifyInstance, { site, jobs, readView }: RunDesk): void {
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

/** Sending a plan, and deciding on held rows. */
function addDecisions(app: FastifyInstance, desk: RunDesk): void {
  app.post<RunPath>(
    "/runs/:run/send",
    { ...needs("approver"), ...LARGE },
    async (request, reply) => {
      const body = parseInput(approveBody, request.body);
      const { planHash, release, hold, canary } = body;
      const rows = { released: release.length, held: hold.length };
      noteChange(request, { after: { planHash, ...rows, canary: canary ?? null } });
      const decider = deciderOf(request);
      return await reply.code(202).send(await approveRun(desk, request.params.run, body, decider));
    },
  );
  app.post<RunPath>(
    "/runs/:run/release",
    { ...needs("approver"), ...LARGE },
    async (request, reply) => {
      const body = parseInput(releaseBody, request.body);
      noteChange(request, { after: { decision: body.decision, rows: body.rows.length } });
      const decider = deciderOf(request);
      return await reply.code(202).send(await releaseHeld(desk, request.params.run, body, decider));
    },
  );
}

/** Numbers of up to 200,000 rows. */
const LARGE = { bodyLimit: 4 * 1024 * 1024 } as const;

/** Commands that continue a run, stop it, or plan another run from it. */
function addCommands(app: FastifyInstance, desk: RunDesk): void {
  app.post<RunPath>("/runs/:run/resume", needs("approver"), async (request, reply) => {
    const body = parseInput(resumeBody, request.body);
    const { planHash, rows, priceUnit } = body;
    noteChange(request, { after: { planHash, rows, priceUnit: priceUnit ?? null } });
    const decider = deciderOf(request);
    return await reply.code(202).send(await resumeRun(desk, request.params.run, body, decider));
  });
  app.post<RunPath>("/runs/:run/stop", needs("approver"), async (request, reply) => {
    const lang = requestLang(request);
    return await reply.code(202).send(await stopRun(desk, request.params.run, { lang }));
  });
  app.post<RunPath>("/runs/:run/undo", needs("approver"), async (request) => {
    const body = parseInput(undoBody, request.body);
    return await undoRun(desk, request.params.run, body, deciderOf(request));
  });
  app.post<RunPath>("/runs/:run/retry", needs("editor"), async (request) => {
    const { site, jobs } = desk;
    const { run } = await openRun(site, request.params.run);
    const words = ["--", run.id];
    const decider = deciderOf(request);
    return await jobs.prepare(site, { of: run.id, what: "retry", words, ...decider });
  });
}
