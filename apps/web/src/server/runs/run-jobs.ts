/** The commands that the page has started for runs, how far each run is, and what it waits for. */

import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";
import { readRun } from "@catalog/importer";
import type { StartCommand, StartedCommand } from "@catalog/jobs";
import type { NamedPerson, RunRecord } from "@catalog/runs";

import type { PlannedRunId, Preparation, RunProgress } from "../../api/runs.ts";
import type { Problem } from "../../api/session.ts";
import { readRunId, toProblem, toRefusal } from "../failures.ts";
import { RequestError, type Site, type Topic } from "../site.ts";
import { readRunSummary, showRunState } from "./run-summary.ts";

interface SendJob {
  readonly words: readonly string[];
  readonly command: StartedCommand;
  /** Set once the command has ended. */
  ended?: Awaited<StartedCommand["ended"]>;
}

interface PreparationOptions {
  /** Id of the run or the product that it is planned from. */
  readonly of: string;
  readonly what: Preparation;
  /** Flags that name what it is planned from, and others of its own. */
  readonly words: readonly string[];
  readonly lang: Lang;
  readonly by: NamedPerson;
}

interface ListPlanOptions {
  /** The command, and its words before the file. */
  readonly command: readonly [name: string, ...words: readonly string[]];
  /** The file with the list. */
  readonly path: string;
  readonly lang: Lang;
  readonly by: NamedPerson;
}

const planFlags = (folder: string, lang: Lang): readonly string[] => [
  "--plan",
  `--lang=${lang}`,
  `--report=${join(folder, "results", "{run}")}`,
];

/** The run that a command has planned. Throws {@link RequestError} where it has planned none. */
function toPlanned(ended: Awaited<StartedCommand["ended"]>, lang: Lang): PlannedRunId {
  const run = readRunId(ended.document);
  const problem = toProblem(ended, lang);
  if (run !== undefined && problem === null) return { run };
  if (problem !== null) throw toRefusal(problem);
  throw new RequestError(409, "E_COMMAND", NOTHING_LEFT);
}

const NOTHING_LEFT: Localized = {
  tr: "Bu gönderimde yapılacak bir şey kalmamış.",
  en: "Nothing is left to do for this run.",
};

export class RunJobs {
  readonly #startCommand: StartCommand;
  readonly #sends = new Map<string, SendJob>();
  /** Runs that a person has paused since a command of the page was started for them. */
  readonly #paused = new Set<string>();
  /** Commands that plan a run from another one, or an undo of a product. */
  readonly #preparing = new Map<StartedCommand, readonly [of: string, what: Preparation]>();

  constructor(startCommand: StartCommand) {
    this.#startCommand = startCommand;
  }

