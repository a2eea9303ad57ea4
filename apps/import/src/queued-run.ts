/** A run that is left to the workers: queued, followed and described. */

import { type Connection, describeHolder, type LockHolder } from "@catalog/connection";
import { EXIT, type Flags } from "@catalog/console";
import { formatDateTime, type Lang } from "@catalog/i18n";
import { mergeSettings, readRun } from "@catalog/importer";
import { leaveToWorkers } from "@catalog/jobs";
import { type RunRecord, toCounts } from "@catalog/runs";

import { reportApplied } from "./apply-and-report.ts";
import type { CommandContext } from "./context.ts";
import { readSettings } from "./run-settings.ts";
import { createProgress, type Progress } from "./run-view.ts";
import { textsFor } from "./texts.ts";

type JobRecord = NonNullable<Awaited<ReturnType<Connection["memory"]["jobs"]["read"]>>>;

/** A queued run whose latest attempt has failed. */
interface FailingRun {
  readonly failures: number;
  /** Why, in words, or by the exit code. */
  readonly reason: string;
  readonly againAtMs: number;
}

interface QueueTexts {
  readonly queued: (run: string) => string;
  readonly noWorker: string;
  readonly followLater: (run: string) => string;
  /** The following has ended before a worker has taken the run. */
  readonly waitsOn: (run: string) => string;
  readonly unqueued: (run: string) => string;
  /** The following begins; a process sends the run already. */
  readonly followed: (run: string, holder: LockHolder) => string;
  /** States of a run in the list of runs: it waits for a worker, or for another attempt. */
  readonly state: string;
  readonly failingState: string;
  readonly waiting: (run: string) => string;
  readonly failing: (run: string, failing: FailingRun) => string;
  /** `holder`: the process that sends; `undefined` while a worker is about to start it. */
  readonly taken: (run: string, holder: LockHolder | undefined) => string;
  readonly removed: (run: string) => string;
  /** The process was asked to stop. */
  readonly stopping: (run: string, holder: LockHolder | undefined) => string;
  readonly notQueued: (run: string) => string;
}

export const queueTexts: Readonly<Record<Lang, QueueTexts>> = {
  tr: {
    queued: (run) =>
      `Gönderim sıraya alındı (${run}). Bu pencereyi kapatabilirsiniz; bir worker gönderir.`,
    noWorker: "Bu mağaza için çalışan bir worker görünmüyor. Başlatmak için: catalog worker",
    followLater: (run) =>
      `İzleme bitti; gönderim worker'da sürüyor. Sonucu görmek için: catalog runs ${run}`,
    waitsOn: (run) =>
      `İzleme bitti; gönderim sırada bekliyor. Sıradan çıkarmak için: catalog apply ${run} --unqueue`,
    unqueued: (run) => `Gönderim sıradan çıkarılmış. Yine de göndermek için: catalog resume ${run}`,
    followed: (run, holder) =>
      `${run} gönderiliyor (${describeHolder(holder).tr}); buradan izleniyor.`,
    state: "sırada",
    failingState: "aksıyor",
    waiting: (run) =>
      `Sırada: henüz hiçbir worker göndermeye başlamadı. Sıradan çıkarmak için: catalog apply ${run} --unqueue`,
    failing: (run, { failures, reason, againAtMs }) =>
      `Gönderim ${failures === 1 ? "" : `art arda ${failures} kez `}aksadı: ${reason} ${time(againAtMs, "tr")} sularında yeniden denenecek. Vazgeçmek için: catalog apply ${run} --unqueue`,
    taken: (run, holder) =>
      `${holder === undefined ? "Bir worker göndermeye başlıyor." : `Bir worker gönderiyor (${describeHolder(holder).tr}).`} Durdurmak için: catalog apply ${run} --unqueue`,
    removed: (run) =>
      `Gönderim sıradan çıkarıldı; hiçbir worker göndermeyecek. Yine de göndermek için: catalog resume ${run}`,
    stopping: (run, holder) =>
      `${holder === undefined ? "Göndermeye başlayan worker'dan" : `Gönderen işlemden (${describeHolder(holder).tr})`} durması istendi; yoldaki istekler bitince durur, gönderilmeyen satırlar bekler. Durumu görmek için: catalog runs ${run}`,
    notQueued: (run) => `${run} sırada değil; yapılacak bir şey yok.`,
  },
  en: {
    queued: (run) =>
      `The sending is queued (${run}). You can close this window; a worker sends it.`,
    noWorker: "No worker is seen for this store. To start one: catalog worker",
    followLater: (run) =>
      `No longer followed; a worker goes on with the sending. To see the outcome: catalog runs ${run}`,
    waitsOn: (run) =>
      `No longer followed; the sending waits in the queue. To take it out: catalog apply ${run} --unqueue`,
    unqueued: (run) =>
      `The sending was taken out of the queue. To send all the same: catalog resume ${run}`,
    followed: (run, holder) =>
      `${run} is being sent (${describeHolder(holder).en}); following it from here.`,
    state: "queued",
    failingState: "failing",
    waiting: (run) =>
      `In the queue: no worker has begun to send it. To take it out: catalog apply ${run} --unqueue`,
    failing: (run, { failures, reason, againAtMs }) =>
      `Sending has failed${failures === 1 ? "" : ` ${failures} times in a row`}: ${reason} It is tried again about ${time(againAtMs, "en")}. To give it up: catalog apply ${run} --unqueue`,
    taken: (run, holder) =>
      `${holder === undefined ? "A worker is about to send it." : `A worker is sending it (${describeHolder(holder).en}).`} To stop it: catalog apply ${run} --unqueue`,
    removed: (run) =>
      `The sending was taken out of the queue; no worker will send it. To send all the same: catalog resume ${run}`,
    stopping: (run, holder) =>
      `${holder === undefined ? "The worker that is about to send it" : `The process that sends it (${describeHolder(holder).en})`} was asked to stop; it stops once the requests under way have ended, and rows that were not sent wait. To see the state: catalog runs ${run}`,
    notQueued: (run) => `${run} is not in the queue; there is nothing to do.`,
  },
};

