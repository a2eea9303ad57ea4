/**
 * Places that several stores of a process share, so that a store with much work keeps no other one
 * waiting: each has only so many works in the common queue at a time.
 */

import PQueue from "p-queue";

import {
  type EndedCommand,
  isPlan,
  type StartCommand,
  type StartedCommand,
} from "./start-command.ts";

interface FairQueueOptions {
  /** Works that are done at a time. */
  readonly places: number;
  /** How many of them may be of one store. One less than the places keeps one for the others. */
  readonly maxOfOne: number;
}

export interface FairQueue {
  /**
   * Does the work once it is the store's turn. A signal that aborts before makes it reject at once;
   * work under way decides by itself how it stops.
   */
  run<Result>(store: number, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export function createFairQueue({ places, maxOfOne }: FairQueueOptions): FairQueue {
  const all = new PQueue({ concurrency: places });
  const ofStores = new Map<number, PQueue>();
  return {
    async run(store, work, signal) {
      const own = ofStores.get(store) ?? new PQueue({ concurrency: maxOfOne });
      ofStores.set(store, own);
      const waiting = new AbortController();
      const giveUp = (): void => waiting.abort(signal?.reason);
      if (signal?.aborted === true) giveUp();
      signal?.addEventListener("abort", giveUp, { once: true });
      const begin = async (): ReturnType<typeof work> => {
        signal?.removeEventListener("abort", giveUp);
        return await work();
      };
      try {
        const turn = { signal: waiting.signal };
        return await own.add(() => all.add(begin, turn), turn);
      } finally {
        signal?.removeEventListener("abort", giveUp);
        if (own.size + own.pending === 0) ofStores.delete(store);
      }
    },
  };
}

/** Exit code of a command that a person has stopped. */
const INTERRUPTED = 130;

const STOPPED: EndedCommand = { exit: INTERRUPTED, document: undefined, errors: "" };

/** The queues of commands that keep a core busy. */
export interface PlanTurns {
  /** Checks of drafts, for which a person waits; most take seconds. */
  readonly checks: FairQueue;
  /** Plans, which may wait long for the marketplace, and would keep the checks waiting. */
  readonly plans: FairQueue;
}

/** As many places as these cores, and one more for a store that has none of them. */
const createPlaces = (cores: number): FairQueue =>
  createFairQueue({ places: cores + 1, maxOfOne: cores });

/** Creates the queues for a machine with so many cores; checks leave one to what answers meanwhile. */
export const createPlanTurns = (cores: number): PlanTurns => ({
  checks: createPlaces(Math.max(1, cores - 1)),
  plans: createPlaces(cores),
});

/** Has commands that only check or plan wait for the store's turn; all others are started at once. */
export const startPlansInTurn =
  (start: StartCommand, { checks, plans }: PlanTurns, store: number): StartCommand =>
  (words, by) => {
    if (!isPlan(words)) return start(words, by);
    const queue = words.includes("--check") ? checks : plans;
    return startInTurn(
      () => start(words, by),
      (work, stop) => queue.run(store, work, stop),
    );
  };

function startInTurn(
  start: () => StartedCommand,
  inTurn: (work: () => Promise<EndedCommand>, stop: AbortSignal) => Promise<EndedCommand>,
): StartedCommand {
  const stopped = new AbortController();
  const listeners: Parameters<StartedCommand["onProgress"]>[0][] = [];
  let command: StartedCommand | undefined;
  const run = async (): Promise<EndedCommand> => {
    command = start();
    for (const listener of listeners) command.onProgress(listener);
    return await command.ended;
  };
  const giveUp = (): void => stopped.abort(new Error("stopped before its turn"));
  const untilEnded = async (): Promise<EndedCommand> => {
    try {
      return await inTurn(run, stopped.signal);
    } catch (error) {
      if (stopped.signal.aborted) return STOPPED;
      throw error;
    }
  };
  return {
    get pid() {
      return command?.pid;
    },
    ended: untilEnded(),
    onProgress(listener) {
      if (command === undefined) listeners.push(listener);
      else command.onProgress(listener);
    },
    stop: () => (command === undefined ? giveUp() : command.stop()),
    kill: () => (command === undefined ? giveUp() : command.kill()),
  };
}
