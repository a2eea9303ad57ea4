/** How the period of a run fares, by what is stored. */

import type { Localized } from "@catalog/i18n";
import {
  describePeriod,
  type JudgedPeriod,
  judgePeriod,
  type PeriodFacts,
  type RunPeriod,
  type RunRecord,
  toCounts,
} from "@catalog/runs";

import type { Connection } from "./open-connection.ts";

/** A period, its state, and the run that takes back the one that it belongs to. */
export interface PeriodReading extends JudgedPeriod {
  readonly period: RunPeriod;
  readonly text: Localized;
  /** @default none is planned */
  readonly endRun?: string | undefined;
}

/** The members of a connection by which periods are read. */
export interface PeriodTools extends Pick<Connection, "clock"> {
  readonly runs: Pick<Connection["runs"], "read">;
  readonly journal: Pick<Connection["journal"], "countRows">;
  readonly memory: Pick<Connection["memory"], "periods">;
}

/** Reads the period of a run; `undefined` for a run without one. */
export async function readRunPeriod(
  tools: PeriodTools,
  run: Pick<RunRecord, "id" | "state">,
): Promise<PeriodReading | undefined> {
  const period = (await tools.memory.periods.read(run.id))?.period;
  return period && (await readPeriod(tools, run, period));
}

/** A run with its period. */
interface PeriodOfRun extends PeriodReading {
  readonly run: RunRecord;
}

/** Reads the periods of the store that a person has approved. */
export async function listRunPeriods(tools: PeriodTools): Promise<readonly PeriodOfRun[]> {
  const found: PeriodOfRun[] = [];
  for (const [id, period] of await tools.memory.periods.list()) {
    const run = period.approvedAtMs === undefined ? undefined : await tools.runs.read(id);
    if (run !== undefined) found.push({ run, ...(await readPeriod(tools, run, period)) });
  }
  return found;
}

/** The moment from which on no row of the run is sent; `undefined` for none. */
export async function readSendingEnd(
  { memory }: Pick<PeriodTools, "memory">,
  run: string,
): Promise<number | undefined> {
  const { approvedAtMs, endAtMs, end } = (await memory.periods.read(run))?.period ?? {};
  if (approvedAtMs === undefined) return undefined;
  // Once it was carried out, a clock that was put back opens nothing again.
  return end === undefined ? endAtMs : -Infinity;
}

/** Judges a period that was read. */
export async function readPeriod(
  { clock, runs, journal }: PeriodTools,
  run: Pick<RunRecord, "state">,
  period: RunPeriod,
): Promise<PeriodReading> {
  const nowMs = clock.now();
  const endRun = period.end?.run;
  const undo = endRun === undefined ? undefined : await runs.read(endRun);
  const counts = undo && toCounts(await journal.countRows(undo.id));
  const facts: PeriodFacts = {
    nowMs,
    run: run.state,
    undo: undo &&
      counts && {
        isFinished: undo.state === "finished",
        updated: counts.updated,
        failed: counts.held + counts.rejected + counts.unknown + counts.cancelled + counts.pending,
      },
  };
  const judged = judgePeriod(period, facts);
  return { ...judged, period, endRun, text: describePeriod(period, judged, nowMs) };
}
