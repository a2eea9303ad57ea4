import { randomBytes } from "node:crypto";

import type { Clock } from "@catalog/clock";
import { formatDateTime } from "@catalog/i18n";

import type { NewRun, RunRepository } from "./ports/run-repository.ts";

/** Runs are created in one database, which counts time with this clock. */
export interface RunIdTools {
  readonly runs: Pick<RunRepository, "create">;
  readonly clock: Pick<Clock, "now">;
}

/** A minute has 65,536 ids; even with half of them taken, this many tries find a free one. */
const MAX_TRIES = 64;

/**
 * Creates a run in the state `planning` under an id that no run has, and returns the id. `toRun` is
 * called again with another id where one is taken.
 */
export async function createRun(
  { runs, clock }: RunIdTools,
  toRun: (id: string) => NewRun | Promise<NewRun>,
): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const run = await toRun(createRunId(clock.now()));
    if (await runs.create(run)) return run.id;
  }
  throw new Error(`no id of a run was free in ${MAX_TRIES} tries`);
}

/**
 * Creates an id such as `r-261121-0930-4f2a`: it begins with the day and the minute in Turkish time,
 * as people read every time, so that ids sort by time; it is short enough to type. Ids of
 * one minute may be repeated. `nowMs` is in milliseconds since 1970.
 */
export function createRunId(nowMs: number): string {
  const shown = formatDateTime(nowMs, "en", { dateStyle: "short", timeStyle: "short" });
  const stamp = shown.replaceAll(/[-:]/gu, "").replace(" ", "-").slice(2);
  return `r-${stamp}-${randomBytes(2).toString("hex")}`;
}
