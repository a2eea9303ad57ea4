/** Runs `catalog worker`. */

import { join } from "node:path";

import { EXIT, type Flags, ORIGIN_VARIABLE, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { nameOfFeed } from "@catalog/feed-sync/feed-name";
import { createStartCommand, runStoreSchedules, type ScheduleEvent } from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import type { WorkerParts } from "./index.ts";
import { openMetrics, readMetricsPort } from "./open-metrics.ts";
import { type WorkerTexts, WORKER_TEXTS } from "./texts.ts";

/** Starts the syncs until the command is stopped; a sync under way stops with it. */
export async function runWorkerCommand(
  context: CommandContext,
  { program, cwd, env, readHome }: WorkerParts,
  flags: Flags,
): Promise<number> {
  const { lang, stop } = context;
  const port = readMetricsPort(flags);
  await using connection = await context.openConnection();
  await using _ = port === undefined ? null : await openMetrics(context, connection, port);
  const home = await readHome();
  await runStoreSchedules(connection, {
    command: "catalog worker",
    startCommand: createStartCommand({
      program,
      cwd,
      env: () => ({ ...env, [ORIGIN_VARIABLE]: "schedule" }),
      folder: () => join(home, "worker"),
      isAwaited: true,
    }),
    lang,
    stop,
    stopsSyncs: true,
    onEvent: createTeller(context),
  });
  if (!context.json) context.terminal.err(`${WORKER_TEXTS[lang].ended}\n`);
  return EXIT.done;
}

/** Tells each event, and a wait only when it is another one than before. */
function createTeller({
  terminal,
  lang,
  json,
  quiet,
}: CommandContext): (event: ScheduleEvent) => void {
  const texts = WORKER_TEXTS[lang];
  let waiting: string | undefined;
  return (event) => {
    const document = toDocument(event);
    const text = JSON.stringify(document);
    if (event.event === "waiting" && text === waiting) return;
    waiting = event.event === "waiting" ? text : undefined;
    if (json) printJson(terminal, document);
    else if (!quiet || event.event === "ended") {
      const shown = terminal.shown(describe(event, texts));
      terminal.err(`${wrapText(shown, { columns: terminal.columns - 1, indent: 2 })}\n`);
    }
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

function toDocument(event: ScheduleEvent): Readonly<Record<string, unknown>> {
  const base = { command: "worker", event: event.event };
  if (event.event === "leading" || event.event === "following") return base;
  if (event.event === "waiting") {
    const { next } = event;
    return {
      ...base,
      schedule: next?.schedule.id ?? null,
      next: next === undefined ? null : toIso(next.atMs),
    };
  }
  const { schedule, atMs } = event;
  const started = {
    ...base,
    schedule: schedule.id,
    feed: nameOfFeed(schedule.feed),
    due: toIso(atMs),
  };
  if (event.event === "started") return { ...started, pid: event.pid ?? null };
  const { exit, run, code, message } = event.result;
  return { ...started, exit, run, code, message, retried: event.isRetried };
}

function describe(event: ScheduleEvent, texts: WorkerTexts): string {
  if (event.event === "leading") return texts.leading;
  if (event.event === "following") return texts.following;
  if (event.event === "started") return texts.started(nameOfFeed(event.schedule.feed));
  if (event.event === "ended") return texts.synced(event);
  const { next } = event;
  if (next === undefined) return texts.nothing;
  return texts.waiting(next.atMs, nameOfFeed(next.schedule.feed));
}
