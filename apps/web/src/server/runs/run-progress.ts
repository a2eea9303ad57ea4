/** How far a run is: the whole state of each moment, read from the database. */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { readRun } from "@catalog/importer";

import type { RunProgress } from "../../api/runs.ts";
import { describeWait } from "../describe-wait.ts";
import type { Site, Topic } from "../site.ts";
import type { RunJobs } from "./run-jobs.ts";
import { showRunState } from "./run-state.ts";
import { readRunSummary } from "./run-summary.ts";

/** Reads the progress of a run; rates are those of the last minute that was watched. */
interface ProgressReader {
  read(runId: string, lang: Lang): Promise<RunProgress>;
}

interface Sample {
  readonly atMs: number;
  readonly settled: number;
}

const WINDOW_MS = 60_000;
const MINUTE_MS = 60_000;

function createProgressReader(connection: Connection, jobs: RunJobs): ProgressReader {
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
    async read(runId, lang) {
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

/** Creates the topic `run`, which tells open pages how far a run is. */
export function createRunTopic({ store }: Pick<Site, "store">, jobs: RunJobs): Topic {
  const readers = new WeakMap<Connection, ProgressReader>();
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
