/** How long calls of a run take here: by the hourly limit, and by the pace of earlier runs. */

import type { Connection } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

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
/** A run whose other calls are few next to those that write tells the pace of writing. */
const WRITES_PER_READ = 3;
/** A limit of a call a second is slower than the calls themselves, whose pace need not be known. */
const SLOW_CALLS_PER_HOUR = 3_600;
const MINUTE_SECONDS = 60;

/** Estimates the seconds that so many calls take; `null` where nothing here tells of it. */
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
