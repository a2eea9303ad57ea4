/** Plans whose draft was changed afterwards. */

import type { DraftView, RunView } from "../../src/api/index.ts";

type Planned = Pick<RunView, "id" | "state" | "draft"> & {
  readonly problem: Pick<NonNullable<RunView["problem"]>, "code"> | null;
};

const OUTDATED: ReadonlySet<string> = new Set(["E_PLAN_DRAFT", "E_PLAN_SETTINGS"]);

/** Whether a plan that was not sent yet is out of date, by the newest that is known of its draft. */
export function isOutdated(run: Planned, draft: Pick<DraftView, "run"> | undefined): boolean {
  if (run.state !== "planned" || run.draft === null) return false;
  if (draft?.run?.id === run.id) return !draft.run.isCurrent;
  return OUTDATED.has(run.problem?.code ?? "");
}

/** Whether the draft of a run that was sent was changed afterwards, and nothing planned since. */
export const isChangedSince = (
  run: Pick<RunView, "id" | "state">,
  draft: Pick<DraftView, "run"> | undefined,
): boolean => run.state === "finished" && draft?.run?.id === run.id && !draft.run.isCurrent;
