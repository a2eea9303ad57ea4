/** Whether a stored plan still tells what applying it would do. */

import { ToolkitError } from "@catalog/connection";
import { type Toolkit } from "@catalog/connection";
import { type RunRecord } from "@catalog/runs";

import { hashFile } from "../file/file-hash.ts";

/** A plan that waited longer was made for a store that is no more. */
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Throws {@link ToolkitError}: `E_RUN_UNPLANNED` and `E_RUN_BEGUN` where there is no plan to apply,
 * `E_PLAN_FILE` where the file is not the one that was planned, `E_PLAN_OLD` where the plan has
 * waited too long. A clock that was put back makes a plan old, too.
 */
export async function assertApplicable(
  { clock }: Pick<Toolkit, "clock">,
  run: RunRecord,
): Promise<void> {
  assertPlanned(run);
  if (!(await isSameFile(run))) throw new ToolkitError("E_PLAN_FILE", run.id);
  const ageMs = clock.now() - run.updatedAtMs;
  if (ageMs < 0 || ageMs > LONGEST_WAIT_MS) throw new ToolkitError("E_PLAN_OLD", run.id);
}

/** Throws {@link ToolkitError} `E_RUN_UNPLANNED` or `E_RUN_BEGUN`. */
export function assertPlanned({ id, state }: RunRecord): void {
  if (state === "planning") throw new ToolkitError("E_RUN_UNPLANNED", id);
  if (state !== "planned") throw new ToolkitError("E_RUN_BEGUN", id);
}

/** Of a file that is gone or cannot be read nobody can say that it is the same. */
async function isSameFile({ file, progress }: RunRecord): Promise<boolean> {
  // Undoing needs no file: it was planned from what was kept.
  return progress.undoOf !== undefined || (await hashFile(file.path)) === file.sha256;
}