function time(atMs: number, lang: Lang): string {
  return formatDateTime(atMs, lang, { timeStyle: "medium" });
}

/** The run as it was left to the workers, and the command that did so. */
export interface QueuedRun {
  readonly command: string;
  readonly flags: Flags;
  readonly run: RunRecord;
}

/** The job of a run that is left to the workers. */
const toJob = ({ run }: Pick<QueuedRun, "run">) => ({ kind: "apply", key: run.id }) as const;

/** How its job ended. */
type JobResult = NonNullable<JobRecord["result"]>;

/** Leaves the run to the workers, with the settings of the flags. */
export async function queueRun(
  { lang, terminal, json, quiet }: CommandContext,
  connection: Pick<Connection, "runs" | "memory">,
  queued: QueuedRun,
): Promise<QueuedRun> {
  const { run, flags } = queued;
  const settings = mergeSettings(run.settings, readSettings(flags));
  await leaveToWorkers(connection, run, { settings, lang });
  if (!json && !quiet) terminal.err(`\n${queueTexts[lang].queued(run.id)}\n`);
  return queued;
}

/** Shows how far the worker is, and reports the run at its end. Returns the exit code. */
export async function followQueued(
  context: CommandContext,
  connection: Connection,
  queued: QueuedRun,
): Promise<number> {
  const ended = await untilEnded(context, connection, queued);
  if (ended === undefined) return await tellUnfollowed(context, connection, queued);
  const exit = toExit(ended);
  const { code, message } = ended;
  const error = code === null ? undefined : { code, message: message ?? code };
  const run = await readRun(connection, queued.run.id);
  await reportApplied(context, connection, { ...queued, known: queued.run, run, exit, error });
  return exit;
}

/** Tells why the run is followed no more, and what can be done about it. Returns the exit code. */
async function tellUnfollowed(
  { lang, terminal, stop }: CommandContext,
  { memory }: Pick<Connection, "memory">,
  queued: QueuedRun,
): Promise<number> {
  const texts = queueTexts[lang];
  const { id } = queued.run;
  if (!stop.aborted) {
    terminal.err(`\n${texts.unqueued(id)}\n`);
    return EXIT.stopped;
  }
  const isTaken = (await memory.jobs.read(toJob(queued)))?.isTaken === true;
  terminal.err(`\n${isTaken ? texts.followLater(id) : texts.waitsOn(id)}\n`);
  return EXIT.interrupted;
}

const EXITS: ReadonlySet<number> = new Set(Object.values(EXIT));

/** A process that died, or could not be started, has left the run to be resumed. */
const toExit = ({ exit }: JobResult): number => (EXITS.has(exit) ? exit : EXIT.stopped);

