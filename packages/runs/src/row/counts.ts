/** Counts of a run's rows by outcome. Every row is in exactly one class, so the classes add up. */

import type { RowState } from "./row-state.ts";

/** The rows of a run by outcome; the classes add up to `rows`. */
export interface Counts {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly held: number;
  /** Sent, and without a trusted answer yet. */
  readonly unknown: number;
  readonly cancelled: number;
  /** Not sent yet. */
  readonly pending: number;
}

/** A class of a report. */
export type CountClass = Exclude<keyof Counts, "rows">;

/** What a row's request does to the store. */
export type WriteAction = "add" | "update";

/** Number of rows in one state with one action. */
export interface StateCount {
  readonly state: RowState;
  readonly action: WriteAction | null;
  readonly rows: number;
}

const CLASS_OF: Readonly<Record<Exclude<RowState, "done">, CountClass>> = {
  parsed: "pending",
  ready: "pending",
  sending: "unknown",
  ambiguous: "unknown",
  invalid: "invalid",
  duplicate: "duplicate",
  skipped: "skipped",
  unchanged: "unchanged",
  held: "held",
  rejected: "rejected",
  cancelled: "cancelled",
};

/** Returns the class that a row is reported in. */
export function toCountClass(state: RowState, action: WriteAction | null): CountClass {
  if (state !== "done") return CLASS_OF[state];
  return action === "update" ? "updated" : "added";
}

const NOTHING: Counts = {
  rows: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  invalid: 0,
  duplicate: 0,
  rejected: 0,
  held: 0,
  unknown: 0,
  cancelled: 0,
  pending: 0,
};

/** Sums counts by state into the classes of a report. */
export function toCounts(states: readonly StateCount[]): Counts {
  const counts: Record<keyof Counts, number> = { ...NOTHING };
  for (const { state, action, rows } of states) {
    counts.rows += rows;
    counts[toCountClass(state, action)] += rows;
  }
  return counts;
}
