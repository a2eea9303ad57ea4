/** One store as the interface for programs uses it. */

import type { Webhooks } from "@catalog/jobs";

import type { RunDesk } from "../runs/run-decisions.ts";
import type { RunJobs } from "../runs/run-jobs.ts";
import { createReadRunOrder } from "../runs/run-rows.ts";
import { createReadRunView } from "../runs/run-view.ts";
import type { Site, Topic } from "../site.ts";
import type { Exports } from "../work/exports.ts";
import { createPlanRequests, type PlanRequests } from "./plan-requests.ts";
import { openRepeats, type Repeats } from "./repeated-requests.ts";

/** The parts of a store that the page uses as well. */
export interface SharedParts {
  readonly site: Site;
  readonly jobs: RunJobs;
  readonly exports: Exports;
  /** Progress of its runs. */
  readonly progress: Topic;
  /** What tells other programs what happens; `undefined` where nothing does. */
  readonly openWebhooks: () => Promise<Webhooks | undefined>;
}

export interface ProgramStore extends SharedParts {
  readonly desk: RunDesk;
  readonly plans: PlanRequests;
  readonly repeats: Repeats;
  readonly readOrder: ReturnType<typeof createReadRunOrder>;
}

/** Opens it; plans that an earlier process was asked for are made. */
export function openProgramStore(parts: SharedParts): ProgramStore {
  const { site, jobs } = parts;
  const plans = createPlanRequests(site);
  plans.goOn();
  return {
    ...parts,
    desk: { site, jobs, readView: createReadRunView(jobs) },
    plans,
    repeats: openRepeats(site),
    readOrder: createReadRunOrder(),
  };
}
