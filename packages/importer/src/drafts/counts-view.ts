/** Numbers of rows and the run of a draft, as a page shows them. */

import type { DraftCountsView, DraftDetails } from "./draft-views.ts";
import { labelOf } from "./issue-labels.ts";
import type { DraftRecord, DraftRowCounts } from "./stored-draft.ts";

/** The counts as a page shows them. */
export function toCountsView(counts: DraftRowCounts): DraftCountsView {
  const { ok, warn, error, excluded, edited, kinds } = counts;
  return {
    rows: ok + warn + error,
    sound: ok + warn,
    warnings: warn,
    errors: error,
    excluded,
    edited,
    kinds: kinds.map((kind) => Object.assign({ label: labelOf(kind.code) }, kind)),
  };
}

/** The run that was planned from a draft, and whether the draft is still as it was. */
export const toRunView = ({
  run,
  version,
}: Pick<DraftRecord, "run" | "version">): DraftDetails["run"] =>
  run === null ? null : { id: run.id, isCurrent: run.version === version };
