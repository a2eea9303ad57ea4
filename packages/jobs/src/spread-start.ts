/** Moves the starts of schedules apart, so that not all stores ask their servers at once. */

import { createHash } from "node:crypto";

import type { Timetable } from "./timetable.ts";

const MAX_DELAY_MS = 10 * 60_000;

/** Times that are compared for the shortest period. */
const TIMES = 4;

/**
 * How long after its times a schedule starts: always the same for one schedule, at most half of the
 * time between two of its times, and 10 minutes.
 */
export function spreadStart(name: string, timetable: Timetable, nowMs: number): number {
  let periodMs = Infinity;
  let lastMs = timetable.next(nowMs);
  for (let at = 1; at < TIMES && lastMs !== undefined; at += 1) {
    const nextMs = timetable.next(lastMs);
    if (nextMs !== undefined) periodMs = Math.min(periodMs, nextMs - lastMs);
    lastMs = nextMs;
  }
  const maxSeconds = Math.floor(Math.min(periodMs / 2, MAX_DELAY_MS) / 1000);
  const hash = createHash("sha256").update(name).digest().readUInt32BE();
  return (hash % maxSeconds) * 1000;
}
