/**
 * Checks adds again before they are sent: whether the store shows their codes by now, and whether a
 * lookup proves anything in a store that has not been seen to show new products. There, adds that
 * another copy of the home may have sent are held; a person may have them sent.
 */

import type { Clock } from "@catalog/clock";

import { holdAppeared, holdLookAlikes } from "../plan/hold-adds.ts";
import type { LookAlikeOptions, CodeRegistry } from "../plan/look-alikes.ts";
import type { ReadListingOptions } from "../plan/read-listing.ts";
import { type Journal, type CopySuspicion, judgeRows, readAllRows } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { SETTLE_TIME_MS } from "../reconcile/decide-absent.ts";
import { isStoreVisible } from "../reconcile/visibility.ts";
import { toIssue, toRowLocation } from "../row/issues.ts";
import type { RowRecord, RowEvent } from "../row/row-record.ts";
import {
  type AddRechecks,
  type AddRechecksOptions,
  createAddRechecks,
  type ListingReadTime,
} from "./add-rechecks.ts";

/** How the adds of a run are checked. */
export interface CheckAddsOptions extends Pick<
  LookAlikeOptions,
  "suspectKey" | "areApart" | "rewrittenKey" | "isAllowed"
> {
  readonly codes: CodeRegistry;
  /** When the store was read for the plan. @default another process has read it */
  readonly readAt?: ListingReadTime | undefined;
  /** Whether the store is read again for a plan that has waited. @default false */
  readonly isReread?: boolean | undefined;
  /** Asks a person whether to send unproven adds. @default they are held without a question */
  readonly askUnproven?: AskUnprovenAdds | undefined;
  /** Whether the rate limit allows one call for each code. @default never */
  readonly mayAskByCode?: AddRechecksOptions["mayAskByCode"];
  /** Longest time between a recheck and its request, in milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /** Called with the progress of reading the store. */
  readonly onListing?: ReadListingOptions["onListing"];
}

/** The run whose adds are checked. */
interface Sender {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Pick<Clock, "now">;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly stop?: AbortSignal | undefined;
}

/**
 * Checks the adds of a run before the first of them is sent, and returns the rechecks that go on
 * while they are sent; `undefined` where adds are not checked.
 */
export async function checkAdds(
  sender: Sender,
  checks: CheckAddsOptions | undefined,
): Promise<AddRechecks | undefined> {
  if (checks === undefined) return undefined;
  const { suspectKey, mayAskByCode, maxAgeMs, readAt, askUnproven } = checks;
  const adds = createAddRechecks({ ...sender, suspectKey, mayAskByCode, maxAgeMs });
  if (readAt !== undefined) adds.noteRead(readAt);
  await recheckAdds(sender, adds, checks);
  await holdUnprovenAdds(sender, askUnproven);
  return adds;
}

/**
 * Holds adds whose code the store shows by now, and look-alike codes. Reads the store only if that
 * is requested, if its last reading is too old, or if this database may be an older copy.
 */
async function recheckAdds(
  sender: Sender,
  adds: AddRechecks,
  { codes: registry, isReread = false, onListing, ...alike }: CheckAddsOptions,
): Promise<void> {
  const { journal, marketplace, clock, runId, codeKey, sheet, stop: signal } = sender;
  // Recovery may find that this database is an older copy of a lost one.
  await journal.recover();
  // A run that the lost database may have sent is rechecked in any case.
  const isQuestioned = await journal.mustRecheck(runId);
  const [first] = await journal.readRows(runId, { states: ["ready"], action: "add", limit: 1 });
  if (first === undefined) return;
  // The reading for the plan may be old by now, for example after images were uploaded.
  if (!isReread && !isQuestioned && adds.isFresh(first)) return;
  const lookAlikes = { ...alike, registry };
  // The lost database may have added products before the plan of this copy was made.
  if (isQuestioned || !(await adds.recheckByDate(signal))) {
    const readAtMs = clock.now();
    const normalization = await registry.readNormalization();
    const how = { codeKey, normalization, lookAlikes, signal, onListing };
    await holdAppeared({ runId, journal, marketplace, sheet, ...how });
    adds.noteRead(toListingReadTime({ marketplace, clock }, readAtMs));
  }
  await holdLookAlikes({ runId, journal, lookAlikes, sheet });
}

/** Returns the time of a finished reading of the store that began at `atMs`, by both clocks. */
export function toListingReadTime(
  { marketplace, clock }: Pick<Sender, "marketplace" | "clock">,
  atMs: number,
): ListingReadTime {
  const serverMs = marketplace.serverTimeMs?.();
  // The time in an answer is older than now, so the result is too early rather than too late. A
  // clock that was set back since would make it too late, so the elapsed time is never negative.
  const elapsedMs = Math.max(0, clock.now() - atMs);
  return { atMs, serverMs: serverMs === undefined ? null : serverMs - elapsedMs };
}

