/**
 * Rechecks the adds of a run: reads the store for their codes before the first one is sent, where
 * the plan has waited, and again while they are sent.
 */

import type { Connection } from "@catalog/connection";
import { codeKey, CODE_KEYS } from "@catalog/mapping";
import {
  type AddRechecks,
  createAddRechecks,
  holdLookAlikes,
  holdAppeared,
  type RunRecord,
  type ListingReadTime,
} from "@catalog/runs";

import { ALIKE_CODES, type CodeNormalizations, readCodeKeys } from "../../plan/code-keys.ts";
import type { ApplyPlanOptions } from "../apply-plan.ts";
import type { WaitingRun } from "./hold-unproven-adds.ts";

/**
 * Creates the rechecks of a run's adds; they start from the time at which its plan read the store.
 */
export async function openAddRechecks(
  connection: Connection,
  { facts }: RunRecord,
): Promise<AddRechecks> {
  const {
    journal,
    marketplace,
    clock,
    meters: { pacing },
  } = connection;
  // Read once, so that what is known is recent.
  await pacing.callsPerHour();
  const adds = createAddRechecks({
    journal,
    marketplace,
    clock,
    codeKey,
    suspectKey: CODE_KEYS.lookAlike,
    // Three calls for each add would make an import take four times as long in a quota.
    mayAskByCode: () => pacing.knownCallsPerHour() === undefined,
  });
  if (facts?.readAt !== undefined) adds.noteRead(facts.readAt);
  return adds;
}

/** What to recheck, and the rechecks of the run. */
export interface RecheckAddsOptions extends Pick<
  ApplyPlanOptions,
  "recheck" | "stop" | "onProgress"
> {
  readonly adds: AddRechecks;
}

/**
 * Holds adds whose code the store shows by now, and look-alike codes. Reads the store only if that
 * is requested, if its last reading is too old, or if this database may be an older copy.
 */
export async function recheckAdds(
  {
    journal,
    marketplace,
    ...connection
  }: Pick<Connection, "journal" | "marketplace" | "clock"> & CodeNormalizations,
  { id: runId, file, settings }: WaitingRun,
  { adds, recheck = "nothing", stop: signal, onProgress }: RecheckAddsOptions,
): Promise<void> {
  // Recovery may find that this database is an older copy of a lost one.
  await journal.recover();
  // A run that the lost database may have sent is rechecked in any case.
  const isQuestioned = await journal.mustRecheck(runId);
  const [first] = await journal.readRows(runId, { states: ["ready"], action: "add", limit: 1 });
  if (first === undefined) return;
  // The reading for the plan may be old by now, for example after images were uploaded.
  if (recheck === "nothing" && !isQuestioned && adds.isFresh(first)) return;
  const isAllowed = settings?.allowsSuspectCodes === true;
  const lookAlikes = { ...ALIKE_CODES, registry: connection.codes, isAllowed };
  // The lost database may have added products before the plan of this copy was made.
  if (isQuestioned || !(await adds.recheckByDate(signal))) {
    const readAtMs = connection.clock.now();
    const how = { lookAlikes, signal, onListing: onProgress, ...(await readCodeKeys(connection)) };
    await holdAppeared({ runId, journal, marketplace, sheet: file.sheet, ...how });
    adds.noteRead(toListingReadTime({ marketplace, ...connection }, readAtMs));
  }
  await holdLookAlikes({ runId, journal, lookAlikes, sheet: file.sheet });
}

/** Returns the time of a finished reading of the store that began at `atMs`, by both clocks. */
export function toListingReadTime(
  { marketplace, clock }: Pick<Connection, "marketplace" | "clock">,
  atMs: number,
): ListingReadTime {
  const serverMs = marketplace.serverTimeMs?.();
  // The time in an answer is older than now, so the result is too early rather than too late. A
  // clock that was set back since would make it too late, so the elapsed time is never negative.
  const elapsedMs = Math.max(0, clock.now() - atMs);
  return { atMs, serverMs: serverMs === undefined ? null : serverMs - elapsedMs };
}
