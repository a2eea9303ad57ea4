/**
 * Looks for the codes of a run's adds: before the first one leaves where its plan has waited, and
 * again while they are sent.
 */

import { type Connection } from "@catalog/connection";
import { codeKey, suspectCodeKey } from "@catalog/mapping";
import {
  type AddRechecks,
  createAddRechecks,
  holdLookAlikes,
  holdAppeared,
  type RunRecord,
  type ListingReadTime,
} from "@catalog/runs";

import { type CodeNormalizations, readCodeKeys } from "../../plan/code-keys.ts";
import { type ApplyPlanOptions } from "../apply-plan.ts";
import { type WaitingRun } from "./hold-unproven-adds.ts";

/** Knows when the store was read for the plan. */
export function openAddRechecks(connection: Connection, { facts }: RunRecord): AddRechecks {
  const {
    journal,
    marketplace,
    clock,
    meters: { pacing },
  } = connection;
  const adds = createAddRechecks({
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

export interface RecheckAddsOptions extends Pick<ApplyPlanOptions, "recheck" | "stop"> {
  readonly adds: AddRechecks;
}

/** Sees to it that no add leaves whose code the store shows by now, as far as that was asked for. */
export async function recheckAdds(
  {
    journal,
    marketplace,
    ...connection
  }: Pick<Connection, "journal" | "marketplace" | "clock"> & CodeNormalizations,
  { id: runId, file, settings }: WaitingRun,
  { adds, recheck = "nothing", stop: signal }: RecheckAddsOptions,
): Promise<void> {
  // What is found open may tell that this database is an older copy of a lost one.
  await journal.recover();
  // A run that the lost one may have sent is looked at, whatever was asked for.
  const isQuestioned = await journal.mustRecheck(runId);
  const [first] = await journal.readRows(runId, { states: ["ready"], action: "add", limit: 1 });
  if (first === undefined) return;
  // Pictures may have been uploaded since the store was read for the plan.
  if (recheck === "nothing" && !isQuestioned && adds.isFresh(first)) return;
  const isAllowed = settings?.allowsSuspectCodes === true;
  const lookAlikes = { registry: connection.codes, suspectKey: suspectCodeKey, isAllowed };
  // The lost one may have added the products before the plan that is left here was made.
  if (isQuestioned || !(await adds.recheckByDate(signal))) {
    const readAtMs = connection.clock.now();
    const how = { lookAlikes, signal, ...(await readCodeKeys(connection)) };
    await holdAppeared({ runId, journal, marketplace, sheet: file.sheet, ...how });
    adds.noteRead(toListingReadTime({ marketplace, ...connection }, readAtMs));
  }
  await holdLookAlikes({ runId, journal, lookAlikes, sheet: file.sheet });
}

/** A reading of the store that began at this moment, and is over. */
export function toListingReadTime(
  { marketplace, clock }: Pick<Connection, "marketplace" | "clock">,
  atMs: number,
): ListingReadTime {
  const serverMs = marketplace.serverTimeMs?.();
  // What an answer has told is older than now, so this is too early rather than too late. A clock
  // that was put back meanwhile would make it later than the reading.
  const elapsedMs = Math.max(0, clock.now() - atMs);
  return { atMs, serverMs: serverMs === undefined ? null : serverMs - elapsedMs };
}
