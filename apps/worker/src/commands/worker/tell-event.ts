/** Tells what a worker does, for people or as lines of JSON. */

import { printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { nameOfFeed } from "@catalog/importer/feed-name";
import type { JobEvent, ScheduleEvent } from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { type WorkerTexts, WORKER_TEXTS } from "./texts.ts";

export type WorkerEvent = ScheduleEvent | JobEvent;

/** Tells each event, and a wait only when it is another one than before; `store` is named if given. */
export function createTeller(
  { terminal, lang, json, quiet }: CommandContext,
  store: string | undefined,
): (event: WorkerEvent) => void {
  const texts = WORKER_TEXTS[lang];
  let waiting: string | undefined;
  return (event) => {
    const named = store === undefined ? {} : { store };
    const document = { command: "worker", event: event.event, ...named, ...toDocument(event) };
    const text = JSON.stringify(document);
    if (event.event === "waiting" && text === waiting) return;
    if (!("job" in event)) waiting = event.event === "waiting" ? text : undefined;
    if (json) printJson(terminal, document);
    else if (!quiet || event.event === "ended") {
      const line = describe(event, texts);
      const shown = terminal.shown(store === undefined ? line : `${store}: ${line}`);
      terminal.err(`${wrapText(shown, { columns: terminal.columns - 1, indent: 2 })}\n`);
    }
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

function toDocument(event: WorkerEvent): Readonly<Record<string, unknown>> {
  if ("job" in event) return toJobDocument(event);
  if (event.event === "leading" || event.event === "following") return {};
  if (event.event === "waiting") {
    const { next } = event;
    return {
      schedule: next?.schedule.id ?? null,
      next: next === undefined ? null : toIso(next.atMs),
    };
  }
  const { schedule, atMs } = event;
  const started = { schedule: schedule.id, feed: nameOfFeed(schedule.feed), due: toIso(atMs) };
  if (event.event === "started") return { ...started, pid: event.pid ?? null };
  const { exit, run, code, message } = event.result;
  return { ...started, exit, run, code, message, retried: event.isRetried };
}

function toJobDocument(event: JobEvent): Readonly<Record<string, unknown>> {
  const { kind, key: run } = event.job;
  if (event.event === "started") return { kind, run, pid: event.pid ?? null };
  const { exit, code, message } = event.result;
  return { kind, run, exit, code, message, retried: event.isRetried };
}

function describe(event: WorkerEvent, texts: WorkerTexts): string {
  if ("job" in event) {
    return event.event === "started" ? texts.sending(event.job.key) : texts.sent(event);
  }
  if (event.event === "leading") return texts.leading;
  if (event.event === "following") return texts.following;
  if (event.event === "started") return texts.started(nameOfFeed(event.schedule.feed));
  if (event.event === "ended") return texts.synced(event);
  const { next } = event;
  if (next === undefined) return texts.nothing;
  return texts.waiting(next.atMs, nameOfFeed(next.schedule.feed));
}
