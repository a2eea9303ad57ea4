/** The commands that the page has started for runs, by run, and how each ended. */

import type { Lang } from "@catalog/i18n";
import type { EndedCommand, StartCommand, StartedCommand } from "@catalog/jobs";

import type { Problem } from "../../api/ids.ts";
import type { Preparation } from "../../api/runs.ts";
import { toProblem } from "../failures.ts";

interface SendJob {
  readonly words: readonly string[];
  readonly command: StartedCommand;
  /** Set once the command has ended. */
  ended?: EndedCommand;
}

export class RunJobs {
  readonly #startCommand: StartCommand;
  readonly #sends = new Map<string, SendJob>();
  /** Runs that a person has paused since a command of the page was started for them. */
  readonly #paused = new Set<string>();
  /** Commands that plan a run from another one. */
  readonly #preparing = new Map<StartedCommand, readonly [runId: string, what: Preparation]>();

  constructor(startCommand: StartCommand) {
    this.#startCommand = startCommand;
  }

  /**
   * Starts a command with its flags that sends rows of a run, unless one is at work; its failure is
   * kept until the next one. Returns whether it was started.
   */
  send(runId: string, words: readonly string[]): boolean {
    // A second command would only find the store taken, and hide the one that is at work.
    if (this.isSending(runId)) return false;
    this.#paused.delete(runId);
    const command = this.#startCommand([...words, "--", runId]);
    const job: SendJob = { words, command };
    this.#sends.set(runId, job);
    const settle = async (): Promise<void> => {
      job.ended = await command.ended;
    };
    void settle();
    return true;
  }

  /** Whether a command that sends rows of the run is at work. */
  isSending(runId: string): boolean {
    const job = this.#sends.get(runId);
    return job !== undefined && job.ended === undefined;
  }

  /** Why the last command that sends failed; `null` where it did not, or a person has paused it. */
  problemOf(runId: string, lang: Lang): Problem | null {
    const ended = this.#sends.get(runId)?.ended;
    if (ended === undefined) return null;
    // A command that was asked to stop before it could listen has printed nothing.
    const isCutOff = this.#paused.has(runId) && ended.document === undefined;
    return isCutOff ? null : toProblem(ended, lang);
  }

  /**
   * Asks the command that sends to stop, once, and notes that a person wanted it. Returns whether
   * there is such a command.
   */
  pause(runId: string): boolean {
    const isFirst = !this.#paused.has(runId);
    this.#paused.add(runId);
    if (!this.isSending(runId)) return false;
    // A second signal would end the command at once.
    if (isFirst) this.#sends.get(runId)?.command.stop();
    return true;
  }

  /** Whether sending has ended because a person wanted it. */
  isPaused(runId: string): boolean {
    return (
      this.#paused.has(runId) && !this.isSending(runId) && this.problemOf(runId, "tr") === null
    );
  }

  /** Forgets how the last command that sent rows of the run ended: the workers continue it. */
  forget(runId: string): void {
    this.#paused.delete(runId);
    if (!this.isSending(runId)) this.#sends.delete(runId);
  }

  /** The flags of the last command that sent rows of the run; `null` where there was none. */
  wordsOf(runId: string): readonly string[] | null {
    return this.#sends.get(runId)?.words ?? null;
  }

  /** Runs the command that plans another run from this one, with flags; it sends nothing. */
  async prepare(
    runId: string,
    preparation: Preparation,
    flags: readonly string[],
  ): Promise<EndedCommand> {
    const command = this.#startCommand([preparation, ...flags, "--", runId]);
    this.#preparing.set(command, [runId, preparation]);
    try {
      return await command.ended;
    } finally {
      this.#preparing.delete(command);
    }
  }

  /** What is planned now from the run, or from any; `null` for nothing. */
  preparation(runId?: string): Preparation | null {
    const running = [...this.#preparing.values()];
    return running.find(([id]) => runId === undefined || id === runId)?.[1] ?? null;
  }
}