/** Time between two looks at the job, in milliseconds. */
const LOOK_MS = 1_000;

/** Time after which a job that nobody has taken is mentioned. */
const TAKEN_WITHIN_MS = 10_000;

/** Waits for the end; `undefined` where the command was stopped, or nobody sends the run. */
async function untilEnded(
  context: CommandContext,
  connection: Connection,
  { run }: QueuedRun,
): Promise<JobResult | undefined> {
  const { lang, terminal, clock, stop, onProgress } = context;
  const quiet = context.quiet || context.json;
  const progress = createProgress({ terminal, clock, texts: textsFor(lang), quiet, onProgress });
  const showSent = await createSentCount(connection, run, progress);
  const { jobs } = connection.memory;
  const notices = createNotices(context, jobs, progress);
  try {
    for (;;) {
      const { holder, ...found } = await look(connection, run);
      if (found.isOver) return found.job?.result ?? (await readEnd(connection, run));
      const { job } = found;
      if (holder !== undefined || job?.isTaken === true) await showSent();
      if (job === undefined) notices.followed(run.id, holder);
      else notices.queued(job);
      await clock.sleep(LOOK_MS, stop);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
    return undefined;
  } finally {
    progress.end();
  }
}

interface FollowedRun {
  readonly holder: LockHolder | undefined;
  readonly job: JobRecord | undefined;
  readonly isOver: boolean;
}

async function look({ locks, memory }: Connection, run: RunRecord): Promise<FollowedRun> {
  // Before the job: a process that ends meanwhile has stored how by then.
  const holder = await locks.holderOf(run.id);
  const job = await memory.jobs.read(toJob({ run }));
  const isOver = job === undefined ? holder === undefined : job.result !== undefined;
  return { holder, job, isOver };
}

/** How a run has ended that no job knows of; `undefined` where it was left before its end. */
async function readEnd(connection: Connection, known: RunRecord): Promise<JobResult | undefined> {
  const { state, progress } = await readRun(connection, known.id);
  const { ended } = progress;
  const isNew = ended !== undefined && ended.atMs !== known.progress.ended?.atMs;
  if (ended === undefined || !(state === "finished" || isNew)) return undefined;
  return { exit: ended.exit, code: null, message: null };
}

/** Creates the function that shows how many of the rows to send have been sent. */
async function createSentCount(
  { journal }: Pick<Connection, "journal">,
  { id }: RunRecord,
  progress: Progress,
): Promise<() => Promise<void>> {
  const total = toCounts(await journal.countRows(id)).pending;
  return async () => {
    const { pending, unknown } = toCounts(await journal.countRows(id));
    progress.show({ phase: "send", done: Math.max(0, total - pending - unknown), total });
  };
}

interface Notices {
  /** The run is sent by a process that no job knows of. */
  followed(run: string, holder: LockHolder | undefined): void;
  /** Where no worker has the job, it may be overdue, or its latest attempt has failed. */
  queued(job: JobRecord): void;
}

/** Creates the functions that say each thing once. */
function createNotices(
  { lang, terminal, quiet, json }: CommandContext,
  jobs: Pick<Connection["memory"]["jobs"], "nowMs">,
  progress: Progress,
): Notices {
  const texts = queueTexts[lang];
  let told: string | undefined;
  const tellOnce = (key: string, text: string): void => {
    if (quiet || json || told === key) return;
    told = key;
    progress.end();
    terminal.err(`${text}\n`);
  };
  return {
    followed(run, holder) {
      if (holder !== undefined) tellOnce("followed", texts.followed(run, holder));
    },
    queued(job) {
      if (job.isTaken) return;
      if (job.failure !== undefined) {
        tellOnce(
          `failed ${job.failures}`,
          `! ${texts.failing(job.key, toFailing(job, job.failure))}`,
        );
      } else if (jobs.nowMs() - job.notBeforeMs > TAKEN_WITHIN_MS) {
        tellOnce("no worker", `! ${texts.noWorker}`);
      }
    },
  };
}

/** A failure of an attempt, for {@link queueTexts}. */
export const toFailing = (
  { failures, notBeforeMs }: Pick<JobRecord, "failures" | "notBeforeMs">,
  { exit, code, message }: JobResult,
): FailingRun => ({
  failures,
  againAtMs: notBeforeMs,
  reason: message ?? `${code ?? "E_COMMAND"} (${exit}).`,
});
