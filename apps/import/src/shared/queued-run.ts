/** A run that is left to the workers, and followed until one of them has sent it. */

import type { Connection, LockHolder } from "@catalog/connection";
import { EXIT, type Flags } from "@catalog/console";
import { mergeSettings, readRun } from "@catalog/importer";
import { type JobKey, type JobRecord, type JobResult, leaveToWorkers } from "@catalog/jobs";
import { type RunRecord, toCounts } from "@catalog/runs";

import type { CommandContext } from "../context.ts";
import { reportApplied } from "./apply-and-report.ts";
import { createProgress, type Progress } from "./progress.ts";
import { type FailingRun, queueTexts } from "./queue-texts.ts";
import { readSettings } from "./run-settings.ts";
import { textsFor } from "./texts.ts";

/** The run as it was left to the workers, and the command that did so. */
export interface QueuedRun {
  readonly command: string;
  readonly flags: Flags;
  readonly run: RunRecord;
}

/** The job of a run that is left to the workers. */
export const toJob = ({ run }: Pick<QueuedRun, "run">): JobKey => ({ kind: "apply", key: run.id });

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

/** Time after which a job that nobody has taken is told. */
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

/** How a run has ended that no job tells of; `undefined` where it was left before its end. */
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
  /** The run is sent by a process that no job tells of. */
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
