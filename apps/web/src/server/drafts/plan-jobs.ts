/** Plans of drafts, each made by a process of its own. */

import type { DraftProblem } from "@catalog/importer";

import type { EndedCommand, Site } from "../site.ts";
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

/** The error of the document; `null` for a plan, also for one with rows that are wrong. */
function readProblem({ exit, document, errors }: EndedCommand): DraftProblem | null {
  const error = readError(document);
  if (error !== undefined) return { code: error.code, message: both(error.message) };
  if (exit === 0 || hasRun(document)) return null;
  const text = errors.trim();
  return text === "" ? FAILED : { code: FAILED.code, message: both(text) };
}

const both = (text: string): DraftProblem["message"] => ({ tr: text, en: text });

const FAILED: DraftProblem = {
  code: "E_PLAN_FAILED",
  message: {
    tr: "Plan yapılamadı. Yeniden deneyin.",
    en: "The plan could not be made. Try again.",
  },
};

const hasRun = (document: unknown): boolean =>
  typeof document === "object" &&
  document !== null &&
  "run" in document &&
  typeof document.run === "string";

function readError(
  document: unknown,
): { readonly code: string; readonly message: string } | undefined {
  if (typeof document !== "object" || document === null || !("error" in document)) return undefined;
  const { error } = document;
  if (typeof error !== "object" || error === null) return undefined;
  if (!("code" in error && "message" in error)) return undefined;
  return { code: String(error.code), message: String(error.message) };
}
