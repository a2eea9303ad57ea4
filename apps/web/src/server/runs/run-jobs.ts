/** The commands that the page has started for runs, and how each ended. */

import type { Lang } from "@catalog/i18n";
import type { EndedCommand, StartCommand, StartedCommand } from "@catalog/jobs";

import type { Problem } from "../../api/problem.ts";
import { toProblem } from "../commands/command-document.ts";

/** Commands by the run that they are for. */
export interface RunJobs {
  /** Starts a command for a run; its failure is kept until the next one. */
  start(runId: string, words: readonly string[]): StartedCommand;
  isRunning(runId: string): boolean;
  /** Why the last command for the run failed; `null` where it did not. */
  problemOf(runId: string, lang: Lang): Problem | null;
  /** Asks the command to stop; returns whether there is one. */
  stop(runId: string): boolean;
}

export function createRunJobs(startCommand: StartCommand): RunJobs {
  const running = new Map<string, StartedCommand>();
  const failed = new Map<string, EndedCommand>();
  return {
    start(runId, words) {
      failed.delete(runId);
      const started = startCommand(words);
      running.set(runId, started);
      const settle = async (): Promise<void> => {
        const ended = await started.ended;
        if (running.get(runId) === started) running.delete(runId);
        if (toProblem(ended, "tr") !== null) failed.set(runId, ended);
      };
      void settle();
      return started;
    },
    isRunning: (runId) => running.has(runId),
    problemOf(runId, lang) {
      const ended = failed.get(runId);
      return ended === undefined ? null : toProblem(ended, lang);
    },
    stop(runId) {
      running.get(runId)?.stop();
      return running.has(runId);
    },
  };
}
