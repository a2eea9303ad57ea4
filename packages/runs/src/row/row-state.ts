/**
 * The states of a row and the moves between them. This table is their only source: the engine asks
 * it, and the database refuses every move that is not in it.
 */

import type { Cause } from "./cause.ts";

/**
 * - `parsed`: read from the sheet, raw cells kept.
 * - `invalid`, `duplicate`, `skipped`, `unchanged`: final; nothing is sent for the row.
 * - `held`: waits for a person.
 * - `ready`: the request body is fixed.
 * - `sending`: written before the request leaves; found at a start, the outcome is unknown.
 * - `ambiguous`: a request may have been carried out, and no trusted answer says so.
 * - `done`, `rejected`, `cancelled`: final.
 */
export const ROW_STATES = [
  "parsed",
  "invalid",
  "duplicate",
  "skipped",
  "unchanged",
  "held",
  "ready",
  "sending",
  "ambiguous",
  "done",
  "rejected",
  "cancelled",
] as const;

/** State of a row between the sheet and the report; one of {@link ROW_STATES}. */
export type RowState = (typeof ROW_STATES)[number];

/** The states that may follow each state. */
export const NEXT_STATES: Readonly<Record<RowState, readonly RowState[]>> = {
  parsed: ["invalid", "duplicate", "skipped", "unchanged", "held", "ready"],
  // To `unchanged` when the field that could not be compared proves to have the wanted value.
  // To `held` again when the reasons are found anew.
  held: ["ready", "done", "cancelled", "unchanged", "held"],
  // To `held` when another run has taken the code, or a recheck or a guard holds the row.
  ready: ["sending", "held"],
  // Back to `ready` only when no byte of the request left, or the marketplace refused to run it.
  // To `held` when the stock was sent and the price waits.
  sending: ["done", "rejected", "ready", "ambiguous", "held"],
  // To `rejected` when the marketplace had refused it and a lookup has found no product.
  ambiguous: ["done", "rejected", "ready", "held"],
  invalid: [],
  duplicate: [],
  skipped: [],
  unchanged: [],
  done: [],
  rejected: [],
  cancelled: [],
};

/** The states that a row never leaves. */
export const FINAL_STATES: readonly RowState[] = ROW_STATES.filter(
  (state) => NEXT_STATES[state].length === 0,
);

/** Every legal move, as pairs. */
export const LEGAL_MOVES: readonly (readonly [from: RowState, to: RowState])[] = ROW_STATES.flatMap(
  (from) => NEXT_STATES[from].map((to) => [from, to] as const),
);

/** Says whether a row may go from one state to the other. */
export function isLegalMove(from: RowState, to: RowState): boolean {
  return NEXT_STATES[from].includes(to);
}

/** States of an add that keep its product code taken in the store, over all runs. */
export const CODE_TAKING_STATES: readonly RowState[] = ["sending", "ambiguous", "held", "done"];

/**
 * Moves that allow a row to be sent again, or its code to be used again, with the only causes
 * for them. A move that is not listed here needs no particular cause.
 */
export const GUARDED_MOVES: readonly (readonly [
  from: RowState,
  to: RowState,
  causes: readonly Cause[],
])[] = [
  // No byte has left, or the marketplace refused the call before carrying it out.
  ["sending", "ready", ["unsent", "recovery-unsent", "status-401", "status-403", "status-429"]],
  [
    "ambiguous",
    "ready",
    ["refused-and-absent", "not-found-resend", "read-back-differs", "read-back-missing"],
  ],
  ["ambiguous", "rejected", ["refused-and-absent"]],
  ["sending", "held", ["stock-sent"]],
];

/** Says whether a legal move may be made for this cause. */
export function isLegalCause(from: RowState, to: RowState, cause: Cause): boolean {
  const guarded = GUARDED_MOVES.find(([before, after]) => before === from && after === to);
  return guarded === undefined || guarded[2].includes(cause);
}
