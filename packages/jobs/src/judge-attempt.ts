/**
 * What one attempt to send a queued run means for its job. Only the end of the run ends it: the run
 * was sent, or a person must decide, or has decided. Whatever else happens is an attempt that failed.
 */

import { BUSY } from "./command-end.ts";
import type { JobAttempts, JobResult } from "./queue.ts";

/** What becomes of a job after an attempt. */
export type JobEnd =
  | { readonly isOver: true; readonly result: JobResult }
  | (JobAttempts & { readonly isOver: false; readonly result: JobResult });

/** An attempt that has ended. */
export interface Attempt {
  readonly result: JobResult;
  /** Whether a person has asked for the run to stop. */
  readonly isStopAsked: boolean;
  readonly lastedMs: number;
  /** What became of the attempts before it. */
  readonly before: Pick<JobAttempts, "failures" | "failure">;
}

/** The end of a job that a person has stopped. */
export const STOPPED: JobResult = {
  exit: 130,
  code: "E_INTERRUPTED",
  message: null,
};

/** Exit codes of a run that is finished: all rows, nothing that could be sent, or all but some. */
const FINISHED: ReadonlySet<number> = new Set([0, 3, 5]);

/** A run that stopped itself, so that a person decides how it goes on. */
const NEEDS_PERSON: ReadonlySet<string | null> = new Set([
  "E_BREAKER",
  "E_CANARY",
  "E_TOO_MANY_REJECTED",
]);

/** Whether what has stopped a run waits for a person's decision. */
export const needsPerson = (code: string | null): boolean => NEEDS_PERSON.has(code);

/** Time before a store is tried again on which another process works, in milliseconds. */
const BUSY_PAUSE_MS = 5_000;

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** An attempt that lasted longer has got on, so that the pauses begin anew. */
const LONG_MS = 60_000;

/** Judges an attempt. */
export function judgeAttempt({ result, isStopAsked, lastedMs, before }: Attempt): JobEnd {
  const isFinished = FINISHED.has(result.exit) && result.code === null;
  if (isFinished || needsPerson(result.code)) return { isOver: true, result };
  if (isStopAsked) return { isOver: true, result: result.exit === STOPPED.exit ? result : STOPPED };
  if (result.exit === BUSY) {
    const { failures, failure } = before;
    return { isOver: false, result, pauseMs: BUSY_PAUSE_MS, failures, failure };
  }
  const counted = lastedMs > LONG_MS ? 1 : before.failures + 1;
  return { isOver: false, result, pauseMs: toPause(counted), failures: counted, failure: result };
}

/** The pause after so many failures, at least 1: it doubles each time, up to five minutes. */
const toPause = (failures: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
