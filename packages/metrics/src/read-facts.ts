/** Reads what is measured from the database; no query visits the rows of runs that are finished. */

import type { Connection } from "@catalog/connection";
import {
  type QueueState,
  readQueues,
  readScheduleHealth,
  type ScheduleHealth,
} from "@catalog/jobs";

/** The members of a connection that are measured. */
export interface MetricTools extends Pick<
  Connection,
  "baseUrl" | "storeId" | "clock" | "listOpenRuns"
> {
  readonly journal: Pick<Connection["journal"], "countRows">;
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
  readonly locks: Pick<Connection["locks"], "takeOvers">;
  readonly meters: Pick<Connection["meters"], "callTotals" | "pacing" | "outage">;
}

/** What is measured of one store at one moment. */
export interface StoreFacts {
  readonly store: string;
  readonly calls: Awaited<ReturnType<MetricTools["meters"]["callTotals"]["read"]>>;
  readonly openRuns: number;
  /** Rows of the runs that are not finished. */
  readonly rows: ReadonlyMap<string, number>;
  readonly queues: readonly QueueState[];
  readonly takeOvers: Awaited<ReturnType<MetricTools["locks"]["takeOvers"]>>;
  readonly callsLastHour: number;
  /** `undefined` is unlimited. */
  readonly callsPerHour: number | undefined;
  readonly isPaused: boolean;
  readonly feeds: readonly FeedFacts[];
}

/** A store whose database is away, and for how long by now. */
export interface AwayStore {
  readonly store: string;
  readonly awayMs: number;
}

/** How the schedule of a feed fares. */
export interface FeedFacts extends Pick<ScheduleHealth, "isHealthy" | "failuresInRow"> {
  /** Id of its schedule; a path or an address could tell more than a number should. */
  readonly id: string;
  /** How old the data of the feed is in the store. */
  readonly ageMs: number;
}

/** Runs whose rows are counted: the last changed ones, as plans that nobody applies stay for months. */
const MAX_RUNS = 20;

/** Reads all facts of the store. */
export async function readFacts(tools: MetricTools): Promise<StoreFacts> {
  const { storeId, locks, meters } = tools;
  const { pacing, callTotals } = meters;
  const runs = await tools.listOpenRuns(MAX_RUNS);
  return {
    store: storeId,
    calls: await callTotals.read(),
    openRuns: runs.length,
    rows: await countRows(tools, runs),
    queues: await readQueues(tools),
    takeOvers: await locks.takeOvers(),
    callsLastHour: await pacing.callsLastHour(),
    callsPerHour: await pacing.callsPerHour(),
    isPaused: (await pacing.pause()) !== undefined,
    feeds: await readFeeds(tools),
  };
}

async function countRows(
  { journal }: Pick<MetricTools, "journal">,
  runs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (const run of runs) {
    for (const { state, rows } of await journal.countRows(run)) {
      sums.set(state, rows + (sums.get(state) ?? 0));
    }
  }
  return sums;
}

/** Of each feed that is not paused; one that was never taken is as old as its schedule. */
async function readFeeds({
  memory,
  clock,
}: Pick<MetricTools, "memory" | "clock">): Promise<readonly FeedFacts[]> {
  const nowMs = clock.now();
  const schedules = await memory.schedules.list();
  return schedules
    .filter(({ state }) => state === "active")
    .map((schedule) => {
      const { isHealthy, failuresInRow, succeededAtMs } = readScheduleHealth(schedule, { nowMs });
      const ageMs = Math.max(0, nowMs - (succeededAtMs ?? schedule.createdAtMs));
      return { id: schedule.id, ageMs, isHealthy, failuresInRow };
    });
}
