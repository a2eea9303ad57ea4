/** How far the clocks of the machines that call a marketplace are from its own. */

import { hostname } from "node:os";

import { z } from "zod";

import type { Connection } from "./open-connection.ts";

/** The clock of a machine, as it was seen when it last made calls. */
interface SeenClock {
  readonly host: string;
  /** How far it was ahead of the marketplace's clock, in milliseconds. */
  readonly aheadMs: number;
  readonly atMs: number;
}

const seenSchema: z.ZodType<SeenClock> = z.object({
  host: z.string(),
  aheadMs: z.number(),
  atMs: z.number(),
});

type ClockTools = Pick<Connection, "baseUrl" | "clock"> & {
  readonly memory: {
    readonly notes: Pick<Connection["memory"]["notes"], "listNotes" | "saveNotes">;
  };
};

const toKey = (baseUrl: string, host: string): string => `clock ${baseUrl} ${host}`;

/** Records the clock of this machine after calls; nothing where no answer named a time. */
export async function recordClock(
  { meters, memory, clock, baseUrl }: ClockTools & Pick<Connection, "meters">,
  host: string = hostname(),
): Promise<void> {
  const aheadMs = meters.calls.clockAheadMs();
  if (aheadMs === undefined) return;
  const seen: SeenClock = { host, aheadMs, atMs: clock.now() };
  await memory.notes.saveNotes({ [toKey(baseUrl, host)]: seen });
}

/** What was seen longer ago says nothing of a clock. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Lists the clocks of the machines that have called the marketplace in the last 24 hours. */
export async function listClocks({
  memory,
  clock,
  baseUrl,
}: ClockTools): Promise<readonly SeenClock[]> {
  const found = await memory.notes.listNotes(toKey(baseUrl, ""), seenSchema);
  const now = clock.now();
  return found.map(({ note }) => note).filter(({ atMs }) => now - atMs < MAX_AGE_MS);
}

/** A token's lifetime is set by the marketplace's clock and measured by ours. */
export const MAX_CLOCK_DRIFT_MS = 30_000;

/** Whether a clock is so far off that logins are thought to last too long or too short. */
export const hasDriftedClock = ({ aheadMs }: Pick<SeenClock, "aheadMs">): boolean =>
  Math.abs(aheadMs) > MAX_CLOCK_DRIFT_MS;
