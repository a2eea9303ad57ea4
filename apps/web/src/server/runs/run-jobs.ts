/** The commands that the page has started for runs, and how each ended. */

import type { Problem } from "../../api/problem.ts";
import type { EndedCommand, StartCommand, StartedCommand } from "../site.ts";

/** Commands by the run that they are for. */
export interface RunJobs {
  /** Starts a command for a run; its failure is kept until the next one. */
  start(runId: string, words: readonly string[]): StartedCommand;
  isRunning(runId: string): boolean;
  /** Why the last command for the run failed; `null` where it did not. */
  problemOf(runId: string): Problem | null;
  /** Asks the command to stop; returns whether there is one. */
  stop(runId: string): boolean;
}

export function createRunJobs(startCommand: StartCommand): RunJobs {
  const running = new Map<string, StartedCommand>();
  const problems = new Map<string, Problem>();
  return {
    start(runId, words) {
      problems.delete(runId);
      const started = startCommand(words);
      running.set(runId, started);
      const settle = async (): Promise<void> => {
        const ended = await started.ended;
        if (running.get(runId) === started) running.delete(runId);
        const problem = toProblem(ended);
        if (problem !== null) problems.set(runId, problem);
      };
      void settle();
      return started;
    },
    isRunning: (runId) => running.has(runId),
    problemOf: (runId) => problems.get(runId) ?? null,
    stop(runId) {
      running.get(runId)?.stop();
      return running.has(runId);
    },
  };
}

/** The failure that a document tells; `null` where the command has done its work. */
export function toProblem({ document, exit, errors }: EndedCommand): Problem | null {
  const error = readError(document);
  if (error !== null) return error;
  if (document !== undefined) return null;
  return { code: "E_COMMAND", message: errors.trim() || `(${exit})` };
}

/** Reads a key of an unknown document. */
export function readKey(document: unknown, key: string): unknown {
  if (typeof document !== "object" || document === null) return undefined;
  return Object.entries(document).find(([name]) => name === key)?.[1];
}

function readError(document: unknown): Problem | null {
  const error = readKey(document, "error");
  const [code, message] = [readKey(error, "code"), readKey(error, "message")];
  if (typeof code !== "string" || typeof message !== "string") return null;
  // A person has stopped the command.
  return code === "E_INTERRUPTED" ? null : { code, message };
}

/** Id of the run that a document is about. */
export function readRunId(document: unknown): string | undefined {
  const run = readKey(document, "run");
  return typeof run === "string" ? run : undefined;
}
