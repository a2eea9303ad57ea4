/** Routes of runs of which something was not sent: out of the queue, or given up. */

import type { FastifyInstance } from "fastify";

import { requestLang } from "../access/request-lang.ts";
import { toProblem, toRefusal } from "../commands/command-document.ts";
import { RequestError, type Site } from "../site.ts";
import { openRun } from "./open-run.ts";
import type { ViewsOf } from "./run-view.ts";

interface RunPath {
  readonly Params: { readonly run: string };
}

interface UnsentRoutes {
  readonly site: Site;
  readonly viewsOf: ViewsOf;
}

export function addUnsent(app: FastifyInstance, { site, viewsOf }: UnsentRoutes): void {
  app.post<RunPath>("/runs/:run/unqueue", async (request) => {
    const { connection, run } = await openRun(site, request.params.run);
    const removal = await connection.memory.jobs.remove({ kind: "apply", key: run.id });
    if (removal === "taken") throw taken();
    return await viewsOf(connection).read(run, requestLang(request));
  });
  app.post<RunPath>("/runs/:run/cancel-rest", async (request) => {
    const lang = requestLang(request);
    const { connection, run } = await openRun(site, request.params.run);
    const { can } = await viewsOf(connection).read(run, lang);
    if (!can.cancelRest) throw changed();
    const words = ["release", "--cancel-rest", "--yes", `--lang=${lang}`, "--", run.id];
    const problem = toProblem(await site.startCommand(words).ended, lang);
    if (problem !== null) throw toRefusal(problem);
    const { run: now } = await openRun(site, run.id);
    return await viewsOf(connection).read(now, lang);
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
