/** The state of a run as the page shows it: what is stored, and what the page has started. */

import { CatalogError, type Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { assertDraftCurrent, isPlannedAsSet } from "@catalog/importer";
import { type QueuedRunState, readQueuedRuns } from "@catalog/jobs";
import type { RunRecord } from "@catalog/runs";

import type { Problem } from "../../api/problem.ts";
import type { RunActivity, RunSummaryView } from "../../api/runs.ts";
import { plainText } from "../plain-advice.ts";
import type { RunJobs } from "./run-jobs.ts";
import { RUN_TEXTS } from "./run-texts.ts";

interface StateOptions {
  readonly run: RunRecord;
  readonly jobs: RunJobs;
  /** State and sentence by what is stored. */
  readonly stored: Pick<RunSummaryView, "state" | "stateText" | "counts">;
  readonly lang: Lang;
  /** The runs that are left to the workers. @default they are read */
  readonly queued?: ReadonlyMap<string, QueuedRunState> | undefined;
}

/** Adds what the page knows of its own commands to the stored state. */
export async function showRunState(
  connection: Connection,
  { run, jobs, stored, lang, queued }: StateOptions,
): Promise<RunActivity> {
  const texts = RUN_TEXTS[lang];
  const rest = { isPaused: false, isByWorker: false, preparing: jobs.preparationOf(run.id) };
  if (jobs.isSending(run.id)) {
    return { ...rest, state: "sending", stateText: texts.states.sending };
  }
  const left = (queued ?? (await readQueuedRuns(connection))).get(run.id);
  if (left !== undefined && !isOver(stored, left)) {
    if (left.place === "taken") {
      return { ...rest, state: "sending", stateText: texts.byWorker, isByWorker: true };
    }
    if (stored.state !== "sending") {
      const { failure } = left;
      const stateText =
        failure === undefined
          ? texts.states.queued
          : texts.failing(failure.message ?? failure.code ?? String(failure.exit));
      return { ...rest, state: "queued", stateText };
    }
  }
  if (await isPaused(connection, { run, jobs, stored, lang })) {
    return { ...rest, state: "stopped", stateText: texts.paused, isPaused: true };
  }
  return { ...rest, state: stored.state, stateText: stored.stateText };
}

/** A worker that has sent every row has its job until it has stored the end. */
const isOver = (
  { state, counts }: StateOptions["stored"],
  { place }: Pick<QueuedRunState, "place">,
): boolean => state === "finished" && place === "taken" && counts.waiting === 0;

/** A run that was approved is paused even where its command had not begun to send. */
async function isPaused(
  connection: Connection,
  { run, jobs, stored, lang }: StateOptions,
): Promise<boolean> {
  if (!jobs.isPaused(run.id)) return false;
  if (stored.state === "stopped") return true;
  return stored.state === "planned" && (await findStale(connection, run, lang)) === null;
}

/** Why a plan that was not sent yet must be made anew; `null` where it need not. */
export async function findStale(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
): Promise<Problem | null> {
  if (run.state !== "planned") return null;
  try {
    await assertDraftCurrent(connection, run);
    await assertSettingsCurrent(connection, run);
    return null;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return { code: error.code, message: plainText(error.localized[lang]) };
  }
}

/** Throws {@link CatalogError} `E_PLAN_SETTINGS` where rules, limits or the unit of prices changed. */
async function assertSettingsCurrent(connection: Connection, run: RunRecord): Promise<void> {
  if (run.progress.draft === undefined || (await isPlannedAsSet(connection, run))) return;
  throw new CatalogError("E_PLAN_SETTINGS", run.id);
}
