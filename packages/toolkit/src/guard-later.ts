/** What the guards of a run could not look at when it was planned, they look at before it is sent. */

import { holdGuarded, type RunRecord, toGuardSettings } from "@catalog/runs";

import { placeOfField } from "./field-place.ts";
import { type Toolkit } from "./open-toolkit.ts";
import { recallPriceUnit } from "./price-unit-memory.ts";

/**
 * Holds rows whose prices nobody could compare, once the unit of the listing's prices is known.
 * Done once for a run, and again where a process died before it was noted: what a person has let go
 * is not held again. An undo restores what the store itself had, so no guard looks at it.
 */
export async function guardLater(
  toolkit: Toolkit,
  { id: runId }: RunRecord,
  signal?: AbortSignal,
): Promise<void> {
  const run = await toolkit.runLog.read(runId);
  const facts = run?.facts;
  if (run === undefined || facts?.priceUnit !== "unknown") return;
  if (run.settings.undoOf !== undefined) return;
  const { set, remembered } = await recallPriceUnit(toolkit);
  const priceUnit = set ?? remembered;
  if (priceUnit === undefined) return;
  const { guardLimits, allowed } = run.settings;
  await holdGuarded({
    runId,
    journal: toolkit.journal,
    readBack: toolkit.readBack,
    priceUnit,
    guards: toGuardSettings(guardLimits, allowed),
    placeOf: (record, field) => placeOfField(run, record, field),
    signal,
  });
  await toolkit.runLog.update(runId, { facts: { ...facts, priceUnit } });
}
