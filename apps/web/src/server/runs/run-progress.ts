/** How far a run is, how long sending takes, and what it waits for. */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import { formatDateTime, type Lang } from "@catalog/i18n";
import { readRun } from "@catalog/importer";
import type { RunRecord } from "@catalog/runs";

import type { RunProgress } from "../../api/runs.ts";
import type { Site, Topic } from "../site.ts";
import type { RunJobs } from "./run-jobs.ts";
import { readRunSummary, showRunState } from "./run-summary.ts";

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

/** Rates are those of the last minute that was watched. */
function createProgressReader(connection: Connection, jobs: RunJobs) {
  const { clock } = connection;
  const history = new Map<string, readonly Sample[]>();
  const rateOf = (runId: string, settled: number): number | null => {
    const atMs = clock.now();
    const kept = (history.get(runId) ?? []).filter((sample) => atMs - sample.atMs < WINDOW_MS);
    history.set(runId, [...kept, { atMs, settled }]);
    const [first] = kept;
    if (first === undefined || atMs - first.atMs < 2_000) return null;
    return ((settled - first.settled) * MINUTE_MS) / (atMs - first.atMs);
  };
  return {
    async read(runId: string, lang: Lang): Promise<RunProgress> {
      const run = await readRun(connection, runId);
      const stored = await readRunSummary(connection, run, lang);
      const { counts } = stored;
      const activity = await showRunState(connection, { run, jobs, stored, lang });
      const isSending = activity.state === "sending";
      const perMinute = isSending ? rateOf(runId, counts.rows - counts.waiting) : null;
      if (!isSending) history.delete(runId);
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
