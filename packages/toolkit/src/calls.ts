import { type RequestCounts } from "@catalog/runs";

import { type Toolkit } from "./open-toolkit.ts";

/** Adds the calls made since `before` to the run, so that its count survives the process. */
export async function addCalls(
  { calls, runLog }: Toolkit,
  runId: string,
  before: RequestCounts,
): Promise<void> {
  const now = calls.counts();
  await runLog.addRequests(runId, {
    token: now.token - before.token,
    read: now.read - before.read,
    write: now.write - before.write,
  });
}

const HOUR_SECONDS = 3_600;

/** How long so many calls take: by the hourly budget, or by what one call has taken so far. */
export function estimateSeconds(
  { calls, concurrency, requestsPerHour }: Toolkit,
  requests: number,
): number {
  const byTime = (requests * calls.meanMs()) / 1000 / concurrency;
  const byBudget = requestsPerHour === undefined ? 0 : (requests * HOUR_SECONDS) / requestsPerHour;
  return Math.ceil(Math.max(byTime, byBudget));
}
