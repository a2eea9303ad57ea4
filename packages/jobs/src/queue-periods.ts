/**
 * Leaves what the periods of runs say to the queue: the sending of a run whose start has come, and the
 * taking back of one whose end has. The stored period is the truth and the job only its errand: a job
 * that is lost is added again, a time that was missed is caught up at the next look, and each command
 * writes down itself what has become of it.
 */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";

type Memory = Pick<Connection["memory"], "jobs" | "periods">;
type DuePeriod = Awaited<ReturnType<Memory["periods"]["listDue"]>>[number];

/** Longest time between two looks, in milliseconds. */
const LOOK_MS = 5_000;

interface QueuePeriodsOptions {
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** Does so for the stores of these numbers until `stop` aborts. */
export async function queuePeriods(
  memory: Memory,
  stores: readonly number[],
  { clock, stop }: QueuePeriodsOptions,
): Promise<void> {
  while (!stop.aborted) {
    for (const due of await memory.periods.listDue(memory.jobs.nowMs(), stores)) {
      await (isAtEnd(due, memory.jobs.nowMs()) ? queueEnd(memory, due) : queueStart(memory, due));
    }
    await clock.sleep(LOOK_MS, stop).catch(() => undefined);
  }
}

const isAtEnd = ({ period: { endAtMs = Infinity } }: DuePeriod, nowMs: number): boolean =>
  nowMs >= endAtMs;

/** A start is not begun once the end has come; the end closes what was not sent. */
async function queueEnd({ jobs }: Memory, { store, run }: DuePeriod): Promise<void> {
  await jobs.add({ kind: "undo", key: run, spec: {} }, store);
}

/**
 * The start is written down before its job is added, so that a person who takes it back meanwhile is
 * noticed; a process that ends in between leaves a start that is begun and not queued.
 */
async function queueStart({ jobs, periods }: Memory, due: DuePeriod): Promise<void> {
  const { store, run, version } = due;
  const begun = { ...due.period, begunAtMs: due.period.begunAtMs ?? jobs.nowMs() };
  if (!(await periods.save(run, begun, { version, store }))) return;
  await jobs.add({ kind: "start", key: run, spec: {} }, store);
  await periods.save(run, { ...begun, isQueued: true }, { version: version + 1, store });
}
