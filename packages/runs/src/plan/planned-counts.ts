/** What applying a plan does, and what it costs. */

import { type StateCount, toCounts, type WriteAction } from "../row/counts.ts";
import { countAddRecheckCalls } from "../send/recheck/add-recheck-calls.ts";
import type { ListingReadTime } from "../send/recheck/add-rechecks.ts";
import { countUpdateRecheckCalls } from "../send/recheck/update-recheck-calls.ts";
import type { Capability } from "../verify/capability.ts";
import { countVerifyCalls } from "../verify/verify-calls.ts";
import type { PriceUnitFacts } from "./learn-price-unit.ts";
import type { PlanReading } from "./plan-reading.ts";
import type { UnsendableFields } from "./unsendable-fields.ts";

/** Facts about a run that is planned; stored with it. */
export interface PlanFacts extends PriceUnitFacts {
  /** How the store's products were read. */
  readonly readBy: "listing" | "lookups";
  readonly planned: PlannedCounts;
  /** When the store was read for the plan; syncs and undos look at it anew. */
  readonly readAt?: ListingReadTime;
  /** What the store does not accept. @default not looked at, in undos */
  readonly unsendable?: UnsendableFields;
  /** Rows that a sync counts and does not store. @default none, as in all other runs */
  readonly notStored?: NotStoredRows;
  /** What reading back had taught by then. @default nothing */
  readonly capabilities?: readonly Capability[];
  /** How the file was understood; missing where the run has none. */
  readonly reading?: PlanReading;
}

/** Rows of a feed of which nothing is stored but their number. */
export interface NotStoredRows {
  readonly unchanged: number;
  /** Rows that are no products themselves, or of which nothing can be sent. */
  readonly skipped: number;
}

/** What applying the plan does, and what it costs. */
export interface PlannedCounts extends PlannedRows {
  /** Calls of applying the plan without errors. */
  readonly requests: number;
  /** Estimated duration of these calls in seconds, from the calls made while planning. */
  readonly seconds: number;
}

/** Counts of the stored decisions of a run. */
export interface PlannedRows {
  readonly add: number;
  readonly update: number;
  readonly unchanged: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly held: number;
  /** Rows among the held ones whose stock is sent all the same. @default 0 */
  readonly stock?: number;
}

/** Sums the rows of a run by state and action. */
export function countPlanned(states: readonly StateCount[]): PlannedRows {
  const ready = (action: WriteAction): number =>
    states
      .filter((count) => count.state === "ready" && count.action === action)
      .reduce((sum, { rows }) => sum + rows, 0);
  const { unchanged, invalid, duplicate, held } = toCounts(states);
  return { add: ready("add"), update: ready("update"), unchanged, invalid, duplicate, held };
}

/** What the number of calls depends on besides the rows. */
export interface PlannedCallsOptions {
  /** How long the adds take, in seconds. */
  readonly addSeconds: number;
  /** Calls an hour that are allowed. @default unlimited */
  readonly callsPerHour?: number | undefined;
  /** Whether sent rows are read back, which takes calls. @default false */
  readonly isVerified?: boolean | undefined;
  /** Number of rows that are sent first and read back on their own. @default none */
  readonly canary?: number | undefined;
}

/** Returns the number of calls of applying the plan without errors. */
export function countPlannedCalls(
  { add, update: whole, stock = 0 }: Pick<PlannedRows, "add" | "update" | "stock">,
  { addSeconds, callsPerHour, isVerified = false, canary = 0 }: PlannedCallsOptions,
): number {
  const update = whole + stock;
  const first = Math.min(canary, add + update);
  // A row whose price waits is read back once that is sent.
  const rest = isVerified ? Math.max(0, add + whole - first) : 0;
  const lookups =
    countUpdateRecheckCalls(update, callsPerHour) + countAddRecheckCalls(add, addSeconds);
  return add + update + lookups + countVerifyCalls(first) + countVerifyCalls(rest);
}
