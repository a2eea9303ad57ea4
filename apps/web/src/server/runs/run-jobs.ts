/** The commands that the page has started for runs, and how each ended. */

import type { Lang } from "@catalog/i18n";
import type { EndedCommand, StartCommand, StartedCommand } from "@catalog/jobs";

import type { Problem } from "../../api/ids.ts";
import type { Preparation } from "../../api/runs.ts";
import { toProblem } from "../failures.ts";

export interface RunJobs {
  /**
   * Starts a command with its flags that sends rows of a run, unless one is at work; its failure is kept until the
   * next one. Returns whether it was started.
   */
  send(runId: string, words: readonly string[]): boolean;
  isSending(runId: string): boolean;
  /** Why the last command that sends failed; `null` where it did not, or a person has paused it. */
  problemOf(runId: string, lang: Lang): Problem | null;
  /**
   * Asks the command that sends to stop, once, and notes that a person wanted it. Returns whether
   * there is such a command.
   */
  pause(runId: string): boolean;
  /** Whether sending has ended because a person wanted it. */
  isPaused(runId: string): boolean;
  /** Forgets how the last command that sent rows of the run ended: the workers go on with it. */
  forget(runId: string): void;
  /** The flags of the last command that sent rows of the run; `null` where there was none. */
  wordsOf(runId: string): readonly string[] | null;
  /** Runs the command that plans another run from this one, with flags; it sends nothing. */
  prepare(runId: string, preparation: Preparation, flags: readonly string[]): Promise<EndedCommand>;
  /** What is planned from the run now; `null` for nothing. */
  preparationOf(runId: string): Preparation | null;
  /** What is planned from any run now; `null` for nothing. */
  preparation(): Preparation | null;
}

interface SendJob {
  readonly words: readonly string[];
  readonly command: StartedCommand;
  /** Set once the command has ended. */
  ended?: EndedCommand;
}

export function createRunJobs(startCommand: StartCommand): RunJobs {
  const sends = new Map<string, SendJob>();
  /** Runs that a person has paused since a command of the page was started for them. */
  const pausedRuns = new Set<string>();
  const isSending = (runId: string): boolean => {
    const job = sends.get(runId);
    return job !== undefined && job.ended === undefined;
  };
  const problemOf = (runId: string, lang: Lang): Problem | null => {
    const ended = sends.get(runId)?.ended;
    if (ended === undefined) return null;
    // A command that was asked to stop before it could listen has printed nothing.
    const isCutOff = pausedRuns.has(runId) && ended.document === undefined;
    return isCutOff ? null : toProblem(ended, lang);
  };
  const send = (runId: string, words: readonly string[]): boolean => {
    // A second command would only find the store taken, and hide the one that is at work.
    if (isSending(runId)) return false;
    pausedRuns.delete(runId);
    const command = startCommand([...words, "--", runId]);
    const job: SendJob = { words, command };
    sends.set(runId, job);
    const settle = async (): Promise<void> => {
      job.ended = await command.ended;
    };
    void settle();
    return true;
  };
  return {
    send,
    isSending,
    problemOf,
    pause(runId) {
      const isFirst = !pausedRuns.has(runId);
      pausedRuns.add(runId);
      if (!isSending(runId)) return false;
      // A second signal would end the command at once.
      if (isFirst) sends.get(runId)?.command.stop();
      return true;
    },
    isPaused: (runId) =>
      pausedRuns.has(runId) && !isSending(runId) && problemOf(runId, "tr") === null,
    forget(runId) {
      pausedRuns.delete(runId);
      if (!isSending(runId)) sends.delete(runId);
    },
    wordsOf: (runId) => sends.get(runId)?.words ?? null,
    ...createPreparations(startCommand),
  };
}

/** Commands that plan a run from another one. */
function createPreparations(
  startCommand: StartCommand,
): Pick<RunJobs, "prepare" | "preparationOf" | "preparation"> {
  const running = new Map<StartedCommand, readonly [runId: string, what: Preparation]>();
  return {
    async prepare(runId, preparation, flags) {
      const command = startCommand([preparation, ...flags, "--", runId]);
      running.set(command, [runId, preparation]);
      try {
        return await command.ended;
      } finally {
        running.delete(command);
      }
    },
    preparationOf: (runId) => [...running.values()].find(([id]) => id === runId)?.[1] ?? null,
    preparation: () => [...running.values()][0]?.[1] ?? null,
  };
}
