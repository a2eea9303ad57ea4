/** Checks whether a stored plan still describes what applying it would do. */

import { type Connection, CatalogError } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";

import { hashFile } from "../file/file-hash.ts";

/** Plans older than this are stale. */
const MAX_PLAN_AGE_MS = 15 * 60_000;

/**
 * Throws {@link CatalogError}: `E_RUN_UNPLANNED` and `E_RUN_BEGUN` where there is no plan to apply,
 * `E_PLAN_FILE` where the file has changed, `E_PLAN_DRAFT` where its draft has, `E_PLAN_OLD` where the plan is stale. A plan from the
 * future is stale too, as the clock was put back.
 */
export async function assertPlanCurrent(
  { clock, memory: { drafts } }: Pick<Connection, "clock" | "memory">,
  run: RunRecord,
): Promise<void> {
  assertPlanned(run);
  await assertDraftCurrent({ memory: { drafts } }, run);
  if (!(await isSameFile(run))) throw new CatalogError("E_PLAN_FILE", run.id);
  const ageMs = clock.now() - run.updatedAtMs;
  if (ageMs < 0 || ageMs > MAX_PLAN_AGE_MS) throw new CatalogError("E_PLAN_OLD", run.id);
}

/** Throws {@link CatalogError} `E_RUN_UNPLANNED` or `E_RUN_BEGUN`. */
export function assertPlanned({ id, state }: RunRecord): void {
  if (state === "planning") throw new CatalogError("E_RUN_UNPLANNED", id);
  if (state === "planned") return;
  throw new CatalogError("E_RUN_BEGUN", state === "finished" ? describeEnd(id) : describeStop(id));
}

const describeEnd = (run: string): Localized => ({
  tr: `${run} zaten bitmiş. Ne olduğunu görmek için: catalog runs ${run}`,
  en: `${run} is finished. To see what it did: catalog runs ${run}`,
});

const describeStop = (run: string): Localized => ({
  tr: `${run} gönderilmeye başlanmış, bitmemiş. Sürdürmek için: catalog resume ${run}`,
  en: `${run} has begun to be sent and is not finished. To go on with it: catalog resume ${run}`,
});

/** Rejects with {@link CatalogError} `E_PLAN_DRAFT` where the draft of a plan has changed since. */
export async function assertDraftCurrent(
  { memory: { drafts } }: { readonly memory: Pick<Connection["memory"], "drafts"> },
  run: RunRecord,
): Promise<void> {
  if (!(await isSameDraft(drafts, run))) throw new CatalogError("E_PLAN_DRAFT", run.id);
}

/** A draft that was deleted counts as changed. */
const isSameDraft = async (
  drafts: Pick<Connection["memory"]["drafts"], "read">,
  { progress: { draft } }: RunRecord,
): Promise<boolean> =>
  draft === undefined || (await drafts.read(draft.id))?.version === draft.version;

/** A file that is missing or cannot be read counts as changed. */
async function isSameFile({ file, progress }: RunRecord): Promise<boolean> {
  // An undo is planned from stored values and has no file; a draft keeps the cells of its file.
  const hasFile = progress.undoOf === undefined && progress.draft === undefined;
  return !hasFile || (await hashFile(file.path)) === file.sha256;
}
