/**
 * A person's wish that the sending of a run stops, wherever it runs: a note of the database that the
 * sender reads while it sends. It says nothing about what is sent; a wish that is lost or late stops
 * nothing, and is told again.
 */

import { randomUUID } from "node:crypto";

import type { Clock } from "@catalog/clock";
import type { Connection, LockHolder } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { z } from "zod";

/** The members of a connection by which a stop is asked for. */
export interface StopTools {
  readonly clock: Clock;
  readonly memory: { readonly notes: Pick<Connection["memory"]["notes"], Methods> };
}

type Methods = "readNote" | "saveNotes" | "removeNotes";

/** Ids of runs are unique over all stores. */
const keyOf = (run: string): string => `stop ${run}`;

/** Asks the process that sends the run to stop at its next safe point. */
export async function askToStop(
  { memory: { notes } }: Pick<StopTools, "memory">,
  run: string,
): Promise<void> {
  await notes.saveNotes({ [keyOf(run)]: randomUUID() });
}

/** Reads the id of the latest wish; `undefined` for none. */
export async function readStopRequest(
  { memory: { notes } }: Pick<StopTools, "memory">,
  run: string,
): Promise<string | undefined> {
  return await notes.readNote(keyOf(run), z.string());
}

/** Forgets the wish: the run was stopped, or is to be sent again. */
export async function forgetStopRequest(
  { memory: { notes } }: Pick<StopTools, "memory">,
  run: string,
): Promise<void> {
  await notes.removeNotes([keyOf(run)]);
}

/** A signal that aborts when a stop is asked for. */
export interface StopWatch extends Disposable {
  readonly signal: AbortSignal;
}

/** Time between two looks, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Watches for a stop of the run until it is disposed of or `stop` aborts, which aborts the signal as
 * well. A wish that stands already is an old one, unless it is `known` to be none.
 */
export function watchStopRequest(
  tools: StopTools,
  run: string,
  { stop, known }: { readonly stop: AbortSignal; readonly known?: string | undefined },
): StopWatch {
  const asked = new AbortController();
  const watched = new AbortController();
  const watch = async (): Promise<void> => {
    const over = AbortSignal.any([stop, watched.signal]);
    while (!over.aborted) {
      try {
        const found = await readStopRequest(tools, run);
        if (found !== undefined && found !== known) {
          asked.abort();
          return;
        }
        await tools.clock.sleep(LOOK_MS, over);
      } catch {
        // The end of the watch, or a database that is away: the sender itself says so.
        if (!over.aborted) await tools.clock.sleep(LOOK_MS, over).catch(() => undefined);
      }
    }
  };
  void watch();
  return {
    signal: AbortSignal.any([stop, asked.signal]),
    [Symbol.dispose]: () => watched.abort(),
  };
}

/** The members of a connection by which a sending is stopped. */
export interface StopSendingTools {
  readonly memory: StopTools["memory"] & Pick<Connection["memory"], "jobs">;
  readonly locks: Pick<Connection["locks"], "holderOf">;
}

/**
 * - `removed`: it was in the queue, and no worker starts it any more.
 * - `stopping`: a process sends it, or is about to, and was asked to stop at its next safe point.
 * - `none`: nobody sends it.
 */
export interface SendingStop {
  readonly is: "removed" | "stopping" | "none";
  /** The process that sends it; `undefined` where none does, or a worker is about to start one. */
  readonly holder: LockHolder | undefined;
}

/** Stops the sending of a run, on whatever machine it is. */
export async function stopSending(tools: StopSendingTools, run: string): Promise<SendingStop> {
  const removal = await tools.memory.jobs.remove({ kind: "apply", key: run });
  // Where a worker has died, what it had started goes on.
  const holder = await tools.locks.holderOf(run);
  if (removal === "taken" || holder !== undefined) {
    await askToStop(tools, run);
    return { is: "stopping", holder };
  }
  return { is: removal, holder };
}

type RunRecord = NonNullable<Awaited<ReturnType<Connection["runs"]["read"]>>>;

export interface LeaveOptions {
  /** The settings with which it is sent. */
  readonly settings: RunRecord["settings"];
  /** Language of the messages. */
  readonly lang: Lang;
}

/** A person has decided that the run goes on: what was asked for before, and what had stopped it, is over. */
export async function leaveToWorkers(
  { runs, memory }: Pick<Connection, "runs" | "memory">,
  { id, progress }: Pick<RunRecord, "id" | "progress">,
  { settings, lang }: LeaveOptions,
): Promise<void> {
  const { exit, atMs } = progress.ended ?? {};
  const ended = exit === undefined || atMs === undefined ? undefined : { exit, atMs };
  await runs.update(id, { settings, progress: { ...progress, ended } });
  await forgetStopRequest({ memory }, id);
  await memory.jobs.add({ kind: "apply", key: id, spec: { lang } });
}
