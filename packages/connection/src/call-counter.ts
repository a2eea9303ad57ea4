/** Counts a connection's calls, their durations and the minutes in which they were made. */

import type { CallRecord } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { Store } from "@catalog/database";
import type { RequestCounts } from "@catalog/runs";

type CallMinute = Parameters<Store["callLog"]["add"]>[1][number];

/** Counts calls and their time. */
export interface CallCounter {
  /** Calls so far, by kind. */
  counts(): RequestCounts;
  /** Mean time of one call, in milliseconds. */
  meanMs(): number;
  /** Minutes of the latest `calls` calls, the latest minute first. */
  latestMinutes(calls: number): Promise<readonly CallMinute[]>;
}

interface CallCounting extends CallCounter {
  readonly note: (call: CallRecord) => void;
  readonly serverTimeMs: () => number | undefined;
}

/**
 * The median of the last few answer times serves as the marketplace's clock, because its machines
 * may differ.
 */
const SERVER_TIMES = 5;

const MINUTE_MS = 60_000;

/** A minute whose limit may still be read from the database. */
interface CountedMinute extends Pick<CallMinute, "minute"> {
  calls: number;
  readonly perHour: Promise<number | null>;
}

/** `callsPerHour` reads the limit that holds now; it is called once a minute. */
export function createCallCounter(
  clock: Clock,
  callsPerHour: () => Promise<number | undefined>,
): CallCounting {
  const counts = { token: 0, read: 0, write: 0 };
  let totalMs = 0;
  let serverTimes: readonly number[] = [];
  const minutes: CountedMinute[] = [];

  const readPerHour = async (): Promise<number | null> => {
    try {
      return (await callsPerHour()) ?? null;
    } catch {
      // The call was made; a database that refuses fails the next one.
      return null;
    }
  };
  const noteMinute = (): void => {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    const latest = minutes.at(-1);
    if (latest?.minute === minute) latest.calls += 1;
    else minutes.push({ minute, calls: 1, perHour: readPerHour() });
  };
  return {
    serverTimeMs: () => serverTimes.toSorted((a, b) => a - b)[serverTimes.length >> 1],
    counts: () => ({ ...counts }),
    meanMs: () => totalMs / Math.max(1, counts.token + counts.read + counts.write),
    latestMinutes: (calls) => takeLatest(minutes, calls),
    note(call) {
      const { serverTimeMs } = call;
      if (serverTimeMs !== undefined) {
        serverTimes = [...serverTimes, serverTimeMs].slice(-SERVER_TIMES);
      }
      // A call that never left this machine is not counted, as the marketplace has not seen it
      // either.
      if (call.phase === "none") return;
      counts[call.kind] += 1;
      totalMs += call.durationMs;
      noteMinute();
    },
  };
}

async function takeLatest(
  minutes: readonly CountedMinute[],
  calls: number,
): Promise<readonly CallMinute[]> {
  const taken: CallMinute[] = [];
  let left = calls;
  for (let at = minutes.length - 1; at >= 0 && left > 0; at -= 1) {
    const minute = minutes[at];
    if (minute === undefined) break;
    const { calls: made } = minute;
    taken.push({ ...minute, calls: Math.min(left, made), perHour: await minute.perHour });
    left -= made;
  }
  return taken;
}
