/** Plans of drafts, each made by a process of its own. */

import type { DraftProblem } from "@catalog/importer";
import type { EndedCommand } from "@catalog/jobs";

import { readRunId, toProblem } from "../commands/command-document.ts";
import type { Site } from "../site.ts";
import type { DraftStepProgress } from "./draft-view.ts";

/** A plan that is being made, or the last one that was. */
export interface PlanJob {
  progress: DraftStepProgress | null;
  /** Why no plan was made. */
  problem: DraftProblem | null;
}

/** Starts to plan the draft; its problem is in the language of the words. */
export function startPlan(site: Site, words: readonly string[]): PlanJob {
  const job: PlanJob = { progress: { step: "plan", done: 0, total: null }, problem: null };
  const command = site.startCommand(words);
  command.onProgress(({ done, total }) => {
    job.progress = { step: "plan", done, total };
  });
  void finish(job, command.ended);
  return job;
}

async function finish(job: PlanJob, ended: Promise<EndedCommand>): Promise<void> {
  const result = await ended;
  job.progress = null;
  job.problem = readProblem(result);
}

/**
 * Why the command made no plan; `null` for a plan, also for one with rows that are wrong. What the
 * command tells is in the language that it was asked in.
 */
function readProblem(ended: EndedCommand): DraftProblem | null {
  const [tr, en] = [toProblem(ended, "tr"), toProblem(ended, "en")];
  if (tr !== null && en !== null) {
    return { code: tr.code, message: { tr: tr.message, en: en.message } };
  }
  return ended.exit === 0 || readRunId(ended.document) !== undefined ? null : FAILED;
}

const FAILED: DraftProblem = {
  code: "E_PLAN_FAILED",
  message: {
    tr: "Plan yapılamadı. Yeniden deneyin.",
    en: "The plan could not be made. Try again.",
  },
};