/** The number of unproven adds of a run, and the cause. */
export interface UnprovenAdds {
  /**
   * - `restored`: this database is an older copy, or one of two copies that are used in turns.
   * - `silent`: the run, or an earlier one that it continues, has sent nothing for more than 15
   *   minutes.
   */
  readonly cause: "restored" | "silent";
  readonly rows: number;
}

/** Asks a person whether to send the adds; they are held unless the answer is `true`. */
type AskUnprovenAdds = (unproven: UnprovenAdds) => Promise<boolean | undefined>;

/** Holds unproven adds unless a person has them sent. Makes no call where there are none. */
async function holdUnprovenAdds(sender: Sender, ask: AskUnprovenAdds | undefined): Promise<void> {
  const { cause, rows } = await findUnproven(sender);
  if (rows.size === 0 || (await isStoreVisible({ ...sender, signal: sender.stop }))) return;
  if ((await ask?.({ cause, rows: rows.size })) === true) {
    await sender.journal.acceptCopy();
    return;
  }
  sender.stop?.throwIfAborted();
  const evidence = { rule: "another copy may have sent it, and the store shows nothing", cause };
  const { runId, journal, sheet } = sender;
  await judgeRows({ runId, journal }, READY_ADDS, async () => (record) => {
    if (!rows.has(record.row)) return undefined;
    const issues = [toIssue("E_ADD_UNSEEN", toRowLocation(sheet, record))];
    return { to: "held", cause: "unseen", issues, evidence };
  });
}

const READY_ADDS = { states: ["ready"], action: "add" } as const;

interface UnprovenRows {
  readonly cause: UnprovenAdds["cause"];
  readonly rows: ReadonlySet<number>;
}

async function findUnproven(sender: Sender): Promise<UnprovenRows> {
  const doubt = await sender.journal.readCopySuspicion(sender.runId);
  const cause = findCause(sender, doubt);
  if (cause !== undefined) {
    return { cause, rows: await readUnproven(sender, { ...doubt, only: undefined }) };
  }
  // An import of the same file again continues the earlier run, too.
  const only = await readSilentElsewhere(sender);
  const rows = only.size === 0 ? only : await readUnproven(sender, { ...doubt, only });
  return { cause: "silent", rows };
}

function findCause(
  sender: Sender,
  { restoredSeq, lastBegun }: CopySuspicion,
): UnprovenAdds["cause"] | undefined {
  if (restoredSeq !== null) return "restored";
  return lastBegun !== null && isSilent(sender, lastBegun) ? "silent" : undefined;
}

function isSilent(
  { clock, marketplace }: Sender,
  lastBegun: NonNullable<CopySuspicion["lastBegun"]>,
): boolean {
  const serverMs = marketplace.serverTimeMs?.();
  // A clock that was set back shortens the silence, so the marketplace's time is compared, too.
  const isServerLong =
    serverMs !== undefined &&
    lastBegun.serverMs !== null &&
    serverMs - lastBegun.serverMs > SETTLE_TIME_MS;
  return isServerLong || isLong(clock.now() - lastBegun.atMs);
}

/** Reads rows whose code waits in another run that has sent nothing for more than 15 minutes. */
async function readSilentElsewhere(sender: Sender): Promise<ReadonlySet<number>> {
  const waiting = await sender.journal.readWaitingElsewhere(sender.runId);
  const silent = waiting.filter(({ lastBegun }) => isSilent(sender, lastBegun));
  return new Set(silent.map(({ row }) => row));
}

interface UnprovenQuery extends Pick<CopySuspicion, "restoredSeq"> {
  /** @default all */
  readonly only: ReadonlySet<number> | undefined;
}

/** A negative duration comes from a clock that was set back, so it counts as long. */
const isLong = (ms: number): boolean => ms < 0 || ms > SETTLE_TIME_MS;

/** Reads ready adds that no person has lately released as unproven. */
async function readUnproven(
  { journal, clock, runId }: Sender,
  { restoredSeq, only }: UnprovenQuery,
): Promise<ReadonlySet<number>> {
  const isQuestioned = async ({ row }: RowRecord): Promise<boolean> => {
    if (only?.has(row) === false) return false;
    const accepted = (await journal.readEvents({ runId, row })).findLast(isAcceptedUnproven);
    if (accepted === undefined || accepted.seq < (restoredSeq ?? 0)) return true;
    return isLong(clock.now() - accepted.atMs);
  };
  const unproven = new Set<number>();
  for await (const adds of readAllRows(journal, runId, READY_ADDS)) {
    for (const record of adds) if (await isQuestioned(record)) unproven.add(record.row);
  }
  return unproven;
}

/** Whether the event is the release of an add that the store may hide. */
const isAcceptedUnproven = ({ from, to, evidence }: RowEvent): boolean =>
  from === "held" && to === "ready" && evidence["isBlindAccepted"] === true;

/** Whether the row is held because another copy may have sent it. */
export const isVisibilityUnproven = ({ issues }: Pick<RowRecord, "issues">): boolean =>
  issues.some(({ code }) => code === "E_ADD_UNSEEN");
