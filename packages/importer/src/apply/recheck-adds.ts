/**
 * Looks for the codes of a run's adds: before the first one leaves where its plan has waited, and
 * again while they are sent.
 */

import { type Toolkit } from "@catalog/connection";
import { codeKey, suspectCodeKey } from "@catalog/mapping";
import {
  type AddLooks,
  createAddLooks,
  holdAlike,
  holdAppeared,
  type RunRecord,
  type ReadMoment,
} from "@catalog/runs";

import { type CodeWays, readCodeKeys } from "../plan/code-keys.ts";
import { type ApplyPlannedOptions } from "./apply-plan.ts";
import { type WaitingRun } from "./hold-unproven-adds.ts";

/** Knows when the store was read for the plan. */
export function openAddLooks(toolkit: Toolkit, { facts }: RunRecord): AddLooks {
  const {
    journal,
    marketplace,
    clock,
    meters: { pacing },
  } = toolkit;
  const adds = createAddLooks({
    journal,
    marketplace,
    clock,
    codeKey,
    suspectKey: suspectCodeKey,
    // Three calls for each add would make an import take four times as long in a quota.
    mayAskByCode: () => pacing.callsPerHour() === undefined,
  });
  if (facts?.readAt !== undefined) adds.noteRead(facts.readAt);
  return adds;
}

export interface LookForAddsOptions extends Pick<ApplyPlannedOptions, "recheck" | "stop"> {
  readonly adds: AddLooks;
}

/** Sees to it that no add leaves whose code the store shows by now, as far as that was asked for. */
export async function lookForAdds(
  {
    journal,
    marketplace,
    ...toolkit
  }: Pick<Toolkit, "journal" | "marketplace" | "clock"> & CodeWays,
  { id: runId, file, settings }: WaitingRun,
  { adds, recheck = "nothing", stop: signal }: LookForAddsOptions,
): Promise<void> {
  // What is found open may tell that this database is an older copy of a lost one.
  await journal.recover();
  // A run that the lost one may have sent is looked at, whatever was asked for.
  const isDoubted = await journal.mustRecheck(runId);
  const [first] = await journal.readRows(runId, { states: ["ready"], action: "add", limit: 1 });
  if (first === undefined) return;
  // Pictures may have been uploaded since the store was read for the plan.
  if (recheck === "nothing" && !isDoubted && adds.isFresh(first)) return;
  const isAllowed = settings?.allowsSuspectCodes === true;
  const alike = { book: toolkit.codes, suspectKey: suspectCodeKey, isAllowed };
  // The lost one may have added the products before the plan that is left here was made.
  if (isDoubted || !(await adds.lookByDate(signal))) {
    const readAtMs = toolkit.clock.now();
    const how = { alike, signal, ...(await readCodeKeys(toolkit)) };
    await holdAppeared({ runId, journal, marketplace, sheet: file.sheet, ...how });
    adds.noteRead(toReadMoment({ marketplace, ...toolkit }, readAtMs));
  }
  await holdAlike({ runId, journal, alike, sheet: file.sheet });
}

/** A reading of the store that began at this moment, and is over. */
export function toReadMoment(
  { marketplace, clock }: Pick<Toolkit, "marketplace" | "clock">,
  atMs: number,
): ReadMoment {
  const serverMs = marketplace.serverTimeMs?.();
  // What an answer has told is older than now, so this is too early rather than too late. A clock
  // that was put back meanwhile would make it later than the reading.
  const elapsedMs = Math.max(0, clock.now() - atMs);
  return { atMs, serverMs: serverMs === undefined ? null : serverMs - elapsedMs };
}
