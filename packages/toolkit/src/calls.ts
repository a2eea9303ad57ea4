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

/** How long so many calls take: by the hourly budget, or by what one call has taken so far. */
export function estimateSeconds({ calls, concurrency, pacing }: Toolkit, requests: number): number {
  const byTimeMs = (requests * calls.meanMs()) / concurrency;
  return Math.ceil(Math.max(byTimeMs, requests === 0 ? 0 : pacing.waitMs(requests)) / 1000);
}