  /**
   * Starts a command with its flags that sends rows of a run, unless one is at work; its failure is
   * kept until the next one. Returns whether it was started.
   */
  send(runId: string, words: readonly string[], by: NamedPerson): boolean {
    // A second command would only find the store taken, and hide the one that is at work.
    if (this.isSending(runId)) return false;
    this.#paused.delete(runId);
    const command = this.#startCommand([...words, "--", runId], by);
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

  /** Whether any command is at work. */
  isBusy(): boolean {
    const isSending = [...this.#sends.values()].some(({ ended }) => ended === undefined);
    return isSending || this.#preparing.size > 0;
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

  /** Plans a run from an earlier one, or an undo of a product, by a command; it sends nothing. */
  async prepare(
    { folder }: Pick<Site, "folder">,
    { of, what, words, lang, by }: PreparationOptions,
  ): Promise<PlannedRunId> {
    const started = { of, what, words: [...planFlags(folder, lang), ...words], by };
    return toPlanned(await this.#run(started), lang);
  }

  /** Plans a list of actions by the command that takes it; it sends nothing. */
  async planList(
    { folder }: Pick<Site, "folder">,
    { command: [name, ...words], path, lang, by }: ListPlanOptions,
  ): Promise<PlannedRunId> {
    const command = [name, ...planFlags(folder, lang), "--", ...words, path];
    return toPlanned(await this.#startCommand(command, by).ended, lang);
  }

  async #run({
    of,
    what,
    words,
    by,
  }: Omit<PreparationOptions, "lang">): Promise<Awaited<StartedCommand["ended"]>> {
    const command = this.#startCommand([what, ...words], by);
    this.#preparing.set(command, [of, what]);
    try {
      return await command.ended;
    } finally {
      this.#preparing.delete(command);
    }
  }

  /** What is planned now from the run or product, or from any; `null` for nothing. */
  preparation(of?: string): Preparation | null {
    const running = [...this.#preparing.values()];
    return running.find(([each]) => of === undefined || each === of)?.[1] ?? null;
  }
}

/** Shorter waits are not mentioned. */
const LONG_WAIT_MS = 10_000;

const WAITS: Readonly<Record<Lang, (time: string) => string>> = {
  tr: (time) => `Saatlik istek sınırı doldu; ${time} itibarıyla kendiliğinden sürecek.`,
  en: (time) => `The calls of this hour are used up; it goes on by itself at ${time}.`,
};

/** When the next call can be made; `null` where it need not wait for long. */
export async function describeWait(
  { meters, clock }: Pick<Connection, "meters" | "clock">,
  lang: Lang,
): Promise<string | null> {
  const waitMs = await meters.pacing.waitMs(1);
  if (waitMs < LONG_WAIT_MS) return null;
  return WAITS[lang](formatDateTime(clock.now() + waitMs, lang, { timeStyle: "short" }));
}

interface Measured {
  readonly runs: {
    list(limit: number): Promise<readonly Pick<RunRecord, "id" | "requests">[]>;
  };
  readonly meters: {
    readonly callLog: Pick<Connection["meters"]["callLog"], "read">;
    readonly pacing: Pick<Connection["meters"]["pacing"], "callsPerHour" | "waitMs">;
  };
}

/** Runs among which those with a pace are looked for. */
const RECENT_RUNS = 20;
/** A run whose other calls are few next to those that write shows the pace of writing. */
const WRITES_PER_READ = 3;
/** A limit of a call a second is slower than the calls themselves, whose pace need not be known. */
const SLOW_CALLS_PER_HOUR = 3_600;
const MINUTE_SECONDS = 60;

/** Estimates the seconds that this many calls take; `null` where nothing is known here. */
export async function estimateSending(store: Measured, calls: number): Promise<number | null> {
  if (calls === 0) return null;
  const { pacing } = store.meters;
  const perHour = await pacing.callsPerHour();
  const perMinute = await readPace(store);
  const isSlow = perHour !== undefined && perHour <= SLOW_CALLS_PER_HOUR;
  if (perMinute === null && !isSlow) return null;
  const byPace = perMinute === null ? 0 : (calls / perMinute) * MINUTE_SECONDS;
  const byLimit = perHour === undefined ? 0 : (await pacing.waitMs(calls)) / 1_000;
  return Math.ceil(Math.max(byPace, byLimit));
}

/** Calls a minute of the latest run that sent for some minutes; `null` where there is none. */
async function readPace({ runs, meters }: Measured): Promise<number | null> {
  for (const { id, requests } of await runs.list(RECENT_RUNS)) {
    if (requests.write < WRITES_PER_READ * requests.read) continue;
    // The first and the last minute of a run are not full.
    const full = (await meters.callLog.read(id)).slice(1, -1);
    if (full.length === 0) continue;
    return full.reduce((sum, { calls }) => sum + calls, 0) / full.length;
  }
  return null;
}

interface Sample {
  readonly atMs: number;
  readonly settled: number;
}

const WINDOW_MS = 60_000;
const MINUTE_MS = 60_000;

/** Rows that were settled per minute, of the last minute that was watched. */
export interface Rates {
  /** `null` until it was watched for a moment. */
  rateOf(runId: string, settled: number): number | null;
  forget(runId: string): void;
}

export function createRates(clock: Pick<Clock, "now">): Rates {
  const history = new Map<string, readonly Sample[]>();
  return {
    rateOf(runId, settled) {
      const atMs = clock.now();
      // Held rows that a person lets go wait anew: what was counted before them says nothing any more.
      const kept = (history.get(runId) ?? []).filter(
        (sample) => atMs - sample.atMs < WINDOW_MS && sample.settled <= settled,
      );
      history.set(runId, [...kept, { atMs, settled }]);
      const [first] = kept;
      if (first === undefined || atMs - first.atMs < 2_000) return null;
      return ((settled - first.settled) * MINUTE_MS) / (atMs - first.atMs);
    },
    forget: (runId) => void history.delete(runId),
  };
}

function createProgressReader(connection: Connection, jobs: RunJobs) {
  const { clock } = connection;
  const rates = createRates(clock);
  return {
    async read(runId: string, lang: Lang): Promise<RunProgress> {
      const run = await readRun(connection, runId);
      const stored = await readRunSummary(connection, run, lang);
      const { counts } = stored;
      const activity = await showRunState(connection, { run, jobs, stored, lang });
      const isSending = activity.state === "sending";
      const perMinute = isSending ? rates.rateOf(runId, counts.rows - counts.waiting) : null;
      if (!isSending) rates.forget(runId);
      return {
        id: runId,
        ...activity,
        counts,
        perMinute: perMinute === null ? null : Math.round(perMinute),
        callsPerHour: (await connection.meters.pacing.callsPerHour()) ?? null,
        callsLastHour: await connection.meters.pacing.callsLastHour(),
        endsAt: toEnd(clock, { waiting: counts.waiting, perMinute }),
        waiting: isSending ? await describeWait(connection, lang) : null,
        problem: jobs.problemOf(runId, lang),
      };
    },
  };
}

/** Creates the topic `run`, which sends the progress of a run to open pages. */
export function createRunTopic({ store }: Pick<Site, "store">, jobs: RunJobs): Topic {
  const readers = new WeakMap<Connection, ReturnType<typeof createProgressReader>>();
  return {
    name: "run",
    async read(id, lang) {
      const connection = await store.connection();
      if ((await connection.runs.read(id)) === undefined) return undefined;
      const reader = readers.get(connection) ?? createProgressReader(connection, jobs);
      readers.set(connection, reader);
      return await reader.read(id, lang);
    },
  };
}

/** ISO time at which the waiting rows will be sent; `null` where no rate is known. */
function toEnd(
  clock: Clock,
  { waiting, perMinute }: { readonly waiting: number; readonly perMinute: number | null },
): string | null {
  if (perMinute === null || perMinute <= 0 || waiting === 0) return null;
  return new Date(clock.now() + (waiting / perMinute) * MINUTE_MS).toISOString();
}
