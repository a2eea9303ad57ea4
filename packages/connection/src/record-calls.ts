/** Records what a command has done for its run: its calls and how it ended. */

import type { ConcurrencyLimits } from "@catalog/client";
import type { RunRecord } from "@catalog/runs";

import { recordClock } from "./clocks.ts";
import type { Connection } from "./open-connection.ts";

/**
 * Adds the calls made since `before` to the run, so that its count survives the process, and records
 * how far the clock of this machine is off.
 */
export async function recordCalls(
  connection: Connection,
  runId: string,
  before: RunRecord["requests"],
): Promise<void> {
  const { meters, runs } = connection;
  const { calls, callLog } = meters;
  const now = calls.counts();
  const token = now.token - before.token;
  const read = now.read - before.read;
  const write = now.write - before.write;
  await runs.addRequests(runId, { token, read, write });
  await callLog.add(runId, await calls.latestMinutes(token + read + write));
  if (token + read + write > 0) await recordClock(connection);
}

/**
 * Records how the command ended that worked on the run, for the history and for monitoring; `stop` is
 * the code of what has stopped it early.
 */
export async function recordEnd(
  { runs, clock }: Pick<Connection, "runs" | "clock">,
  runId: string,
  { exit, stop }: { readonly exit: number; readonly stop?: string | undefined },
): Promise<void> {
  const run = await runs.read(runId);
  if (run === undefined) return;
  const ended = { exit, atMs: clock.now(), ...(stop !== undefined && { stop }) };
  await runs.update(runId, { progress: { ...run.progress, ended } });
}

/** How calls are made. */
interface CallPace {
  /** @default "writes" */
  readonly kind?: keyof ConcurrencyLimits | undefined;
  /** Number of calls among them that are made one at a time. @default none */
  readonly alone?: number | undefined;
}

/**
 * Estimates the duration of `requests` calls in seconds, by the hourly limit or by the mean time of
 * a call so far and the present limit of calls at a time.
 */
export async function estimateSeconds(
  { meters: { pacing, calls }, client }: Pick<Connection, "meters" | "client">,
  requests: number,
  { kind = "writes", alone = 0 }: CallPace = {},
): Promise<number> {
  const turns = alone + (requests - alone) / client.limits()[kind];
  const byTimeMs = turns * calls.meanMs();
  const byLimitMs = requests === 0 ? 0 : await pacing.waitMs(requests);
  return Math.ceil(Math.max(byTimeMs, byLimitMs) / 1000);
}
