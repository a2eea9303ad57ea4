/** What applying a plan will do, and what it costs. */

import { type StateCount, toCounts, type WriteAction } from "../row/counts.ts";
import { addLookCalls } from "../send/recheck/add-recheck-calls.ts";
import { type ReadMoment } from "../send/recheck/add-rechecks.ts";
import { type Capability } from "../verify/capability.ts";
import { readBackCalls } from "../verify/verify-calls.ts";
import { type PriceUnitFacts } from "./learn-price-unit.ts";
import { type PlanReading } from "./plan-reading.ts";
import { type Unsendable } from "./unsendable-fields.ts";

/** What is known of a run once it is planned; stored with it. */
export interface PlanFacts extends PriceUnitFacts {
  /** How the store's products were read. */
  readonly readBy: "listing" | "lookups";
  readonly planned: PlannedCounts;
  /** When the store was read for it; missing in runs of older versions. */
  readonly readAt?: ReadMoment;
  /** What the store does not take; missing in runs of older versions. */
  readonly unsendable?: Unsendable;
  /** What reading back had taught by then; missing in runs of older versions. */
  readonly capabilities?: readonly Capability[];
  /** What was made of the file as a whole; missing in runs of older versions. */
  readonly reading?: PlanReading;
}

/** What applying the plan will do, and what it costs. */
export interface PlannedCounts extends PlannedRows {
  /** Calls that applying takes if nothing goes wrong. */
  readonly requests: number;
  /** How long they take, estimated from the calls made while planning. */
  readonly seconds: number;
}

/** What the stored decisions of a run come to. */
export interface PlannedRows {
  readonly add: number;
  readonly update: number;
  readonly unchanged: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly held: number;
}

/** What the rows of a run come to, counted by state and action. */
export function countPlanned(states: readonly StateCount[]): PlannedRows {
  const ready = (action: WriteAction): number =>
    states
      .filter((count) => count.state === "ready" && count.action === action)
      .reduce((sum, { rows }) => sum + rows, 0);
  const { unchanged, invalid, duplicate, held } = toCounts(states);
  return { add: ready("add"), update: ready("update"), unchanged, invalid, duplicate, held };
}

/** What decides, beside the rows, how many calls applying takes. */
export interface PlannedCallsOptions {
  /** How long the adds take. */
  readonly addSeconds: number;
  /** Whether what was sent will be read back, which takes calls. @default false */
  readonly isVerified?: boolean | undefined;
  /** So many rows will go first and be read back on their own. @default none */
  readonly canary?: number | undefined;
}

/** Calls that applying takes if nothing goes wrong. */
export function countPlannedCalls(
  { add, update }: Pick<PlannedRows, "add" | "update">,
  { addSeconds, isVerified = false, canary = 0 }: PlannedCallsOptions,
): number {
  const first = Math.min(canary, add + update);
  const rest = isVerified ? add + update - first : 0;
  // What an update overwrites is looked at before it leaves.
  const looks = readBackCalls(update) + addLookCalls(add, addSeconds);
  return add + update + looks + readBackCalls(first) + readBackCalls(rest);
}
